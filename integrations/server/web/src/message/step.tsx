// One response of the model: its reasoning, its text and its images, then the round of its calls.

import type { Deciding } from "./approval.tsx";
import type { Questions, Step as StepParts } from "./shown.ts";
import { RichText } from "./rich_text.tsx";
import { Round } from "./round.tsx";
import type { Spans } from "./spans.ts";

interface Props {
  step: StepParts;
  questions: Questions;
  round: number;
  live: Spans;
  logged: Spans | null;
  isLive: boolean;
  deciding: Deciding | null;
}

export function Step({ step, questions, round, live, logged, isLive, deciding }: Props) {
  return (
    <>
      {step.pieces.map((piece, index) => {
        if (piece.type === "text") return <RichText key={index} text={piece.text} isLive={piece.state === "streaming"} />;
        if (piece.type === "file") return <img key={index} src={piece.url} alt="Image of the model" />;
        if (piece.type !== "reasoning" || piece.text.trim() === "") return null;
        return (
          <details key={index} className="reasoning">
            <summary>{piece.state === "streaming" ? "Reasoning …" : "Reasoning"}</summary>
            <p>{piece.text}</p>
          </details>
        );
      })}
      {step.calls.length > 0 && (
        <Round
          number={round}
          calls={step.calls}
          questions={questions}
          live={live}
          logged={logged}
          isLive={isLive}
          deciding={deciding}
        />
      )}
    </>
  );
}
