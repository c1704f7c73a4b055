// The page of examples/react-chat, as its built form is served to a person.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { preview } from "vite";

import { inBrowser, type Visit } from "./browser.ts";
import { Program, ROOT } from "./program.ts";

const FOLDER = join(ROOT, "examples/react-chat");
let front: Server;

async function serve() {
  if (!existsSync(join(FOLDER, "dist"))) throw new Error(`build it first: npm run build in ${FOLDER}`);
  const program = await Program.start("react_chat");
  const proxy = { "/api": { target: new URL(program.url).origin, changeOrigin: false } };
  const served = await preview({ root: FOLDER, logLevel: "silent", preview: { host: "127.0.0.1", port: 0, proxy } });
  front = served.httpServer as Server;
  const stop = async () => {
    await served.close();
    await program.stop();
  };
  return { url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/`, stop };
}

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const messages = (page: Page) => page.getByRole("list", { name: "Messages" });
/** Where the keys of the keyboard go. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
const idle = (page: Page) => page.getByRole("button", { name: "Send", disabled: false }).waitFor();

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question);
  await page.keyboard.press("Enter");
}

/** Signs in, as the first page of a window does. */
async function signedIn(page: Page, expectRefusal: Visit["expectRefusal"]): Promise<void> {
  expectRefusal(401);
  // The chat is new.
  expectRefusal(404);
  await page.getByLabel("Token").fill("of-ada");
  await page.keyboard.press("Enter");
  await field(page).waitFor();
}

inBrowser(
  {
    "a login by a token": async ({ page, open, look, expectRefusal }) => {
      expectRefusal(401);
      await open("");
      await page.getByText("Sign in with the token of-ada.").waitFor();
      await look("react-login");
      await page.getByLabel("Token").fill("wrong");
      await page.keyboard.press("Enter");
      await signedIn(page, expectRefusal);
      assert.equal(await focused(page), "Message");
    },

    "progress of a call, and another answer after a reload": async ({ page, open, look, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      await ask(page, "Measure the air.");
      await page.getByText(/runs: (drawing a sample 1|counting 2) of 2/).waitFor();
      await page.getByText("That gave: The air of Oslo is clean.").waitFor();
      await idle(page);
      await page.reload();
      await page.getByText("That gave: The air of Oslo is clean.").waitFor();
      await page.getByRole("button", { name: "Answer again" }).click();
      await page.getByText(/runs: (drawing a sample 1|counting 2) of 2/).waitFor();
      await page.getByText("That gave: The air of Oslo is clean.").waitFor();
      await idle(page);
      assert.equal(await messages(page).getByRole("listitem").count(), 2);
      await look("react-answered");
    },

    "each approval is sent when it is decided": async ({ page, open, look, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      await ask(page, "Please delete the files.");
      const call = (path: string) => page.getByRole("group", { name: "delete_file" }).filter({ hasText: path });
      // What cannot be seen is shown.
      await call("b\\u{202e}.txt").getByText("waits for you").waitFor();
      await look("react-approvals");
      await call("a.txt").getByRole("button", { name: "Approve" }).press("Enter");
      await call("a.txt").getByText("is done").waitFor();
      assert.equal(await focused(page), "delete_file");
      await call("b\\u{202e}.txt").getByText("waits for you").waitFor();
      await page.reload();
      await call("a.txt").getByText("is done").waitFor();
      await call("b\\u{202e}.txt").getByRole("button", { name: "Deny" }).click();
      await call("b\\u{202e}.txt").getByText("was denied").waitFor();
      await page.getByText("That gave: a.txt is deleted").waitFor();
    },

    "the browser answers a call": async ({ page, open, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      await ask(page, "Tell the time.");
      const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
      await page.getByText(`That gave: ${zone}`).waitFor();
    },

    "an image": async ({ page, open, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      const buffer = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
      await page.getByLabel("Images").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer });
      await ask(page, "What is this?");
      await page.getByText("I see an image/png.").waitFor();
      await messages(page).locator("img").waitFor();
    },

    "a stop, and a connection that is lost": async ({ page, open, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      await ask(page, "Tell a story.");
      await page.getByText("On day 2 ").waitFor();
      await page.getByRole("button", { name: "Stop" }).press("Enter");
      await idle(page);
      assert.equal(await focused(page), "Message");
      assert.doesNotMatch(await messages(page).innerText(), /On day 60 /);
      await ask(page, "Tell a story.");
      const answer = messages(page).getByRole("listitem").last();
      await answer.getByText("On day 2 ").waitFor();
      expectRefusal("lost");
      front.closeAllConnections();
      await page.getByText("The connection is lost.").waitFor();
      await answer.getByText("On day 60 ").waitFor();
      await idle(page);
      assert.equal((await answer.innerText()).match(/On day 1 /g)?.length, 1);
      assert.equal(await page.getByRole("alert").count(), 0);
    },

    "a new chat": async ({ page, open, look, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      await ask(page, "Hello.");
      await page.getByText("Ask me to measure the air").waitFor();
      await idle(page);
      await page.getByRole("button", { name: "New chat" }).press("Enter");
      await messages(page).getByRole("listitem").first().waitFor({ state: "detached" });
      assert.equal(await focused(page), "Message");
      await look("react-new-chat");
      await ask(page, "Is it another one?");
      await page.getByText("Ask me to measure the air").waitFor();
      await idle(page);
      assert.equal(await messages(page).getByRole("listitem").count(), 2);
    },

    "a question is answered, after an answer that does not fit": async ({ page, open, look, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      await ask(page, "Order a shirt.");
      await page.getByText("order_shirt asks: Which shirt?").waitFor();
      assert.equal(await page.getByRole("button", { name: "Approve" }).count(), 0);
      assert.equal(await page.getByLabel("Colour").inputValue(), "red");
      await page.getByLabel("Colour").selectOption({ label: "Blue as the sea" });
      assert.ok(await page.getByLabel("As a gift").isChecked());
      await page.getByLabel("Size").fill("99");
      await look("react-question");
      expectRefusal(400);
      await page.getByRole("button", { name: "Answer", exact: true }).click();
      await page.getByRole("alert").getByText("does not fit").waitFor();
      assert.equal(await page.getByLabel("Size").inputValue(), "99");
      await page.getByLabel("Size").fill("40");
      await page.getByRole("button", { name: "Answer", exact: true }).click();
      await page.getByText('That gave: ordered {"size":40,"colour":"blue","gift":true}').waitFor();
    },

    "requests that are lost are sent again, and count once": async ({ page, open, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      expectRefusal("lost");
      let posts = 0;
      await page.route("**/api/chat", async (route) => {
        posts += 1;
        // Of three, the first never arrives, and the second does, but its response is lost.
        if (posts % 3 === 2) await route.fetch();
        return posts % 3 === 0 ? route.continue() : route.abort();
      });
      const runs = () =>
        page.evaluate(async () => {
          const headers = { authorization: `Bearer ${sessionStorage.getItem("token")}` };
          const page = await (await fetch("/api/runs?limit=50", { headers })).json();
          return (page as { items: unknown[] }).items.length;
        });
      const before = await runs();
      await ask(page, "Help.");
      await page.getByText("The connection is lost.").waitFor();
      await page.getByText("Ask me to measure the air").waitFor();
      await idle(page);
      assert.equal(await runs(), before + 1);
      await page.getByRole("button", { name: "Answer again" }).click();
      await page.getByText("The connection is lost.").waitFor();
      await page.getByText("Ask me to measure the air").waitFor();
      await idle(page);
      assert.equal(await runs(), before + 2);
      assert.equal(posts, 6);
      assert.equal(await messages(page).getByRole("listitem").count(), 2);
    },

    "errors by their codes": async ({ page, open, expectRefusal }) => {
      await open("");
      await signedIn(page, expectRefusal);
      await ask(page, "Please fail.");
      await page.getByText("Wait a minute, then ask for another answer.").waitFor();
      await page.reload();
      await page.getByText("Wait a minute, then ask for another answer.").waitFor();
      await ask(page, "Tell a story.");
      await page.getByText("On day 2 ").waitFor();
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByLabel("Token").fill("of-ada");
      await other.keyboard.press("Enter");
      await other.getByText("On day 2 ").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await idle(page);
      await ask(page, "Tell a story.");
      await page.getByText("On day 1 ").waitFor();
      await other.getByRole("button", { name: "Send" }).click({ trial: true });
      await ask(other, "And another one.");
      await other.getByText("Another page has asked here.").waitFor();
      await other.close();
    },
  },
  serve,
);
