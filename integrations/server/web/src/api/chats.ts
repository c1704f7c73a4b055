// Chats of the caller.

import type { ChatMessage } from "./messages.ts";
import { newId } from "../shell/new_id.ts";
import { getJson, post } from "./request.ts";
import type { Page, RunStatus } from "./runs.ts";

export interface ChatSummary {
  id: string;
  title: string | null;
  updatedMs: number;
  runId: string | null;
  status: RunStatus | null;
}

export interface StoredChat {
  id: string;
  messages: ChatMessage[];
  running: string | null;
  waiting: boolean;
}

const path = (id: string) => `chat/${encodeURIComponent(id)}`;

export const getChats = (after: string | null, signal?: AbortSignal) =>
  getJson<Page<ChatSummary>>("chat", { after, limit: 50 }, signal);

export const getChat = (id: string, signal?: AbortSignal) => getJson<StoredChat>(path(id), {}, signal);

export const cancelChat = (id: string, afterRound: boolean) => post(`${path(id)}/cancel`, { afterRound });

export const pushMessage = (id: string, text: string) =>
  post(`${path(id)}/messages`, { text, id: newId() });
