// A person decides about calls.

import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import { inBrowser } from "./browser.ts";

const asked = (page: Page, city: string) => page.locator(".approval", { hasText: city });

async function book(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Your message" }).fill("Book the trains to Oslo and to Bergen.");
  await page.keyboard.press("Enter");
  await asked(page, "Bergen").waitFor();
}

async function decide(page: Page): Promise<void> {
  await asked(page, "Oslo").getByRole("button", { name: "Approve" }).click();
  await asked(page, "Oslo").waitFor({ state: "detached" });
  await asked(page, "Bergen").getByLabel("Reason of a denial").fill("too far away");
  await asked(page, "Bergen").getByRole("button", { name: "Deny" }).click();
}

async function decided(page: Page): Promise<void> {
  await page.getByText("seat 14 on the 08:25 to Oslo").waitFor();
  await page.locator("p, li", { hasText: "too far away" }).first().waitFor();
  await page.locator(".call .state", { hasText: "denied" }).waitFor();
  assert.equal(await page.locator(".call .state", { hasText: "done" }).count(), 1);
}

inBrowser({
  "one call is approved and another one denied": async ({ page, open, look }) => {
    await open("#/chat");
    await book(page);
    await page.locator("#composer-note", { hasText: "2 calls wait for your decision." }).waitFor();
    await look("approval-asked");
    await decide(page);
    await decided(page);
    await look("approval-decided");
    await page.reload();
    await decided(page);
  },

  "one of two is decided, by keyboard": async ({ page, open, look }) => {
    await open("#/chat");
    await book(page);
    await asked(page, "Oslo").getByRole("button", { name: "Approve" }).focus();
    await page.keyboard.press("Enter");
    // The focus stays at the call, and the next approval follows it.
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    assert.match(await focused(), /book_seat.*Oslo/);
    await page.locator(".call .state", { hasText: "done" }).waitFor();
    await page.locator("#composer-note", { hasText: "A call waits for your decision." }).waitFor();
    await page.getByText("2 calls, 1 waiting for you").waitFor();
    assert.match(await focused(), /book_seat.*Oslo/);
    assert.equal(await page.getByText("The answer is complete.").count(), 0);
    await look("approval-one-of-two");
    await asked(page, "Bergen").getByRole("button", { name: "Deny" }).click();
    await page.locator(".call .state", { hasText: "denied" }).waitFor();
  },

  "what cannot be seen is shown": async ({ page, open }) => {
    await open("#/chat");
    await page.getByRole("textbox", { name: "Your message" }).fill("Book a hidden place.");
    await page.keyboard.press("Enter");
    await asked(page, "Oslo\\u{202e}gro.live\\u{200b}").waitFor();
    await page.locator(".call-arguments", { hasText: "Oslo\\u{202e}gro.live\\u{200b}" }).waitFor();
    // The order is that of the declaration.
    assert.match(await asked(page, "Oslo").locator("pre").innerText(), /"to".*"time"/s);
  },

  "the calls wait through a reload": async ({ page, open, look }) => {
    await open("#/chat");
    await book(page);
    await page.reload();
    await asked(page, "Bergen").waitFor();
    await asked(page, "Oslo").waitFor();
    await look("approval-reloaded");
    await decide(page);
    await decided(page);
  },
});
