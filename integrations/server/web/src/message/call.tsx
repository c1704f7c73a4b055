// One call of a round: a line with its time, and below it what went in and what came out.

import { useRef, useState } from "react";

import { argumentsLine } from "../json/one_line.ts";
import { JsonView, TextView } from "../json/view.tsx";
import { visibleLine } from "../json/visible.ts";
import { spanText } from "../shell/times.ts";
import { ProgressLine, progressOf } from "./progress.tsx";
import type { Json } from "../api/json_value.ts";
import { Approval, type Deciding } from "./approval.tsx";
import { callState } from "./call_state.ts";
import { Output } from "./output.tsx";
import { QuestionForm } from "./question.tsx";
import type { CallPart, Question } from "../api/messages.ts";
import { toolNameOf } from "./shown.ts";
import { ranMs, type Span } from "./spans.ts";
import { TimeBar } from "./time_bar.tsx";

interface Props {
  part: CallPart;
  question: Question | null;
  spans: readonly Span[];
  extent: { fromMs: number; toMs: number } | null;
  nowMs: number;
  isLive: boolean;
  deciding: Deciding | null;
}

export function Call({ part, question, spans, extent, nowMs, isLive, deciding }: Props) {
  const summary = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const state = callState(part, isLive, question !== null);
  const attempts = 1 + spans.filter((span) => span.kind === "retried").length;
  const ran = ranMs(spans, nowMs);
  const isRunning = part.state === "output-available" && part.preliminary === true && isLive;
  return (
    <li className={`call ${state.tone}`} data-state={part.state}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary ref={summary}>
          <span className="call-name">
            <code>{visibleLine(toolNameOf(part))}</code>
            <code className="call-arguments muted">{argumentsLine(part.input)}</code>
          </span>
          {extent !== null && <TimeBar spans={spans} extent={extent} nowMs={nowMs} />}
          <span className="call-end">
            <span className={`state ${state.tone}`}>{state.word}</span>
            {attempts > 1 && <span className="muted">{attempts} attempts</span>}
            {ran > 0 && <span className="muted time">{spanText(ran)}</span>}
          </span>
        </summary>
        {isOpen && (
          <div className="call-body">
            <h4>Arguments</h4>
            {part.input === undefined ? (
              <p className="muted">None yet.</p>
            ) : (
              <JsonView value={part.input} label={`arguments of ${toolNameOf(part)}`} />
            )}
            {part.state === "output-available" && !part.preliminary && (
              <>
                <h4>Result</h4>
                <Output value={part.output as Json} label={`result of ${toolNameOf(part)}`} />
              </>
            )}
            {part.state === "output-error" && (
              <>
                <h4>Error, as the model reads it</h4>
                <TextView text={part.errorText} label={`error of ${toolNameOf(part)}`} />
              </>
            )}
          </div>
        )}
      </details>
      {isRunning && <ProgressLine said={progressOf(part.output as Json)} isRunning />}
      {part.state === "approval-requested" &&
        (question === null ? (
          <Approval part={part} deciding={deciding} onDecided={() => summary.current?.focus()} />
        ) : (
          <QuestionForm
            // Another question of the same call begins with an empty form.
            key={part.approval.id}
            tool={toolNameOf(part)}
            question={question}
            draft={deciding?.drafts.get(part.approval.id)}
            onDraft={(text) => deciding?.drafts.set(part.approval.id, text)}
            refusal={deciding?.refusal?.approvals.has(part.approval.id) ? deciding.refusal.message : null}
            onAnswer={
              deciding &&
              ((answer) => {
                const said = answer === null ? { approved: false } : { approved: true, reason: answer };
                deciding.decide({ approvalId: part.approval.id, call: part.toolCallId, ...said });
                // The form goes away with the answer, and the focus stays at the call.
                summary.current?.focus();
              })
            }
          />
        ))}
    </li>
  );
}
