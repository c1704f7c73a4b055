// What a screen reader is told of a chat: what changes in it, and not each word.

import type { ChatMessage } from "../api/messages.ts";
import { shownOf } from "../message/shown.ts";

export function spokenState(last: ChatMessage | undefined, isRunning: boolean, isWaiting: boolean): string {
  if (last === undefined) return "";
  if (isWaiting) return "A call waits for your approval.";
  if (!isRunning) return last.role === "assistant" ? "The answer is complete." : "";
  if (last.role === "user") return "The model reads the question.";
  const step = shownOf(last.parts).segments.at(-1);
  if (step?.kind !== "step" || step.calls.length === 0) return "The model writes.";
  return step.calls.length === 1 ? "A tool runs." : `${step.calls.length} tools run.`;
}
