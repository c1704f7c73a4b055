import assert from "node:assert/strict";
import { test } from "node:test";

import { EventParser } from "../../src/api/sse.ts";

const TEXT =
  ": a comment\r\n\r\nevent: progress\r\nid: 7\r\ndata: {\"a\":1}\r\n\r\n" +
  "data: first\ndata: second\n\nevent: nothing\n\ndata\n\nretry: 5\ndata:no space\n\ndata: never ended";

const EVENTS = [
  { event: "progress", data: '{"a":1}', id: "7" },
  { event: "message", data: "first\nsecond", id: "7" },
  { event: "message", data: "", id: "7" },
  { event: "message", data: "no space", id: "7" },
];

test("reads fields, comments, several lines of data and no event without its end", () => {
  assert.deepEqual(new EventParser().push(TEXT), EVENTS);
});

test("reads the same wherever the text is cut", () => {
  for (let cut = 0; cut <= TEXT.length; cut += 1) {
    const parser = new EventParser();
    const events = [...parser.push(TEXT.slice(0, cut)), ...parser.push(TEXT.slice(cut))];
    assert.deepEqual(events, EVENTS, `cut at ${cut}`);
  }
  const parser = new EventParser();
  assert.deepEqual([...TEXT].flatMap((letter) => parser.push(letter)), EVENTS);
});

test("leaves out a mark at the beginning, also in a piece of its own", () => {
  const parser = new EventParser();
  assert.deepEqual(parser.push("\uFEFF"), []);
  assert.deepEqual(parser.push("data: x\n\n"), [{ event: "message", data: "x", id: "" }]);
});
