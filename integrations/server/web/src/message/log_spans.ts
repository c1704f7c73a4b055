// What the log of a run says about its calls and its end.

import { isObject, type Json } from "../api/json_value.ts";
import type { LogEntry } from "../api/runs.ts";
import { advance, type Span, type Spans } from "./spans.ts";

/** The log of a run, in what a message shows of it. */
export interface RunLog {
  spans: Spans;
  finish: Json | undefined;
}

/** The id of a call in the streams of a run. */
export function toolCallId(run: string, call: Json | undefined): string | null {
  return isObject(call) ? `${run}:${String(call["round"])}.${String(call["index"])}` : null;
}

/** When each call of a run waited and ran. An attempt that failed and was made again is `retried`. */
export function spansOfLog(run: string, log: LogEntry[]): Spans {
  const spans = new Map<string, readonly Span[]>();
  let round = 0;
  for (const { record, atMs } of log) {
    if (record.type === "replied" && isObject(record["response"])) {
      const calls = record["response"]["tool_calls"];
      const count = Array.isArray(calls) ? calls.length : 0;
      for (let index = 0; index < count; index += 1) advance(spans, `${run}:${round}.${index}`, "waiting", atMs);
      if (count > 0) round += 1;
      continue;
    }
    const call = toolCallId(run, record["call"]);
    if (call === null) continue;
    switch (record.type) {
      case "call_started":
        advance(spans, call, "running", atMs);
        break;
      case "call_delayed":
        if (isRetry(record["why"])) markRetried(spans, call);
        advance(spans, call, "waiting", atMs);
        break;
      case "call_finished":
        advance(spans, call, null, atMs);
        break;
    }
  }
  return spans;
}

function isRetry(why: Json | undefined): boolean {
  return why === "retry" || (isObject(why) && (why["type"] === "retry" || why["retry"] !== undefined));
}

function markRetried(spans: Map<string, readonly Span[]>, call: string): void {
  const before = spans.get(call) ?? [];
  spans.set(
    call,
    before.map((span) => (span.toMs === null && span.kind === "running" ? { ...span, kind: "retried" } : span)),
  );
}

/** The end of a run, if its log has it. */
export function finishOfLog(log: LogEntry[]): Json | undefined {
  return log.findLast(({ record }) => record.type === "finished")?.record["finish"];
}
