// The runs, a page at a time.

import { useState } from "react";

import { getRuns, STATUSES, type RunStatus } from "../api/runs.ts";
import { oneLine } from "../json/one_line.ts";
import { endingOf } from "../message/finish.ts";
import { hrefOf } from "../shell/route.ts";
import { Empty, Failed, Loading } from "../shell/status.tsx";
import { shortTime, spanText } from "../shell/times.ts";
import { useLoaded } from "../shell/use_loaded.ts";
import { StatusBadge } from "./status_badge.tsx";
import { useDelayed } from "./use_delayed.ts";

/** The time between two looks at the runs, while the page is looked at. */
const REFRESH_MS = 3000;

export function RunList() {
  const [status, setStatus] = useState<RunStatus | "">("");
  const [search, setSearch] = useState("");
  /** Where each page before this one began. */
  const [pages, setPages] = useState<(string | null)[]>([null]);
  const q = useDelayed(search, 250);
  const after = pages.at(-1) ?? null;
  const runs = useLoaded(JSON.stringify([status, q, after]), (signal) => getRuns({ status, q }, after, signal), REFRESH_MS);
  const restart = () => setPages([null]);

  return (
    <article className="detail wide">
      <header className="detail-head">
        <h1>Runs</h1>
        <div className="filters">
          <label>
            Status{" "}
            <select
              value={status}
              onChange={(event) => {
                setStatus(event.target.value as RunStatus | "");
                restart();
              }}
            >
              <option value="">all</option>
              {STATUSES.map((status) => (
                <option key={status}>{status}</option>
              ))}
            </select>
          </label>
          <label className="search">
            <span className="visually-hidden">Search the runs</span>
            <input
              type="search"
              value={search}
              placeholder="Search question, chat or id"
              onChange={(event) => {
                setSearch(event.target.value);
                restart();
              }}
            />
          </label>
          <button type="button" onClick={runs.reload}>
            Reload
          </button>
        </div>
      </header>
      {runs.state === "loading" && <Loading what="the runs" />}
      {runs.state === "failed" && <Failed retry={runs.reload}>{runs.error}</Failed>}
      {runs.value !== null && runs.value.items.length === 0 && <Empty>There is no such run.</Empty>}
      {runs.value !== null && runs.value.items.length > 0 && (
        <ul className="runs" aria-label="Runs">
          {runs.value.items.map((run) => (
            <li key={run.id}>
              <a href={hrefOf({ area: "runs", id: run.id, sequence: null })}>
                <span className="run-question">{run.question ? oneLine(run.question, 160) : "No text"}</span>
                <StatusBadge status={run.status} />
                <span className="muted">{endingOf(run.finish)?.text}</span>
                <span className="muted time">
                  {shortTime(run.createdMs)}
                  {run.endedMs !== null && `, ${spanText(run.endedMs - run.createdMs)}`}
                </span>
              </a>
              <p className="run-more muted">
                <code className="run-id">{run.id}</code>
                {run.labels["chat"] !== undefined && (
                  <a href={hrefOf({ area: "chat", id: run.labels["chat"] })}>
                    Chat<span className="visually-hidden"> of {oneLine(run.question ?? run.id, 60)}</span>
                  </a>
                )}
                {run.owner !== null && <span>Owner {run.owner}</span>}
                <span>{run.entries} records</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      <nav className="actions" aria-label="Pages">
        <button type="button" disabled={pages.length === 1} onClick={() => setPages(pages.slice(0, -1))}>
          Newer
        </button>
        <span className="muted">Page {pages.length}</span>
        <button
          type="button"
          disabled={!runs.value?.next}
          onClick={() => setPages([...pages, runs.value?.next ?? null])}
        >
          Older
        </button>
      </nav>
    </article>
  );
}
