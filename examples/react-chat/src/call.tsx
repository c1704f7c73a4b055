// One call: its arguments, its progress, its decision and its result.
import { getToolName, type DynamicToolUIPart, type ToolUIPart } from "ai";

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

type Props = { part: ToolUIPart | DynamicToolUIPart; decide: (approval: string, approved: boolean) => void };

export function Call({ part, decide }: Props) {
  const progress = progressOf(part);
  return (
    <div className="call" role="group" aria-label={getToolName(part)}>
      <b>{getToolName(part)}</b> {progress === null ? WORDS[part.state] : `runs: ${progress}`}
      {/* With what cannot be seen: who decides must not miss a character. */}
      {part.input !== undefined && <pre>{visible(JSON.stringify(part.input, null, 2))}</pre>}
      {part.state === "approval-requested" && (
        <>
          <button onClick={() => decide(part.approval.id, true)}>Approve</button>{" "}
          <button onClick={() => decide(part.approval.id, false)}>Deny</button>
        </>
      )}
      {part.state === "output-available" && progress === null && <pre>{JSON.stringify(part.output)}</pre>}
      {part.state === "output-error" && <pre>{part.errorText}</pre>}
    </div>
  );
}
