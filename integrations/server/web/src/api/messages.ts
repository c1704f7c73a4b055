// Messages of a chat, as `useChat` has them and as the server stores them.

import type { UIMessage } from "ai";

import type { JsonObject } from "./json_value.ts";

export interface UserPart {
  type: "text" | "file";
  text?: string;
  url?: string;
  mediaType?: string;
}

/** The data parts of the server: `data-<name>`. */
export type ChatData = {
  "user-message": { parts: UserPart[] };
  /** The question of the call whose approval has the id of this part. */
  question: Question;
  void: { step: number };
  retry: { step: number };
  transfer: { from: string; to: string };
  usage: Usage;
  warning: JsonObject;
  /** What the user may read of an end without a whole answer. */
  failure: { code: string; message: string };
  "limit-reached": { limit: JsonObject; message: string; summarized: boolean };
};

/** What a call asks a person: by a form, or at an address that the person opens. A tool or a stranger wrote it. */
export interface Question {
  message: string;
  /** The schema of the form. Its text, if the client of the stream cannot read it as JSON. */
  form?: JsonObject | string;
  url?: string;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  reasoningTokens?: number;
}

export type ChatMessage = UIMessage<unknown, ChatData>;
export type Part = ChatMessage["parts"][number];
export type CallPart = Extract<Part, { toolCallId: string }>;
export type Piece = Exclude<Part, CallPart>;
