// What the calls of a run ask: a run without a chat has no other place where a person answers.

import { useEffect, useState } from "react";

import { messageOf } from "../api/request.ts";
import { answerQuestion, type PendingCall, type RunDetails } from "../api/runs.ts";
import { parseJson } from "../json/parse.ts";
import { QuestionForm } from "../message/question.tsx";

/** It is told how many more answers the run has to take: one, or one less. */
export type OnAwaited = (more: 1 | -1) => void;

export function Questions({ run, onAwaited }: { run: RunDetails; onAwaited: OnAwaited }) {
  return (run.pending ?? []).map((call) =>
    call.question === null ? null : (
      <Asked key={`${call.call} ${call.asked}`} run={run.id} call={call} question={call.question} onAwaited={onAwaited} />
    ),
  );
}

interface AskedProps {
  run: string;
  call: PendingCall;
  question: NonNullable<PendingCall["question"]>;
  onAwaited: OnAwaited;
}

function Asked({ run, call, question, onAwaited }: AskedProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isAnswered, setAnswered] = useState(false);
  useEffect(() => {
    if (!isAnswered) return undefined;
    onAwaited(1);
    return () => onAwaited(-1);
  }, [isAnswered, onAwaited]);
  const answer = (answer: string | null) => {
    const { mistake } = parseJson(answer ?? "null");
    if (mistake !== null) {
      setRefusal("The answer is no JSON yet.");
      return;
    }
    setRefusal(null);
    answerQuestion(run, call, answer).then(() => setAnswered(true), (error: unknown) => setRefusal(messageOf(error)));
  };
  if (isAnswered) return <p role="status">The call has its answer, and goes on.</p>;
  return <QuestionForm tool={call.tool} question={question} refusal={refusal} onAnswer={answer} />;
}
