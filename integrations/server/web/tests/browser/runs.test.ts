// A person looks at what has run.

import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import { inBrowser } from "./browser.ts";

async function aRun(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: "Your message" }).fill(question);
  await page.keyboard.press("Enter");
  await page.getByText(/tokens in/).waitFor();
}

const records = (page: Page) => page.getByRole("listbox", { name: "Records" });
const chosen = (page: Page) => records(page).getByRole("option", { selected: true });

inBrowser({
  "a run is opened and stepped through": async ({ page, open, look }) => {
    await open("#/chat");
    await aRun(page, "What should I wear today in Oslo, Cairo and Lima?");
    await page.getByRole("link", { name: "Open the run" }).click();
    await records(page).focus();
    assert.match(await chosen(page).innerText(), /Started/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const third = await records(page).getByRole("option").nth(2).innerText();
    await page.waitForURL(/\/2$/);
    assert.equal(await chosen(page).innerText(), third);
    await page.keyboard.press("End");
    await page.getByRole("option", { selected: true, name: /Finished/ }).waitFor();
    await records(page).getByRole("option", { name: /Call waits.*for retry: the instrument did not answer/ }).waitFor();
    await records(page).getByRole("option", { name: /Call finished.*The air of Oslo is clean/ }).waitFor();
    await look("run-log");
    await page.getByText("The record as it is stored").click();
    await page.getByLabel(/^record \d+$/).getByText('"type": "finished"').waitFor();

    // The place is in the address.
    await page.reload();
    await page.getByRole("option", { selected: true, name: /Finished/ }).waitFor();
    await page.getByRole("button", { name: "Previous" }).click();
    assert.doesNotMatch(await chosen(page).innerText(), /Finished/);
  },

  "a run is played again": async ({ page, open, look }) => {
    await open("#/chat");
    await aRun(page, "What should I wear in Oslo?");
    await page.getByRole("link", { name: "Open the run" }).click();
    await page.getByRole("tab", { name: "Replay" }).click();
    await page.getByText("a raincoat").waitFor();
    await page.getByLabel("Speed").selectOption({ label: "100 chunks a second" });
    await page.getByRole("button", { name: "Play again" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "One chunk" }).click();
    await look("run-replay");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByText("a raincoat").waitFor();
  },

  "a run becomes a fixture of a test": async ({ page, open }) => {
    await open("#/chat");
    await aRun(page, "Hello");
    await page.getByRole("link", { name: "Open the run" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download for a test" }).click();
    const stream = await (await download).createReadStream();
    let text = "";
    for await (const piece of stream) text += String(piece);
    assert.match(text, /Hello/);
  },

  "runs are found by their question and status": async ({ page, open, look, url }) => {
    await open("#/chat");
    await aRun(page, "Hello");
    await page.getByRole("link", { name: "Runs" }).click();
    const runs = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
    await runs.first().waitFor();
    assert.ok((await runs.count()) >= 1);
    await runs.filter({ hasText: "Hello" }).filter({ hasText: "The model answered." }).first().waitFor();
    await runs.first().getByRole("link", { name: "Chat of Hello" }).waitFor();
    await look("runs");
    // It is looked at again without a click.
    const before = await runs.count();
    const other = await page.context().newPage();
    await other.goto(`${url}#/chat`);
    await aRun(other, "Hello once more");
    await other.close();
    await page.getByText("Hello once more").first().waitFor();
    assert.equal(await runs.count(), before + 1);
    await page.getByRole("searchbox").fill("once more");
    await page.waitForFunction(() => document.querySelectorAll(".runs > li").length === 1);
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("Status").selectOption("abandoned");
    await page.getByText("There is no such run.").waitFor();
    await page.getByLabel("Status").selectOption("finished");
    await runs.first().waitFor();
    await page.getByRole("searchbox").fill("nothing has this word");
    await page.getByText("There is no such run.").waitFor();
    await look("runs-none");
  },
});
