import assert from "node:assert/strict";
import { test } from "node:test";

import { parseJson } from "../../src/json/parse.ts";

const MISTAKES: [string, number, number, RegExp][] = [
  ["", 1, 1, /a value is missing/],
  ['{"a": 1,}', 1, 9, /no comma may stand before }/],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, /a comma or } is missing/],
  ['{"a" 1}', 1, 6, /a colon is missing/],
  ["{a: 1}", 1, 2, /a name in double quotes/],
  ["[1 2]", 1, 4, /a comma or ] is missing/],
  ["{'a': 1}", 1, 2, /a name in double quotes/],
  ["['a']", 1, 2, /double quotes/],
  ['"never ended', 1, 1, /has no end/],
  ["01", 1, 1, /no number/],
  ["-", 1, 1, /no number/],
  ["[1.]", 1, 2, /no number/],
  ["nul", 1, 1, /a value of JSON/],
  ["{} {}", 1, 4, /nothing may follow/],
  [`${"[".repeat(100_000)}`, 1, 502, /nested too deeply/],
];

test("tells the place of the first mistake", () => {
  for (const [text, line, column, message] of MISTAKES) {
    const { mistake } = parseJson(text);
    assert.ok(mistake !== null, text);
    assert.match(mistake.message, message);
    assert.deepEqual([mistake.line, mistake.column], [line, column], text.slice(0, 40));
  }
});

test("gives the value of a text without a mistake", () => {
  const text = '{"a": [1, -2.5e3, true, false, null, "\\u00e4\\n"], "b": {}}';
  assert.deepEqual(parseJson(text), { value: JSON.parse(text), mistake: null });
});
