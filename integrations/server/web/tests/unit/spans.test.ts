import assert from "node:assert/strict";
import { test } from "node:test";

import type { LogEntry, LogRecord } from "../../src/api/runs.ts";
import { finishOfLog, spansOfLog } from "../../src/message/log_spans.ts";
import { extentOf, ranMs } from "../../src/message/spans.ts";

const call = { round: 0, index: 0 };
const records: LogRecord[] = [
  { type: "started" },
  { type: "replied", response: { tool_calls: [{}, {}] } },
  { type: "call_started", call },
  { type: "call_delayed", call, why: { type: "retry", error: {} } },
  { type: "call_resumed", call },
  { type: "call_started", call },
  { type: "call_finished", call },
  { type: "finished", finish: { type: "answered" } },
];
const log: LogEntry[] = records.map((record, sequence) => ({ sequence, atMs: sequence * 100, record }));

test("shows an attempt that was made again, and the wait between", () => {
  const spans = spansOfLog("r", log).get("r:0.0") ?? [];
  const shown = spans.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs]);
  assert.deepEqual(shown, [
    ["waiting", 100, 200],
    ["retried", 200, 300],
    ["waiting", 300, 500],
    ["running", 500, 600],
  ]);
  assert.equal(ranMs(spans, 600), 200);
  assert.deepEqual(extentOf([spans], 600), { fromMs: 100, toMs: 600 });
});

test("a call without a result goes on", () => {
  const spans = spansOfLog("r", log).get("r:0.1") ?? [];
  assert.deepEqual(spans, [{ kind: "waiting", fromMs: 100, toMs: null }]);
});

test("finds the end of a run", () => {
  assert.deepEqual(finishOfLog(log), { type: "answered" });
  assert.equal(finishOfLog(log.slice(0, 3)), undefined);
});
