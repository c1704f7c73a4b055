// Runs and their logs.

import type { Json, JsonObject } from "./json_value.ts";
import type { Question } from "./messages.ts";
import { getJson, post, sendText } from "./request.ts";

export type RunStatus = "open" | "suspended" | "parked" | "finished" | "abandoned";

export const STATUSES: readonly RunStatus[] = ["open", "suspended", "parked", "finished", "abandoned"];

export interface Page<T> {
  items: T[];
  next: string | null;
}

export interface RunSummary {
  id: string;
  status: RunStatus;
  createdMs: number;
  endedMs: number | null;
  model: string | null;
  owner: string | null;
  labels: { [name: string]: string };
  entries: number;
  conversation: { id: string; version: number } | null;
}

/** A run in a list. */
export interface ListedRun extends RunSummary {
  question: string | null;
  finish: Json;
}

export interface RunDetails extends ListedRun {
  pending: PendingCall[];
  /** Absent while the run is not over. */
  usage?: JsonObject;
}

export interface PendingCall {
  /** Its place below the run. */
  call: string;
  /** The number of requests about it before this one. */
  asked: number;
  tool: string;
  arguments: Json;
  waitsFor: string;
  question: Question | null;
}

export interface LogEntry {
  sequence: number;
  atMs: number;
  record: LogRecord;
}

/** A record in its stored form. What else it has depends on its type. */
export interface LogRecord extends JsonObject {
  type: string;
}

export interface RunQuery {
  status: RunStatus | "";
  q: string;
}

const path = (id: string) => `runs/${encodeURIComponent(id)}`;

export const getRuns = (query: RunQuery, after: string | null, signal?: AbortSignal) =>
  getJson<Page<ListedRun>>("runs", { ...query, after, limit: 25 }, signal);

export const getRun = (id: string, signal?: AbortSignal) => getJson<RunDetails>(path(id), {}, signal);

export const cancelRun = (id: string) => post(`${path(id)}/cancel`, {});

/** Answers the question of a call with JSON text, whose numbers keep all their digits, or declines with `null`. */
export function answerQuestion(id: string, { call, asked }: PendingCall, answer: string | null): Promise<Response> {
  const decision = JSON.stringify({ call, asked, decision: answer === null ? "deny" : "approve" });
  const whole = answer === null ? decision : `${decision.slice(0, -1)},"arguments":${answer}}`;
  return sendText("POST", `${path(id)}/decisions`, `{"decisions":[${whole}]}`);
}

export const fixturePath = (id: string) => `${path(id)}/fixture`;

export const streamPath = (id: string) => `${path(id)}/stream`;

/** The whole log of a run. */
export async function getLog(id: string, signal?: AbortSignal): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  let from: number | null = 0;
  while (from !== null) {
    const query: { from: number; limit: number } = { from, limit: 500 };
    const page: { entries: LogEntry[]; next: number | null } = await getJson(`${path(id)}/log`, query, signal);
    entries.push(...page.entries);
    from = page.next;
  }
  return entries;
}
