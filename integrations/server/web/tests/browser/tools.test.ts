// A person looks for a tool, reads what it is, and tries it.

import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import { inBrowser } from "./browser.ts";

const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click();
const json = (page: Page) => page.getByLabel("As JSON");
const result = (page: Page) => page.getByRole("region", { name: "Result" });
const error = (page: Page) => page.getByRole("region", { name: "Error" });

inBrowser({
  "a tool is found by a word of its description": async ({ page, open, look }) => {
    await open("#/tools");
    await page.getByRole("heading", { name: "get_weather" }).waitFor();
    await page.getByRole("searchbox").fill("seat train");
    const found = page.getByRole("complementary", { name: "Tools" }).getByRole("link");
    await page.getByText("1 of 7 tools").waitFor({ state: "attached" });
    assert.deepEqual(await found.count(), 1);
    await found.click();
    await page.getByRole("heading", { name: "book_seat" }).waitFor();
    await page.getByText("somebody approves each call before it starts").waitFor();
    await look("tools-found");
  },

  "a call with good arguments": async ({ page, open, look }) => {
    await open("#/tools/get_weather");
    await page.getByLabel("city").fill("Oslo");
    assert.deepEqual(JSON.parse(await json(page).inputValue()), { city: "Oslo" });
    await run(page);
    await result(page).getByText('"celsius": 4').waitFor();
    await result(page).getByRole("heading", { name: "The model reads" }).waitFor();
    await look("tools-result");
  },

  "a call with bad arguments, as the model and the log read it": async ({ page, open, look }) => {
    await open("#/tools/get_weather");
    await json(page).fill('{"city": 5}');
    await run(page);
    await error(page).getByText("invalidArguments").first().waitFor();
    await error(page).getByLabel("The model reads").getByText("arguments.city").waitFor();
    await look("tools-bad-arguments");

    await json(page).fill('{"city": "Atlantis"}');
    await run(page);
    await error(page).getByLabel("The model reads").getByText("no weather station in Atlantis").waitFor();
    await error(page).getByLabel("The log reads").getByText("unknown city").waitFor();
  },

  "text that is no JSON": async ({ page, open, look }) => {
    await open("#/tools/get_weather");
    await json(page).fill('{\n  "city": "Oslo",\n}');
    await page.getByText("Line 3, column 1: no comma may stand before }.").waitFor();
    await look("tools-no-json");
    // It is sent as it stands, as a model would write it.
    await json(page).press("Control+Enter");
    await error(page).getByLabel("The model reads").waitFor();
  },

  "the form and the JSON are the same": async ({ page, open, look }) => {
    await open("#/tools/suggest_clothes");
    await page.getByRole("button", { name: /^Add/ }).click();
    await page.getByLabel("city").fill("Cairo");
    await page.getByLabel("celsius").fill("31.5");
    await page.getByLabel("sky").selectOption("sunny");
    const cairo = { city: "Cairo", celsius: 31.5, sky: "sunny" };
    assert.deepEqual(JSON.parse(await json(page).inputValue()), { places: [cairo] });
    await json(page).fill(JSON.stringify({ places: [cairo, { ...cairo, city: "Oslo" }] }));
    const cities = page.getByLabel("city");
    await cities.nth(1).waitFor();
    assert.equal(await cities.nth(1).inputValue(), "Oslo");
    await look("tools-form");
    await run(page);
    await result(page).getByText("Cairo: a hat").first().waitFor();
  },

  "numbers keep all their digits": async ({ page, open }) => {
    await open("#/tools/note");
    await json(page).fill('{"text": 12345678901234567890}');
    assert.equal(await json(page).inputValue(), '{"text": 12345678901234567890}');
    const sent = page.waitForRequest((request) => request.url().endsWith("/call"));
    await page.getByRole("button", { name: "Run", exact: true }).click();
    assert.match((await sent).postData() ?? "", /12345678901234567890/);
    await error(page).waitFor();
  },

  "progress while a call runs": async ({ page, open, look }) => {
    await open("#/tools/measure_air");
    await page.getByLabel("city").fill("Lima");
    await run(page);
    await page.getByText("drawing a sample").waitFor();
    await look("tools-progress");
    await result(page).getByText("The air of Lima is clean.").first().waitFor();
    await page.getByText("messages of progress").waitFor();
  },

  "a call that is stopped": async ({ page, open }) => {
    await open("#/tools/measure_air");
    await page.getByLabel("city").fill("Lima");
    await run(page);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    assert.equal(await result(page).count(), 0);
  },

  "a tool that writes asks first": async ({ page, open, look, expectRefusal }) => {
    await open("#/tools/note");
    await page.getByLabel("text").fill("I leave at eight.");
    const dialog = page.getByRole("dialog");
    expectRefusal(409);
    await run(page);
    await dialog.getByText("I leave at eight.").waitFor();
    await look("tools-asks");
    await dialog.getByRole("button", { name: "Do not run" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await result(page).count(), 0);

    expectRefusal(409);
    await run(page);
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    expectRefusal(409);
    await run(page);
    await dialog.getByRole("button", { name: "Run it" }).click();
    await result(page).getByText("noted: I leave at eight.").first().waitFor();
  },

  "nobody approves where the application does": async ({ page, open, look, expectRefusal }) => {
    // As a server without `self_approval` refuses.
    await page.route("**/call", async (route) => {
      const response = await route.fetch();
      if (response.status() !== 409) return route.fulfill({ response });
      const json = (await response.json()) as { error: object };
      return route.fulfill({ response, json: { error: { ...json.error, selfApproval: false } } });
    });
    await open("#/tools/note");
    await page.getByLabel("text").fill("I leave at eight.");
    expectRefusal(409);
    await run(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The application decides about calls of this tool.").waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Run it" }).count(), 0);
    await look("tools-application-asks");
    await dialog.getByRole("button", { name: "Ask the application" }).click();
    await dialog.waitFor({ state: "detached" });
  },

  "what providers are sent, and the prompt lock": async ({ page, open, look }) => {
    await open("#/tools/pack_bag");
    await page.getByRole("tab", { name: "Parameters" }).click();
    await page.getByText("at least 1, at most 30").waitFor();
    await page.getByRole("tab", { name: "What providers are sent" }).click();
    const providers = page.getByRole("tablist", { name: "Providers" });
    await providers.getByRole("tab").first().focus();
    await page.keyboard.press("ArrowRight");
    await providers.getByRole("tab", { selected: true }).nth(0).waitFor();
    assert.equal(await providers.getByRole("tab").nth(1).getAttribute("aria-selected"), "true");
    await look("tools-providers");
    await page.getByRole("tab", { name: "Prompt lock" }).click();
    await page.getByLabel("prompt lock", { exact: true }).getByText("pack_bag").waitFor();
  },

  "all of it with the keyboard": async ({ page, open }) => {
    await open("#/tools");
    await page.getByRole("searchbox").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to the content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
    await page.keyboard.press("Tab");
    await page.keyboard.type("weather in a city");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/get_weather/);
    await page.getByLabel("city").focus();
    await page.keyboard.type("Oslo");
    await page.keyboard.press("Enter");
    await result(page).waitFor();
  },
});
