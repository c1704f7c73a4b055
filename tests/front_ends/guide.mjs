// The code of the guide's page about front ends and of the page that it explains, and what they promise.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const page = readFileSync("front_ends.md", "utf8");
const blocks = Array.from(page.matchAll(/^```js\n(.*?)^```$/gms), ([, code]) => code);
writeFileSync("guide_code.mjs", blocks.join("\n"));

export const guide = { ...(await import("./guide_code.mjs")), ...(await import("./parts.ts")) };

export async function check() {
  const { visible, filePart, progressOf, resumeIfLost, questionOf, askAgain } = guide;
  // The cases of `core/src/visible.rs`.
  for (const [text, shown] of [
    ["a\u202eb", "a\\u{202e}b"],
    ["a\r\nb", "a\\u{d}\nb"],
    ["ends. \nhere ", "ends.\\u{20}\nhere\\u{20}"],
    ["\u3164\u115f\u2800\u200b", "\\u{3164}\\u{115f}\\u{2800}\\u{200b}"],
    ["e\u0301 🦀", "e\u0301 🦀"],
    ["\\u{202e}", "\\u{5c}u{202e}"],
  ]) {
    assert.equal(visible(text), shown);
  }
  const part = await filePart(new Blob([new Uint8Array([0x89, 0x50])], { type: "image/png" }));
  assert.deepEqual(part, { type: "file", mediaType: "image/png", url: "data:image/png;base64,iVA=" });
  // An answer that was refused is asked for again, and an approval beside it stays.
  const call = (id, type = "tool-a") => ({ type, state: "approval-responded", approval: { id, approved: true, reason: "{}" } });
  const data = { message: "Which?" };
  const refused = { messages: [{ parts: [call("1"), { type: "data-question", id: "1", data }, call("2")] }] };
  askAgain(refused);
  const [{ parts }] = refused.messages;
  assert.deepEqual([parts[0].state, parts[0].approval], ["approval-requested", { id: "1" }]);
  assert.deepEqual(parts.slice(1), [{ type: "data-question", id: "1", data }, call("2")]);
  assert.deepEqual([questionOf(refused.messages[0], parts[0]), questionOf(refused.messages[0], parts[2])], [data, null]);
  const output = { progress: 1, total: 3, message: "copying" };
  assert.equal(progressOf({ state: "output-available", preliminary: true, output }), "copying 1 of 3");
  assert.equal(progressOf({ state: "output-available", output }), null);
  // A page calls it for each error, and so for those of its own tries: a server that is down is not flooded.
  let tries = 0;
  const calls = [];
  const lost = () => {
    chat.error = tries < 100 ? new TypeError("network error") : undefined;
    calls.push(resumeIfLost(chat, undefined, async () => {}));
  };
  const chat = { resumeStream: async () => lost((tries += 1)) };
  lost();
  for (const call of calls) await call;
  assert.equal(tries, 10);
  // The user has asked something else meanwhile.
  const busy = { error: new TypeError("network error"), resumeStream: () => assert.fail("it is read already") };
  await resumeIfLost(busy, undefined, async () => (busy.error = undefined));
}
