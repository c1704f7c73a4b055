// The calls of a run on one time line, with a mark where the chosen record stands.

import { useMemo } from "react";

import { isObject } from "../api/json_value.ts";
import type { LogEntry } from "../api/runs.ts";
import { Legend } from "../message/legend.tsx";
import { TimeBar } from "../message/time_bar.tsx";
import { ranMs } from "../message/spans.ts";
import { argumentsLine } from "../json/one_line.ts";
import { spanText } from "../shell/times.ts";
import { spansOfLog } from "../message/log_spans.ts";

interface Props {
  run: string;
  entries: LogEntry[];
  atMs: number;
}

export function LogTimeline({ run, entries, atMs }: Props) {
  const spans = useMemo(() => spansOfLog(run, entries), [run, entries]);
  const calls = useMemo(() => callsOf(run, entries), [run, entries]);
  const fromMs = entries[0]?.atMs ?? 0;
  const toMs = Math.max(fromMs + 1, entries.at(-1)?.atMs ?? 0);
  if (calls.length === 0) return null;
  const x = ((atMs - fromMs) / (toMs - fromMs)) * 100;
  return (
    <figure className="timeline" aria-label="Calls of the run in time">
      <figcaption>
        <Legend spans={calls.map(({ id }) => spans.get(id) ?? [])} />
      </figcaption>
      {calls.map(({ id, name, input }) => (
        <div key={id} className="timeline-row">
          <span className="call-name">
            <code>{name}</code>
            <code className="call-arguments muted">{input}</code>
          </span>
          <span className="timeline-bar">
            <TimeBar spans={spans.get(id) ?? []} extent={{ fromMs, toMs }} nowMs={toMs} />
            <svg className="time-mark" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <line x1={x} x2={x} y1="0" y2="10" />
            </svg>
          </span>
          <span className="muted time">{spanText(ranMs(spans.get(id) ?? [], toMs))}</span>
        </div>
      ))}
    </figure>
  );
}

interface CallLine {
  id: string;
  name: string;
  input: string;
}

function callsOf(run: string, entries: LogEntry[]): CallLine[] {
  const found: CallLine[] = [];
  let round = 0;
  for (const { record } of entries) {
    const calls = record.type === "replied" && isObject(record["response"]) ? record["response"]["tool_calls"] : null;
    if (!Array.isArray(calls) || calls.length === 0) continue;
    calls.forEach((call, index) => {
      if (!isObject(call)) return;
      found.push({ id: `${run}:${round}.${index}`, name: String(call["name"]), input: inputOf(call["arguments"]) });
    });
    round += 1;
  }
  return found;
}

/** The log has arguments as the text that the model wrote. */
function inputOf(text: unknown): string {
  if (typeof text !== "string") return argumentsLine(text);
  try {
    return argumentsLine(JSON.parse(text));
  } catch {
    return text;
  }
}
