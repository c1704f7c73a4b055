// The stream of a run, played again in the view of the chat.

import { useMemo } from "react";

import type { LogEntry } from "../api/runs.ts";
import { Answer } from "../message/answer.tsx";
import { Failed, Loading } from "../shell/status.tsx";
import { finishOfLog, spansOfLog } from "../message/log_spans.ts";
import { SPEEDS, useReplay } from "./use_replay.ts";

export function Replay({ run, log }: { run: string; log: LogEntry[] | null }) {
  const replay = useReplay(run);
  const logged = useMemo(
    () => (log === null ? null : { spans: spansOfLog(run, log), finish: finishOfLog(log) }),
    [run, log],
  );
  const { state } = replay;
  return (
    <section className="replay" aria-labelledby="replay-title">
      <h2 id="replay-title" className="visually-hidden">
        Replay
      </h2>
      <div className="actions">
        <button type="button" className="primary" onClick={replay.isPlaying ? replay.pause : replay.play}>
          {replay.isPlaying ? "Pause" : replay.isAtEnd ? "Play again" : "Play"}
        </button>
        <button type="button" onClick={replay.stepOn} disabled={replay.isPlaying || replay.isAtEnd}>
          One chunk
        </button>
        <label>
          Speed{" "}
          <select value={replay.speed} onChange={(event) => replay.setSpeed(Number(event.target.value))}>
            {SPEEDS.map(({ perSecond, title }) => (
              <option key={perSecond} value={perSecond}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {state.type === "loaded" && (
          <label className="scrub">
            <span className="visually-hidden">Chunk</span>
            <input
              type="range"
              min={0}
              max={state.count}
              value={replay.at}
              onChange={(event) => replay.seek(Number(event.target.value))}
            />
            <span className="muted">
              {replay.at} of {state.count} chunks
            </span>
          </label>
        )}
      </div>
      {state.type === "loading" && <Loading what="the stream" />}
      {state.type === "failed" && <Failed>{state.error}</Failed>}
      {replay.message !== null && (
        <div className="message assistant">
          <Answer
            message={replay.message}
            isLive={!replay.isAtEnd}
            live={replay.clock.spans}
            log={replay.isAtEnd ? logged : null}
            end={replay.clock.endOf(replay.message.id)}
            deciding={null}
          />
        </div>
      )}
    </section>
  );
}
