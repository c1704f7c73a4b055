// A browser, the page in it, and what every step of a test has to keep: no mistake in the console, nothing for axe to find
// and nothing that is too wide, in light, in dark and on a narrow screen.

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test, type TestContext } from "node:test";

import { AxeBuilder } from "@axe-core/playwright";
import { chromium, type Browser, type Page } from "playwright-core";

import { Program, TARGET } from "./program.ts";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PICTURES = join(TARGET, "browser");
const WIDE = { width: 1280, height: 860 };

const LOOKS = [
  { name: "light", colorScheme: "light", size: WIDE },
  { name: "dark", colorScheme: "dark", size: WIDE },
  { name: "narrow", colorScheme: "light", size: { width: 390, height: 740 } },
] as const;

/** How long something may take that a person waits for. */
const PATIENCE_MS = 20_000;

export interface Visit {
  page: Page;
  url: string;
  /** Opens the page at a place, such as `#/tools`. */
  open: (place: string) => Promise<void>;
  /** Looks at what is there in each look, and keeps pictures of it. */
  look: (name: string) => Promise<void>;
  /** Says that the server refuses a request of the page by this status, or is not reached, which browsers log. */
  expectRefusal: (status: number | "lost") => void;
}

/** What serves a page. */
export interface Served {
  url: string;
  stop: () => Promise<void>;
}

/** Tests in a browser, with a program of their own: the playground, if no other is named. */
export function inBrowser(
  tests: Record<string, (visit: Visit) => Promise<void>>,
  start: () => Promise<Served> = () => Program.start("playground"),
): void {
  const program = process.env["TOOLWRIGHT_CHROMIUM"] ?? PROGRAMS.find((program) => existsSync(program));
  if (program === undefined) {
    if (process.env["TOOLWRIGHT_REQUIRE_BROWSER"]) throw new Error("there is no Chromium: apt-get install chromium");
    console.error("NO BROWSER TEST HAS RUN: there is no Chromium. Install it, or set TOOLWRIGHT_CHROMIUM.");
  }
  let browser: Browser;
  let served: Served;
  before(async () => {
    if (program === undefined) return;
    served = await start();
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: program, args });
  });
  after(async () => {
    await browser?.close();
    await served?.stop();
  });
  for (const [name, run] of Object.entries(tests)) {
    test(name, { skip: program === undefined }, (context) => visit(context, browser, served.url, run));
  }
}

async function visit(
  context: TestContext,
  browser: Browser,
  url: string,
  run: (visit: Visit) => Promise<void>,
): Promise<void> {
  const window = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce" });
  window.setDefaultTimeout(PATIENCE_MS);
  const page = await window.newPage();
  const refusals: (number | "lost")[] = [];
  const mistakes = listen(page, url);
  try {
    await run({
      page,
      url,
      open: async (place) => {
        await page.goto(`${url}${place}`);
        await page.getByRole("main").waitFor();
      },
      look: (name) => look(page, name),
      expectRefusal: (status) => refusals.push(status),
    });
    assert.deepEqual(withoutExpected(mistakes, refusals), []);
  } catch (error) {
    await page.screenshot({ path: join(PICTURES, `failed-${context.name.replace(/\W+/g, "-")}.png`) });
    if (mistakes.length > 0) console.error(mistakes);
    throw error;
  } finally {
    await window.close();
  }
}

/** What the page says that it should not say, and whatever it asks another host for. */
function listen(page: Page, url: string): string[] {
  const mistakes: string[] = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    mistakes.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => mistakes.push(error.stack ?? error.message));
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !address.startsWith("data:")) mistakes.push(`asks ${address}`);
  });
  return mistakes;
}

/** A status is logged once for each time that it was expected; a server that is gone, as often as it is asked. */
function withoutExpected(mistakes: string[], refusals: (number | "lost")[]): string[] {
  const expected = [...refusals];
  return mistakes.filter((mistake) => {
    if (/net::ERR_/.test(mistake)) return !expected.includes("lost");
    const status = /responded with a status of (\d+)/.exec(mistake)?.[1];
    const place = expected.indexOf(Number(status));
    if (place >= 0) expected.splice(place, 1);
    return place < 0;
  });
}

async function look(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  for (const look of LOOKS) {
    await page.setViewportSize(look.size);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.screenshot({ path: join(PICTURES, `${name}-${look.name}.png`) });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    assert.deepEqual(found, [], `${name}, ${look.name}`);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(beyond <= 0, `${name}, ${look.name}: ${beyond} pixels are beyond the edge`);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
}
