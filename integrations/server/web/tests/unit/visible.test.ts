import assert from "node:assert/strict";
import { test } from "node:test";

import { argumentsLine, oneLine } from "../../src/json/one_line.ts";
import { visible, visibleLine } from "../../src/json/visible.ts";
import { isLink } from "../../src/message/links.ts";

/** The cases of `core/src/visible.rs`. */
test("what cannot be seen is written out", () => {
  for (const [text, shown] of [
    [`plain "text" 'so' \\d`, `plain "text" 'so' \\d`],
    ["a\u202eb", "a\\u{202e}b"],
    ["a\r\nb", "a\\u{d}\nb"],
    ["ends. \nhere ", "ends.\\u{20}\nhere\\u{20}"],
    ["\u3164\u115f\u2800", "\\u{3164}\\u{115f}\\u{2800}"],
    ["ภาษา ที่ हिन्दी é e\u0301 🦀", "ภาษา ที่ हिन्दी é e\u0301 🦀"],
    ["\u00a0", "\\u{a0}"],
    ["\\u{202e}", "\\u{5c}u{202e}"],
    ["\u{e0041}", "\\u{e0041}"],
  ] as const) {
    assert.equal(visible(text), shown);
  }
  assert.equal(visibleLine("a\nb"), "a\\u{a}b");
});

test("every character of these categories is written out, and the others stay", () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const isUnseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character) && !" \n\t".includes(character);
    const text = `a${character}b`;
    assert.equal(visible(text), isUnseen ? `a\\u{${code.toString(16)}}b` : text);
  }
});

test("arguments in one line show what cannot be seen", () => {
  assert.equal(argumentsLine({ path: "\u202etxt.exe" }), `path: "\\u{202e}txt.exe"`);
  assert.equal(oneLine("a\u200bb"), "a\\u{200b}b");
});

test("only http and https become links", () => {
  for (const address of ["https://a.example", "http://a.example/b", "HTTPS://A"]) assert.ok(isLink(address));
  const others = ["javascript:alert(1)", "data:text/html,a", "/tools", "#runs", "//a.example", "file:///a", "mailto:a@b", undefined];
  for (const address of others) assert.ok(!isLink(address), String(address));
});
