// A person talks to the model, and watches its calls.

import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import { inBrowser } from "./browser.ts";

const QUESTION = "What should I wear today in Oslo, Cairo and Lima?";

const field = (page: Page) => page.getByRole("textbox", { name: "Your message" });
const round = (page: Page, number: number) => page.locator("details.round", { hasText: `Round ${number}` });
const states = (page: Page, number: number, state: string) =>
  round(page, number).locator(".state", { hasText: state });

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question);
  await page.keyboard.press("Enter");
}

/** Waits until the run is over, which is when another question may be asked. */
const over = (page: Page) => field(page).waitFor();

inBrowser({
  "a stranger sees what the page is for": async ({ page, open, look }) => {
    await open("");
    await page.getByText("Ask the model, and watch which tools it calls.").waitFor();
    await page.getByRole("link", { name: "book_seat" }).waitFor();
    await look("chat-welcome");
    await page.getByRole("button", { name: "Tell me a story." }).click();
    await page.getByText("On day 2 ").waitFor();
  },

  "code in colours": async ({ page, open, look }) => {
    await open("#/chat");
    await ask(page, "Show me code.");
    await page.locator(".code-word", { hasText: "async" }).waitFor();
    await page.locator(".code-comment", { hasText: "// From a station." }).waitFor();
    await over(page);
    await page.getByText("The answer is complete.").waitFor({ state: "attached" });
    await look("chat-code");
  },

  "two rounds of calls side by side, and their answer": async ({ page, open, look }) => {
    await open("#/chat");
    await ask(page, QUESTION);
    await states(page, 1, "running").nth(2).waitFor();
    await page.getByText(/drawing a sample|counting/).waitFor();
    await look("chat-progress");
    await over(page);
    await page.getByText("a raincoat").waitFor();
    assert.equal(await states(page, 1, "done").count(), 3);
    assert.equal(await states(page, 2, "done").count(), 3);
    await page.getByText(/tokens in/).waitFor();
    // The log tells of an attempt that the stream does not show.
    await round(page, 2).getByText("2 attempts").waitFor();
    await look("chat-answered");

    await round(page, 1).getByText('city: "Cairo"').click();
    await round(page, 1).getByLabel("result of get_weather").getByText('"sunny"').waitFor();
    await look("chat-call-open");

    // All of it is there after a reload, with its times.
    await page.reload();
    await page.getByText("a raincoat").waitFor();
    assert.equal(await states(page, 2, "done").count(), 3);
    await round(page, 2).getByText("2 attempts").waitFor();
    const chats = page.getByRole("complementary", { name: "Chats" });
    await chats.getByRole("link", { name: QUESTION }).waitFor();
    await look("chat-reloaded");
  },

  "a reload in the middle of an answer": async ({ page, open, look }) => {
    await open("#/chat");
    await ask(page, "Tell me a story.");
    await page.getByText("On day 4 ").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await page.getByText("On day 8 ").waitFor();
    await look("chat-resumed");
    await page.getByText("On day 40 ").waitFor();
    await over(page);
    const text = await page.locator(".message.assistant").innerText();
    assert.equal(text.match(/On day 1 /g)?.length, 1);
    assert.equal(text.match(/On day 40 /g)?.length, 1);
  },

  "a run that is cancelled": async ({ page, open, look }) => {
    await open("#/chat");
    await ask(page, "Tell me a story.");
    await page.getByText("On day 2 ").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The run was cancelled.").waitFor();
    await over(page);
    assert.equal(await page.getByText("The answer is complete.").count(), 0);
    await look("chat-cancelled");
    // What was read stays, also for a later look.
    await page.reload();
    await page.getByText("On day 2 ").waitFor();
    await page.getByText("The run was cancelled.").waitFor();
  },

  "a run that reaches its limit": async ({ page, open, look }) => {
    await open("#/chat");
    await ask(page, "Look on and on.");
    await page.getByText("The limit of 4 rounds of tool calls is reached.").waitFor();
    await page.getByText("I have looked 4 times, and stop here.").waitFor();
    assert.equal(await page.getByText("The answer is complete.").count(), 0);
    await look("chat-limit");
  },

  "more is said while a run is under way": async ({ page, open, look }) => {
    await open("#/chat");
    await ask(page, QUESTION);
    await states(page, 1, "running").nth(2).waitFor();
    await page.getByRole("textbox", { name: "Add to the run" }).fill("I like hats.");
    await page.keyboard.press("Enter");
    await page.locator(".meanwhile", { hasText: "I like hats." }).waitFor();
    await over(page);
    await page.getByText("And I have read: I like hats.").waitFor();
    await look("chat-said-more");
  },

  "a failure by its code and the text of the application": async ({ page, open, look }) => {
    await open("#/chat");
    await ask(page, "Please fail.");
    const failure = page.locator(".notice", { hasText: "The assistant is on holiday." });
    await failure.getByText("internal", { exact: true }).waitFor();
    // What the developer reads of it stands beside.
    await page.getByText("In the log: The run failed: the key is not known").waitFor();
    await page.getByText("tokens unknown").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    const told = "The answer has ended early. The assistant is on holiday.";
    await page.getByText(told).waitFor({ state: "attached" });
    await look("chat-failed");
    await page.reload();
    await failure.getByText("internal", { exact: true }).waitFor();
  },

  "another answer whose request is lost": async ({ page, open, expectRefusal }) => {
    await open("#/chat");
    await ask(page, "Hello");
    await page.getByText("I am a model for a machine").waitFor();
    await over(page);
    const runs = () =>
      page.evaluate(async () => ((await (await fetch("runs?limit=50")).json()) as { items: unknown[] }).items.length);
    const before = await runs();
    const answer = await page.getByRole("link", { name: "Open the run" }).getAttribute("href");
    expectRefusal("lost");
    const sent: unknown[] = [];
    await page.route("**/chat", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const { trigger, messageId } = route.request().postDataJSON() as Record<string, unknown>;
      sent.push({ trigger, messageId });
      // The first one never arrives, and the second one does, but its response is lost.
      if (sent.length > 2) return route.continue();
      if (sent.length === 2) await route.fetch();
      return route.abort();
    });
    await page.getByRole("button", { name: "Answer again" }).click();
    await page.getByText("The server cannot be reached. The page tries again").waitFor();
    await page.getByText("I am a model for a machine").waitFor();
    await over(page);
    const messageId = decodeURIComponent(answer?.split("/").at(-1) ?? "");
    const regenerated = { trigger: "regenerate-message", messageId };
    assert.deepEqual(sent, [regenerated, regenerated, regenerated]);
    assert.equal(await runs(), before + 1);
    assert.equal(await page.locator(".message").count(), 2);
    assert.notEqual(await page.getByRole("link", { name: "Open the run" }).getAttribute("href"), answer);
  },

  "a chat is renamed, saved and deleted, by keyboard": async ({ page, open, look, expectRefusal }) => {
    await open("#/chat");
    await ask(page, "Hello");
    await page.getByText("I am a model for a machine").waitFor();
    await over(page);
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    const heading = page.getByRole("heading", { level: 1 });
    const chats = page.getByRole("complementary", { name: "Chats" });
    const dialog = page.getByRole("dialog");
    await heading.getByText("Hello").waitFor();

    await page.getByRole("button", { name: "Rename" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Title").waitFor();
    await look("chat-rename");
    await dialog.getByLabel("Title").fill("What I \u202e can");
    expectRefusal(400);
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("each of which can be seen").waitFor();
    await dialog.getByLabel("Title").fill("What the model knows");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await focused(), "Rename");
    await heading.getByText("What the model knows").waitFor();
    await chats.getByRole("link", { name: "What the model knows" }).waitFor();
    await look("chat-renamed");

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export" }).click();
    assert.equal((await download).suggestedFilename(), "chat.json");

    await page.reload();
    await heading.getByText("What the model knows").waitFor();
    await page.getByRole("button", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("heading", { name: "Delete the chat?" }).waitFor();
    await look("chat-delete");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await focused(), "Delete");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Delete it" }).click();
    await page.getByText("Ask the model, and watch which tools it calls.").waitFor();
    await chats.getByRole("link", { name: "What the model knows" }).waitFor({ state: "detached" });
  },

  "a chat with a run under way is not deleted": async ({ page, open, expectRefusal }) => {
    await open("#/chat");
    await ask(page, "Tell me a story.");
    await page.getByText("On day 2 ").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    expectRefusal(409);
    await page.getByRole("button", { name: "Delete it" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The run was cancelled.").waitFor();
  },

  "another answer, and another question": async ({ page, open }) => {
    await open("#/chat");
    await ask(page, "Hello");
    await page.getByText("I am a model for a machine").waitFor();
    await over(page);
    await page.getByRole("button", { name: "Answer again" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await over(page);
    await page.getByText("I am a model for a machine").waitFor();
    assert.equal(await page.locator(".message.assistant").count(), 1);
    await ask(page, "Make a note that I leave at eight.");
    await page.getByText("That came of it").waitFor();
    assert.equal(await page.locator(".message.assistant").count(), 2);

    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByText("Ask the model, and watch which tools it calls.").waitFor();
    assert.equal(await page.locator(".message").count(), 0);
  },

  "a run that another window began": async ({ page, open, url, expectRefusal }) => {
    await open("#/chat");
    await ask(page, "Hello");
    await page.getByText("I am a model for a machine").waitFor();
    await over(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.reload();
    await other.getByText("I am a model for a machine").waitFor();
    await ask(other, "Tell me a story.");
    await other.getByText("On day 1 ").waitFor();
    expectRefusal(409);
    await ask(page, "Hello again");
    await page.getByRole("button", { name: "Follow the run" }).click();
    await page.getByText("On day 4 ").waitFor();
    assert.ok(page.url().startsWith(url));
    await other.close();
  },
});
