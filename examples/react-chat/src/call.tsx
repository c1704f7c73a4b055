// One call: its arguments, its progress, its decision and its result.
import { getToolName, type DynamicToolUIPart, type ToolUIPart } from "ai";
import type { MouseEvent } from "react";

import { progressOf, visible } from "./parts.ts";

const WORDS: Record<string, string> = {
  "input-streaming": "is being written",
  "input-available": "runs",
  "approval-requested": "waits for you",
  "approval-responded": "is decided",
  "output-available": "is done",
  "output-error": "failed",
  "output-denied": "was denied",
};

type Props = {
  part: ToolUIPart | DynamicToolUIPart;
  /** `null` where the call has a question, which no approval answers. */
  decide: ((approval: string, approved: boolean) => void) | null;
};

export function Call({ part, decide }: Props) {
  const progress = progressOf(part);
  // The button goes away, and the focus stays at the call.
  const click = (approved: boolean) => (event: MouseEvent<HTMLElement>) => {
    if (part.state !== "approval-requested") return;
    event.currentTarget.parentElement?.focus();
    decide?.(part.approval.id, approved);
  };
  return (
    <div className="call" role="group" aria-label={getToolName(part)} tabIndex={-1}>
      <b>{getToolName(part)}</b> {progress === null ? WORDS[part.state] : `runs: ${progress}`}
      {/* With what cannot be seen: who decides must not miss a character. */}
      {part.input !== undefined && <pre>{visible(JSON.stringify(part.input, null, 2))}</pre>}
      {part.state === "approval-requested" && decide && (
        <>
          <button onClick={click(true)}>Approve</button>{" "}
          <button onClick={click(false)}>Deny</button>
        </>
      )}
      {part.state === "output-available" && progress === null && <pre>{JSON.stringify(part.output)}</pre>}
      {part.state === "output-error" && <pre>{part.errorText}</pre>}
    </div>
  );
}
