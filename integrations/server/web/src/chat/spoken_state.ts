// What a screen reader is told of a chat: what changes in it, and not each word.

import { isToolUIPart } from "ai";

import type { ChatMessage } from "../api/messages.ts";
import { shownOf } from "../message/shown.ts";

export interface ChatState {
  isRunning: boolean;
  isLost: boolean;
  hasFailed: boolean;
  /** The calls that wait for a decision. */
  waiting: number;
  /** As the stream of the last message said; `null` of a message that was loaded. */
  finishReason: string | null;
}

export function spokenState(last: ChatMessage | undefined, state: ChatState): string {
  if (last === undefined) return "";
  if (state.isLost) return "The connection is lost. The page tries again.";
  if (state.waiting > 0 && !state.isRunning) return waitingText(state.waiting);
  if (!state.isRunning) return last.role === "assistant" && !state.hasFailed ? endText(last, state.finishReason) : "";
  if (last.role === "user") return "The model reads the question.";
  const step = shownOf(last.parts).segments.at(-1);
  if (step?.kind !== "step" || step.calls.length === 0) return "The model writes.";
  return step.calls.length === 1 ? "A tool runs." : `${step.calls.length} tools run.`;
}

export function waitingText(waiting: number): string {
  return waiting === 1 ? "A call waits for your decision." : `${waiting} calls wait for your decision.`;
}

/** What is complete is said to be: no answer that a limit, a failure or the user has ended, and none that waits. */
function endText(last: ChatMessage, finishReason: string | null): string {
  const { failure, limit } = shownOf(last.parts);
  if (failure !== null) return `The answer has ended early. ${failure.message}`;
  if (limit !== null) return `The answer has ended early. ${limit.message}`;
  if (finishReason === "cancelled") return "The answer was cancelled.";
  const isOpen = last.parts.some((part) => isToolUIPart(part) && !OVER.has(part.state));
  if (isOpen) return "The run waits.";
  return finishReason === null || finishReason === "stop" ? "The answer is complete." : "The answer has ended early.";
}

const OVER = new Set(["output-available", "output-error", "output-denied"]);
