// A person answers what a call asks.

import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import { inBrowser } from "./browser.ts";

const asked = (page: Page) => page.locator(".question");
const json = (page: Page) => asked(page).getByLabel("As JSON");
const answer = (page: Page) => asked(page).getByRole("button", { name: "Answer" });

async function order(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Your message" }).fill("Order a meal for the train.");
  await page.keyboard.press("Enter");
  await asked(page).getByText("What would you like to eat on the train to Oslo?").waitFor();
}

/** Answers the form, and gets the question with the address. */
async function eat(page: Page, dish: string): Promise<void> {
  await asked(page).getByLabel("Dish").selectOption({ label: dish });
  await answer(page).click();
  await asked(page).getByRole("link").waitFor();
}

inBrowser({
  "a form is filled, an address is shown, and the run ends": async ({ page, open, look }) => {
    await open("#/chat");
    await order(page);
    await page.getByText("1 call, 1 waiting for you").waitFor();
    // Nobody approves the call by mistake, and a tag is text.
    assert.equal(await asked(page).getByRole("button", { name: "Approve" }).count(), 0);
    await asked(page).getByText("The kitchen <b>closes</b> at nine.").waitFor();
    assert.deepEqual(JSON.parse(await json(page).inputValue()), { portions: 1 });
    await look("question-asked");
    await asked(page).getByLabel("Wishes").fill("no salt");
    await eat(page, "stew");
    // The host is that which is opened, not what stands before it.
    assert.equal(await asked(page).locator("strong").innerText(), "menu.invalid");
    const link = asked(page).getByRole("link", { name: "https://kitchen.example@menu.invalid/allergens" });
    assert.equal(await link.getAttribute("target"), "_blank");
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
    await look("question-address");
    await asked(page).getByRole("button", { name: "I have opened it" }).click();
    await page.locator("li", { hasText: "1 times stew, no salt" }).first().waitFor();
    await page.getByText("The answer is complete.").waitFor();
    assert.equal(await asked(page).count(), 0);
    await page.getByRole("link", { name: "Open the run" }).click();
    await page.getByText("Question answered").first().waitFor();
    await look("question-log");
  },

  "an answer that does not fit is refused beside the form, which keeps what was typed": async ({
    page,
    open,
    look,
    expectRefusal,
  }) => {
    await open("#/chat");
    await order(page);
    await asked(page).getByLabel("Wishes").fill("no salt");
    await asked(page).getByLabel("Portions").fill("9");
    expectRefusal(400);
    await answer(page).click();
    await asked(page).getByRole("alert").getByText("does not fit").waitFor();
    assert.deepEqual(JSON.parse(await json(page).inputValue()), { portions: 9, wishes: "no salt" });
    assert.equal(await asked(page).getByLabel("Wishes").inputValue(), "no salt");
    await look("question-refused");
    await asked(page).getByLabel("Portions").fill("2");
    await eat(page, "soup");
    assert.equal(await page.getByRole("alert").count(), 0);
    await asked(page).getByRole("button", { name: "I have opened it" }).click();
    await page.locator("li", { hasText: "2 times soup, no salt" }).first().waitFor();
  },

  "a question waits through a reload, and may be declined": async ({ page, open, look }) => {
    await open("#/chat");
    await order(page);
    await page.reload();
    await asked(page).getByText("What would you like to eat on the train to Oslo?").waitFor();
    await look("question-reloaded");
    await eat(page, "salad");
    await page.reload();
    await asked(page).getByText("menu.invalid", { exact: true }).waitFor();
    await asked(page).getByRole("button", { name: "Decline" }).click();
    await page.locator("li", { hasText: "The traveller has not read the list of allergens." }).first().waitFor();
    await page.locator(".call .state", { hasText: "done" }).waitFor();
    await page.reload();
    await page.locator(".call .state", { hasText: "done" }).waitFor();
    assert.equal(await asked(page).count(), 0);
  },

  "a call by hand asks in its run": async ({ page, open, look, expectRefusal }) => {
    await open("#/tools/order_meal");
    await page.getByRole("textbox", { name: "to" }).fill("Oslo");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    expectRefusal(409);
    await page.getByRole("button", { name: "Run it" }).click();
    const waits = page.getByText(/the call waits for a decision: see the run \w+/).first();
    const run = /run (\w+)/.exec(await waits.innerText())?.[1];
    await open(`#/runs/${run}`);
    await asked(page).getByText("What would you like to eat on the train to Oslo?").waitFor();
    await json(page).fill("{");
    await answer(page).click();
    await asked(page).getByRole("alert").getByText("no JSON yet").waitFor();
    await json(page).fill('{"dish": "pie", "portions": 1}');
    expectRefusal(400);
    await answer(page).click();
    await asked(page).getByRole("alert").getByText("does not fit").waitFor();
    await look("question-run");
    await eat(page, "salad");
    await asked(page).getByRole("button", { name: "Decline" }).click();
    await asked(page).waitFor({ state: "detached" });
    const finished = page.getByText("finished", { exact: true });
    while ((await finished.count()) === 0) await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("The traveller has not read the list of allergens.").first().waitFor();
  },
});
