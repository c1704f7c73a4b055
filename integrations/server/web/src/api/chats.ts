// Chats of the caller.

import type { ChatMessage } from "./messages.ts";
import { newId } from "../shell/new_id.ts";
import { addressOf, getJson, post, send, sendJson } from "./request.ts";
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
  title: string;
  messages: ChatMessage[];
  running: string | null;
  waiting: boolean;
}

const path = (id: string) => `chat/${encodeURIComponent(id)}`;

export const getChats = (after: string | null, signal?: AbortSignal) =>
  getJson<Page<ChatSummary>>("chat", { after, limit: 50 }, signal);

export const getChat = (id: string, signal?: AbortSignal) => getJson<StoredChat>(path(id), {}, signal);

/** Gives a chat a title; `null` stands for its first question. Returns the title that it has then. */
export async function renameChat(id: string, title: string | null): Promise<string | null> {
  const response = await sendJson("PATCH", path(id), { title });
  return ((await response.json()) as { title: string | null }).title;
}

export const deleteChat = (id: string) => send(addressOf(path(id)), { method: "DELETE" });

export const exportOf = (id: string) => addressOf(`${path(id)}/export`);

export const cancelChat = (id: string, afterRound: boolean) => post(`${path(id)}/cancel`, { afterRound });

export const pushMessage = (id: string, text: string) =>
  post(`${path(id)}/messages`, { text, id: newId() });
