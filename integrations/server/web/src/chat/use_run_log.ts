// The log of the run behind a message: exact times, attempts, and why it ended.

import { useEffect, useState } from "react";

import { getLog } from "../api/runs.ts";
import { finishOfLog, spansOfLog, type RunLog } from "../message/log_spans.ts";

/** The log once the run stands still; `null` before, and for messages of which there is no run. */
export function useRunLog(run: string, isLive: boolean): RunLog | null {
  const [log, setLog] = useState<RunLog | null>(null);
  useEffect(() => {
    if (isLive) {
      setLog(null);
      return undefined;
    }
    const abort = new AbortController();
    getLog(run, abort.signal).then(
      (entries) => {
        if (!abort.signal.aborted) setLog({ spans: spansOfLog(run, entries), finish: finishOfLog(entries) });
      },
      () => {
        // The message shows what its stream said.
      },
    );
    return () => abort.abort();
  }, [run, isLive]);
  return log;
}
