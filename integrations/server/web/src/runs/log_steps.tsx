// The log of a run, record by record. Arrows move, Home and End go to its ends.

import { useEffect, useMemo, useRef, type KeyboardEvent } from "react";

import type { LogEntry } from "../api/runs.ts";
import { JsonView } from "../json/view.tsx";
import { go } from "../shell/route.ts";
import { Empty } from "../shell/status.tsx";
import { clockText, spanText } from "../shell/times.ts";
import { LogTimeline } from "./log_timeline.tsx";
import { lineOf } from "./record_line.ts";

interface Props {
  run: string;
  entries: LogEntry[];
  chosen: number | null;
}

const KEYS: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowRight: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  ArrowLeft: (index) => index - 1,
  PageDown: (index) => index + 10,
  PageUp: (index) => index - 10,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

export function LogSteps({ run, entries, chosen }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const index = Math.max(0, entries.findIndex((entry) => entry.sequence === chosen));
  const entry = entries[index];
  const startMs = entries[0]?.atMs ?? 0;
  const lines = useMemo(() => entries.map(({ record }) => lineOf(record)), [entries]);

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [index]);

  if (entry === undefined) return <Empty>The log is empty.</Empty>;
  const choose = (next: number) => {
    const clamped = Math.min(entries.length - 1, Math.max(0, next));
    const sequence = entries[clamped]?.sequence ?? null;
    go({ area: "runs", id: run, sequence }, { replace: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = KEYS[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(move(index, entries.length));
  };
  const line = lines[index];

  return (
    <>
      <LogTimeline run={run} entries={entries} atMs={entry.atMs} />
      <div className="log">
        <div
          ref={list}
          className="log-list"
          role="listbox"
          aria-label="Records"
          tabIndex={0}
          aria-activedescendant={`record-${entry.sequence}`}
          onKeyDown={onKeyDown}
        >
          {entries.map(({ sequence, atMs }, at) => (
            <div
              key={sequence}
              id={`record-${sequence}`}
              role="option"
              aria-selected={at === index}
              className={`log-line ${lines[at]?.tone ?? ""}`}
              onClick={() => choose(at)}
            >
              <span className="muted log-number">{sequence}</span>
              <span className="log-title">{lines[at]?.title}</span>
              <span className="muted log-text">{lines[at]?.text}</span>
              <span className="muted time">+{spanText(atMs - startMs)}</span>
            </div>
          ))}
        </div>
        <section className="log-record" aria-labelledby="record-title">
          <div className="actions">
            <h2 id="record-title">
              {entry.sequence}. {line?.title}
            </h2>
            <button type="button" disabled={index === 0} onClick={() => choose(index - 1)}>
              Previous
            </button>
            <button type="button" disabled={index === entries.length - 1} onClick={() => choose(index + 1)}>
              Next
            </button>
          </div>
          <p>{line?.meaning}</p>
          {line?.text && <p className="log-said">{line.text}</p>}
          <p className="muted">
            {clockText(entry.atMs)}, {spanText(entry.atMs - startMs)} after the start
          </p>
          <details>
            <summary>The record as it is stored</summary>
            <JsonView value={entry.record} label={`record ${entry.sequence}`} />
          </details>
        </section>
      </div>
    </>
  );
}
