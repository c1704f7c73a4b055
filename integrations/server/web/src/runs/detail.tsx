// One run: what it was, its log step by step, and its stream played again.

import { useCallback, useState } from "react";

import { fixturePath, getLog, getRun } from "../api/runs.ts";
import { addressOf } from "../api/request.ts";
import { downloadSignedIn } from "../shell/download.ts";
import { hrefOf } from "../shell/route.ts";
import { Empty, Failed, Loading } from "../shell/status.tsx";
import { Tabs } from "../shell/tabs.tsx";
import { useLoaded } from "../shell/use_loaded.ts";
import { LogSteps } from "./log_steps.tsx";
import { Questions } from "./questions.tsx";
import { Replay } from "./replay.tsx";
import { StatusBadge } from "./status_badge.tsx";
import { Summary } from "./summary.tsx";

/** The time between two looks at a run until it has taken an answer. */
const AGAIN_MS = 700;

export function RunDetail({ id, sequence }: { id: string; sequence: number | null }) {
  const [awaited, setAwaited] = useState(0);
  const run = useLoaded(id, (signal) => getRun(id, signal), awaited > 0 ? AGAIN_MS : null);
  const log = useLoaded(id, (signal) => getLog(id, signal));
  const [reloadRun, reloadLog] = [run.reload, log.reload];
  const reload = useCallback(() => {
    reloadRun();
    reloadLog();
  }, [reloadRun, reloadLog]);
  const awaits = useCallback(
    (more: number) => {
      setAwaited((awaited) => awaited + more);
      reload();
    },
    [reload],
  );
  return (
    <article className="detail wide">
      <a className="back always" href={hrefOf({ area: "runs", id: null, sequence: null })}>
        All runs
      </a>
      <header className="detail-head">
        <h1>
          Run <code className="run-id">{id}</code>
        </h1>
        {run.value && <StatusBadge status={run.value.status} />}
        <div className="filters">
          <button
            type="button"
            onClick={reload}
          >
            Reload
          </button>
          <a className="button" href={addressOf(fixturePath(id))} download onClick={downloadSignedIn("run.jsonl")}>
            Download for a test
          </a>
        </div>
      </header>
      {run.state === "loading" && <Loading what="the run" />}
      {run.state === "failed" && <Failed retry={run.reload}>{run.error}</Failed>}
      {run.value && <Summary run={run.value} />}
      {run.value && <Questions run={run.value} onAwaited={awaits} />}
      <Tabs
        label="Views of the run"
        tabs={[
          {
            id: "log",
            title: "Log",
            content:
              log.value !== null ? (
                <LogSteps run={id} entries={log.value} chosen={sequence} />
              ) : log.error !== null ? (
                <Failed retry={log.reload}>{log.error}</Failed>
              ) : (
                <Loading what="the log" />
              ),
          },
          { id: "replay", title: "Replay", content:
              run.value?.status === "open" ? (
                // Its stream has no end yet.
                <Empty>The run is under way. It can be played when it is over, or when it waits.</Empty>
              ) : (
                <Replay run={id} log={log.value} />
              ) },
        ]}
      />
    </article>
  );
}
