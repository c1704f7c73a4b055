// A message of a chat in the pieces in which it is shown: steps of the model with their calls, and what the user said
// meanwhile.

import { isToolUIPart } from "ai";

import type { JsonObject } from "../api/json_value.ts";
import type { CallPart, ChatData, ChatMessage, Part, Piece, Question, Usage, UserPart } from "../api/messages.ts";

export interface Step {
  kind: "step";
  number: number;
  /** What the model wrote, in order. */
  pieces: Piece[];
  calls: CallPart[];
}

export interface Said {
  kind: "said";
  id: string;
  parts: UserPart[];
}

export type Questions = ReadonlyMap<string, Question>;

export interface Shown {
  segments: (Step | Said)[];
  /** The questions of calls, by the ids of their approvals. */
  questions: Questions;
  warnings: JsonObject[];
  usage: Usage | null;
  failure: ChatData["failure"] | null;
  limit: ChatData["limit-reached"] | null;
}

export function shownOf(parts: Part[]): Shown {
  const questions = new Map<string, Question>();
  const shown: Shown = { segments: [], questions, warnings: [], usage: null, failure: null, limit: null };
  let step: Step | null = null;
  const opened = (): Step => {
    if (step === null) {
      step = { kind: "step", number: shown.segments.length, pieces: [], calls: [] };
      shown.segments.push(step);
    }
    return step;
  };
  for (const part of parts) {
    if (part.type === "step-start") step = null;
    else if (isToolUIPart(part)) opened().calls.push(part as CallPart);
    else if (part.type === "data-void") {
      // The reply broke off, and comes again in the next step.
      shown.segments = shown.segments.filter((segment) => segment !== step);
      step = null;
    } else if (part.type === "data-user-message") {
      shown.segments.push({ kind: "said", id: part.id ?? String(shown.segments.length), parts: part.data.parts });
      step = null;
    } else if (part.type === "data-question") questions.set(part.id ?? "", part.data);
    else if (part.type === "data-warning") shown.warnings.push(part.data);
    else if (part.type === "data-usage") shown.usage = part.data;
    else if (part.type === "data-failure") shown.failure = part.data;
    else if (part.type === "data-limit-reached") shown.limit = part.data;
    else if (part.type === "text" || part.type === "reasoning" || part.type === "file") opened().pieces.push(part);
  }
  return shown;
}

/** The texts and images of a message of the user. */
export function userPartsOf(message: ChatMessage): UserPart[] {
  return message.parts.flatMap((part): UserPart[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type === "file") return [{ type: "file", url: part.url, mediaType: part.mediaType }];
    return [];
  });
}

/** The question that a call asks, or has asked last. */
export function questionOf(part: CallPart, questions: Questions): Question | null {
  return questions.get(part.approval?.id ?? "") ?? null;
}

export function toolNameOf(part: CallPart): string {
  return part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
}
