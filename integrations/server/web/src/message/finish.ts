// Why a run ended, in a sentence.

import { isObject, type Json } from "../api/json_value.ts";

export interface Ending {
  text: string;
  tone: "good" | "warn" | "bad";
}

const PLAIN: Record<string, Ending> = {
  answered: { text: "The model answered.", tone: "good" },
  suspended: { text: "The run waits for people or for the application.", tone: "warn" },
  cancelled: { text: "The run was cancelled.", tone: "warn" },
  refused: { text: "The model refused.", tone: "warn" },
  filtered: { text: "A filter of the provider stopped the response.", tone: "warn" },
  truncated: { text: "The limit of output tokens cut the response off.", tone: "warn" },
  empty: { text: "The response was empty.", tone: "warn" },
};

export const isCancelled = (ending: Ending | null) => ending !== null && ending === PLAIN["cancelled"];

const LIMITS: Record<string, string> = {
  rounds: "rounds",
  tool_calls: "tool calls",
  calls_per_response: "calls in one response",
  invalid_calls: "rounds with only invalid calls",
  tokens: "tokens",
};

/** The stored form of a finish: `{"type": "limit", "content": {…}}`. */
export function endingOf(finish: Json | undefined): Ending | null {
  const type = isObject(finish) ? finish["type"] : finish;
  const content = isObject(finish) ? (finish["content"] ?? finish) : null;
  if (typeof type !== "string") return null;
  const plain = PLAIN[type];
  if (plain !== undefined) return plain;
  if (type === "limit" && isObject(content)) return { text: limitText(content), tone: "warn" };
  if (type === "failed") return { text: `The run failed${because(content)}.`, tone: "bad" };
  if (type === "stopped") return { text: `A condition ended the run${because(content)}.`, tone: "warn" };
  return { text: `The run ended: ${type}.`, tone: "warn" };
}

function limitText(content: { [key: string]: Json }): string {
  const summary = content["summarized"] === true ? " The model answered from what it had." : "";
  return `${limitOf(content["limit"])}${summary}`;
}

/** That a limit was reached, in a sentence. */
export function limitOf(limit: Json | undefined): string {
  if (!isObject(limit)) return "A limit was reached.";
  const kind = String(limit["type"]);
  const max = limit["max"];
  const what = LIMITS[kind] ?? kind.replaceAll("_", " ");
  return `The limit of ${typeof max === "number" ? `${max} ` : ""}${what} was reached.`;
}

/** The cause of a failure: the first message that stands in it. */
function because(content: Json | null): string {
  const message = messageIn(content, 0);
  return message === null ? "" : `: ${message.replace(/\.$/, "")}`;
}

function messageIn(value: Json | undefined, depth: number): string | null {
  if (typeof value === "string") return value.replaceAll("_", " ");
  if (!isObject(value) || depth > 4) return null;
  for (const key of ["message", "reason", "content", "type"]) {
    const found = messageIn(value[key], depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** What a stream said about its end, where there is no log. */
export function endingOfStream(finishReason: string): Ending | null {
  switch (finishReason) {
    case "stop":
      return null;
    case "cancelled":
      return PLAIN["cancelled"] ?? null;
    case "length":
      return PLAIN["truncated"] ?? null;
    case "content-filter":
      return PLAIN["filtered"] ?? null;
    case "error":
      return { text: "The run failed.", tone: "bad" };
    default:
      return null;
  }
}
