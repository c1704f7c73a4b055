// The status of a run, and what it means.

import type { RunStatus } from "../api/runs.ts";

const MEANINGS: Record<RunStatus, { tone: string; meaning: string }> = {
  open: { tone: "busy", meaning: "It is under way, or its program is gone and it can be resumed." },
  suspended: { tone: "warn", meaning: "It waits for people or for the application." },
  parked: { tone: "warn", meaning: "It waits to be driven again." },
  finished: { tone: "good", meaning: "It is over." },
  abandoned: { tone: "bad", meaning: "It was given up." },
};

export function StatusBadge({ status }: { status: RunStatus }) {
  const { tone, meaning } = MEANINGS[status] ?? { tone: "", meaning: "" };
  return (
    <span className={`badge ${tone}`} title={meaning}>
      {status}
    </span>
  );
}
