// The calls of one response of the model, side by side on a time line.

import { useState } from "react";

import { spanText } from "../shell/times.ts";
import type { Deciding } from "./approval.tsx";
import { Call } from "./call.tsx";
import { callState, type CallState } from "./call_state.ts";
import type { CallPart } from "../api/messages.ts";
import { extentOf, isOver, type Span, type Spans } from "./spans.ts";
import { Legend } from "./legend.tsx";
import { questionOf, type Questions } from "./shown.ts";
import { useNow } from "./use_now.ts";

interface Props {
  number: number;
  calls: CallPart[];
  questions: Questions;
  /** From the stream as it came. */
  live: Spans;
  /** From the log of the run, once it is there. */
  logged: Spans | null;
  isLive: boolean;
  deciding: Deciding | null;
}

const NONE: readonly Span[] = [];

export function Round({ number, calls, questions, live, logged, isLive, deciding }: Props) {
  const asked = calls.map((call) => questionOf(call, questions));
  const states = calls.map((call, index) => callState(call, isLive, asked[index] !== null));
  const isDone = states.every((state) => state.isOver);
  const [isOpen, setOpen] = useState(true);
  const now = useNow(isLive && !isDone);
  // The clocks of the server and of the browser differ: a round shows times of one of them.
  const isLogged = logged !== null && calls.every((call) => isOver(logged.get(call.toolCallId)));
  const source = isLogged ? logged : live;
  const spans = calls.map((call) => source.get(call.toolCallId) ?? NONE);
  const extent = extentOf(spans, now);
  return (
    <details className="round" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>Round {number}</h3>
        <span className="muted">{countText(calls.length, states)}</span>
        <Legend spans={spans} />
        {extent !== null && <span className="muted time">{spanText(extent.toMs - extent.fromMs)}</span>}
      </summary>
      <ul className="calls">
        {calls.map((call, index) => (
          <Call
            key={call.toolCallId}
            part={call}
            question={asked[index] ?? null}
            spans={spans[index] ?? NONE}
            extent={extent}
            nowMs={now}
            isLive={isLive}
            deciding={deciding}
          />
        ))}
      </ul>
    </details>
  );
}

function countText(count: number, states: CallState[]): string {
  const counted = (is: (state: CallState) => boolean, what: string) => {
    const found = states.filter(is).length;
    return found > 0 ? [`${found} ${what}`] : [];
  };
  return [
    count === 1 ? "1 call" : `${count} calls`,
    ...counted((state) => state.tone === "busy", "under way"),
    ...counted((state) => state.word === "needs approval" || state.word === "asks you", "waiting for you"),
    ...counted((state) => state.word === "failed", "failed"),
  ].join(", ");
}
