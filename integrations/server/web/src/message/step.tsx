// One response of the model: its reasoning, its text and its images, then the round of its calls.

import type { Decide } from "./approval.tsx";
import type { Step as StepParts } from "./shown.ts";
import { RichText } from "./rich_text.tsx";
import { Round } from "./round.tsx";
import type { Spans } from "./spans.ts";

interface Props {
  step: StepParts;
  round: number;
  live: Spans;
  logged: Spans | null;
  isLive: boolean;
  decide: Decide | null;
}

export function Step({ step, round, live, logged, isLive, decide }: Props) {
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
        <Round number={round} calls={step.calls} live={live} logged={logged} isLive={isLive} decide={decide} />
      )}
    </>
  );
}
