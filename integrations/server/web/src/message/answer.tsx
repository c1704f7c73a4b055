// A message of the assistant: its steps, what was said meanwhile, and how it ended.

import { useMemo, type ReactNode } from "react";

import type { Deciding } from "./approval.tsx";
import type { StreamEnd } from "./clock.ts";
import { Ended } from "./ended.tsx";
import type { ChatMessage } from "../api/messages.ts";
import type { RunLog } from "./log_spans.ts";
import { shownOf } from "./shown.ts";
import type { Spans } from "./spans.ts";
import { Step } from "./step.tsx";
import { UserParts } from "./user_parts.tsx";

interface Props {
  message: ChatMessage;
  isLive: boolean;
  live: Spans;
  log: RunLog | null;
  end: StreamEnd | null;
  deciding: Deciding | null;
  actions?: ReactNode;
}

export function Answer({ message, isLive, live, log, end, deciding, actions }: Props) {
  const shown = useMemo(() => shownOf(message.parts), [message]);
  let rounds = 0;
  return (
    <>
      {shown.segments.map((segment, index) => {
        if (segment.kind === "said") {
          return (
            <div key={index} className="said meanwhile">
              <h3 className="visually-hidden">You, meanwhile</h3>
              <UserParts parts={segment.parts} />
            </div>
          );
        }
        if (segment.calls.length > 0) rounds += 1;
        return (
          <Step
            key={index}
            step={segment}
            questions={shown.questions}
            round={rounds}
            live={live}
            logged={log?.spans ?? null}
            isLive={isLive}
            deciding={deciding}
          />
        );
      })}
      {isLive && shown.segments.length === 0 && <p className="muted">The model reads the question …</p>}
      {!isLive && <Ended shown={shown} finish={log?.finish} end={end} actions={actions} />}
    </>
  );
}
