// The pictures of the page in the guide: `npm run pictures`, and then `TOOLWRIGHT_UPDATE=1 cargo test --test declaring guide`.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { chromium, type Page } from "playwright-core";

import { Program, ROOT } from "./program.ts";

const FOLDER = join(ROOT, "src/guide/pictures");
const SIZE = { width: 960, height: 620 };

const playground = await Program.start("playground");
const executablePath = process.env["TOOLWRIGHT_CHROMIUM"] ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });

/** Keeps a picture of what is shown at a place, as WebP, which `Page.screenshot` has not. */
async function picture(name: string, place: string, show: (page: Page) => Promise<void>): Promise<void> {
  const window = await browser.newContext({ viewport: SIZE, reducedMotion: "reduce", colorScheme: "light" });
  const page = await window.newPage();
  await page.goto(`${playground.url}${place}`);
  await show(page);
  const session = await window.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  writeFileSync(join(FOLDER, `${name}.webp`), data, "base64");
  await window.close();
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: "Your message" }).fill(question);
  await page.keyboard.press("Enter");
}

await picture("tools", "#/tools", async (page) => {
  await page.getByRole("button", { name: "Run" }).waitFor();
});
await picture("approval", "#/chat", async (page) => {
  await ask(page, "Book the trains to Oslo and to Bergen.");
  await page.locator("#composer-note", { hasText: "2 calls wait for your decision." }).waitFor();
});
await picture("run", "#/chat", async (page) => {
  await ask(page, "What should I wear today in Oslo, Cairo and Lima?");
  await page.getByText(/tokens in/).waitFor();
  await page.getByRole("link", { name: "Open the run" }).click();
  await page.getByRole("listbox", { name: "Records" }).waitFor();
});
await browser.close();
await playground.stop();
