// A day of work: a login, a server that is started anew, and calls that were made before.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { inBrowser } from "./browser.ts";
import { Program } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "playground-"));
const TOKEN = "of-a-developer";
let program: Program;

const start = (port: string) =>
  Program.start("playground", "--token", TOKEN, "--file", join(folder, "runs.db"), "--port", port);

async function serve() {
  program = await start("0");
  const stop = async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  };
  return { url: program.url, stop };
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: "Your message" }).fill(question);
  await page.keyboard.press("Enter");
}

inBrowser(
  {
    "a login, which stays": async ({ page, open, look, expectRefusal }) => {
      for (let requests = 0; requests < 12; requests += 1) expectRefusal(401);
      await open("#/runs");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await look("login");
      await signIn(page, "wrong");
      await page.getByText("The server does not accept this token.").waitFor();
      await signIn(page, TOKEN);
      await page.getByText("There is no such run.").waitFor();
      await page.reload();
      await page.getByText("There is no such run.").waitFor();
      await page.getByRole("link", { name: "Chat" }).click();
      await ask(page, "Hello");
      await page.getByText("I am a model for a machine").waitFor();
      await page.getByRole("link", { name: "Open the run" }).click();
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download for a test" }).click();
      assert.equal((await download).suggestedFilename(), "run.jsonl");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    },

    "an answer goes on after the server was started anew": async ({ page, open, look, url, expectRefusal }) => {
      for (let requests = 0; requests < 4; requests += 1) expectRefusal(401);
      expectRefusal("lost");
      await open("#/chat");
      await signIn(page, TOKEN);
      await ask(page, "Tell me a story.");
      await page.getByText("On day 3 ").waitFor();
      await program.stop("killed");
      await page.getByText("The server cannot be reached. The page tries again").waitFor();
      const told = page.getByRole("status").filter({ hasText: "The connection is lost." });
      await told.waitFor({ state: "attached" });
      assert.equal(await page.getByText("The answer is complete.").count(), 0);
      await look("chat-lost");
      program = await start(new URL(url).port);
      await page.getByText("On day 40 ").waitFor({ timeout: 60_000 });
      await page.getByText("The answer is complete.").waitFor({ state: "attached" });
      const text = await page.locator(".message.assistant").innerText();
      assert.equal(text.match(/On day 1 /g)?.length, 1);
    },

    "calls by hand are made again, and taken elsewhere": async ({ page, open, look, expectRefusal }) => {
      for (let requests = 0; requests < 4; requests += 1) expectRefusal(401);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await open("#/tools/get_weather");
      await signIn(page, TOKEN);
      await page.getByRole("tab", { name: "Response schema" }).click();
      await page.getByLabel("JSON Schema of the response", { exact: true }).getByText('"celsius"').waitFor();
      const json = page.getByLabel("As JSON");
      await json.fill('{"city": "Oslo"}');
      await json.press("Control+Enter");
      await page.getByRole("region", { name: "Result" }).waitFor();
      await json.fill('{"city": "Rome\'s"}');
      await json.press("Control+Enter");
      await page.getByRole("region", { name: "Error" }).waitFor();
      await page.reload();
      await page.getByText("Earlier calls (2)").click();
      const calls = page.getByRole("list", { name: "Earlier calls" }).getByRole("listitem");
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await calls.nth(0).getByRole("button", { name: "Copy call as curl" }).click();
      assert.match(await copied(), /^curl --no-buffer 'http:.*get_weather\/call' .*authorization: Bearer \$TOKEN.*Rome'\\''s/s);
      await calls.nth(1).getByRole("button", { name: "Copy call as Rust test" }).click();
      assert.match(await copied(), /async fn get_weather_answers\(\).*ToolCall::new\("1", "get_weather", r#"\{"city": "Oslo"\}"#\)/s);
      await look("tools-past-calls");
      await calls.nth(1).getByRole("button", { name: "Use again" }).click();
      assert.equal(await json.inputValue(), '{"city": "Oslo"}');
    },
  },
  serve,
);
