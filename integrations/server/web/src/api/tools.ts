// Tools, and calls of them by hand.

import type { Json, JsonObject } from "./json_value.ts";
import { errorOf, getJson, post } from "./request.ts";
import { readEvents } from "./sse.ts";

export interface Tool {
  name: string;
  title?: string | null;
  description: string;
  parameters: JsonObject;
  /** The schema of what it returns, if it is known. */
  output?: JsonObject;
  effects: Json;
  policies: JsonObject;
  external?: boolean;
}

export interface ToolDetails extends Tool {
  providers?: SentToProvider[];
  promptLock?: string;
}

export interface SentToProvider {
  provider: string;
  definition: Json;
  losses: Loss[];
}

export interface Loss {
  path: string;
  kind: string;
  keyword?: string;
  message?: string;
}

export interface CallResult {
  ok: boolean;
  output?: Json;
  parts?: OutputPart[];
  forModel?: string;
  forLog?: string;
  category?: string | null;
  details?: Json;
  elapsedMs: number;
}

export type OutputPart = JsonObject;

export type CallEvent = { type: "progress"; data: Json } | { type: "result"; data: CallResult };

export async function getTools(signal?: AbortSignal): Promise<Tool[]> {
  return (await getJson<{ tools: Tool[] }>("tools", {}, signal)).tools;
}

export const getTool = (name: string, signal?: AbortSignal) =>
  getJson<ToolDetails>(`tools/${encodeURIComponent(name)}`, {}, signal);

/** Calls a tool with the text of its arguments, as a model would write it: numbers keep all their digits. */
export async function* callTool(
  name: string,
  argumentsText: string,
  approved: boolean,
  signal: AbortSignal,
): AsyncGenerator<CallEvent> {
  const response = await post(`tools/${encodeURIComponent(name)}/call`, { argumentsText, approved }, signal);
  if (response.body === null) throw await errorOf(response);
  for await (const event of readEvents(response.body)) {
    if (event.event === "progress") yield { type: "progress", data: JSON.parse(event.data) as Json };
    if (event.event === "result") yield { type: "result", data: JSON.parse(event.data) as CallResult };
  }
}
