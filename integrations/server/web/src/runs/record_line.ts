// A record of a log as a line: what happened, and the most important of it.

import { isObject, type Json } from "../api/json_value.ts";
import type { LogRecord } from "../api/runs.ts";
import { argumentsLine, oneLine } from "../json/one_line.ts";
import { endingOf, limitOf } from "../message/finish.ts";

export interface RecordLine {
  title: string;
  meaning: string;
  text: string;
  tone: "" | "good" | "warn" | "bad";
}

interface Known {
  title: string;
  meaning: string;
  text?: (record: LogRecord) => string;
  tone?: (record: LogRecord) => RecordLine["tone"];
}

const LONGEST = 160;

const RECORDS: Record<string, Known> = {
  started: {
    title: "Started",
    meaning: "The run began with the question of the user.",
    text: (record) => oneLine(textOf(record["input"]), LONGEST),
  },
  replied: { title: "Model replied", meaning: "The whole response of the model.", text: reply },
  model_failed: { title: "Model failed", meaning: "The model did not reply.", text: errorText, tone: () => "bad" },
  model_delayed: {
    title: "Model delayed",
    meaning: "The model did not reply. The request is sent again after a wait.",
    text: errorText,
    tone: () => "warn",
  },
  model_resumed: { title: "Model asked again", meaning: "The wait before the next request is over." },
  response_broken_off: {
    title: "Reply broken off",
    meaning: "The run was interrupted while the response came.",
    tone: () => "warn",
  },
  compaction_started: { title: "Summary asked for", meaning: "What the next requests leave out is summed up." },
  context_compacted: { title: "Context shortened", meaning: "The next requests send less of the conversation." },
  call_started: { title: "Call started", meaning: "An attempt of the call is about to start.", text: call },
  call_prepared: {
    title: "Arguments prepared",
    meaning: "The arguments were normalized, before approval and start.",
    text: (record) => `${call(record)} ${oneLine(record["arguments"], 80)}`,
  },
  call_delayed: {
    title: "Call waits",
    meaning: "The call waits for something other than its turn.",
    text: (record) => `${call(record)} for ${why(record["why"])}`,
    tone: () => "warn",
  },
  call_resumed: { title: "Call goes on", meaning: "The wait of the call is over.", text: call },
  call_decided: {
    title: "Call decided",
    meaning: "Somebody decided about a call that waited for an approval.",
    text: (record) => `${call(record)}: ${decision(record["decision"])}`,
  },
  question_answered: {
    title: "Question answered",
    meaning: "Somebody answered the question of a call, which starts again and has the answer.",
    text: (record) => `${call(record)}: ${decision(record["decision"])}`,
  },
  approval_revoked: {
    title: "Approval revoked",
    meaning: "The tool has changed since, and somebody is asked again.",
    text: call,
    tone: () => "warn",
  },
  call_expired: { title: "Call expired", meaning: "Nobody decided in time.", text: call, tone: () => "warn" },
  call_interrupted: {
    title: "Call interrupted",
    meaning: "The program that ran the call is gone.",
    text: call,
    tone: () => "warn",
  },
  call_finished: {
    title: "Call finished",
    meaning: "The call has its result.",
    text: result,
    tone: (record) => (failed(record) ? "bad" : "good"),
  },
  request_planned: { title: "Request planned", meaning: "The hook before a request decided what it is to be." },
  message_pushed: {
    title: "User said more",
    meaning: "The message is in the conversation from the next request on.",
    text: (record) => oneLine(textOf(record["message"]), LONGEST),
  },
  time_used: { title: "Time used", meaning: "So much of its time the run has used." },
  cancel_after_round: { title: "Stop after the round", meaning: "The run was asked to stop when its round is over." },
  resumed: { title: "Resumed", meaning: "The run goes on." },
  cancel_requested: { title: "Cancel requested", meaning: "The run was asked to stop.", tone: () => "warn" },
  transferred: {
    title: "Handed over",
    meaning: "Another agent goes on with the conversation.",
    text: (record) => `${String(record["from"])} to ${String(record["to"])}`,
  },
  shared_limit_reached: {
    title: "Shared limit reached",
    meaning: "The run above has nothing left of a limit that both share.",
    text: (record) => limitOf(record["limit"]),
    tone: () => "warn",
  },
  time_limit_reached: { title: "Time limit reached", meaning: "The time of the run is up.", tone: () => "warn" },
  finished: {
    title: "Finished",
    meaning: "The run is over.",
    text: (record) => endingOf(record["finish"])?.text ?? "",
    tone: (record) => endingOf(record["finish"])?.tone ?? "",
  },
};

export function lineOf(record: LogRecord): RecordLine {
  const known: Known = RECORDS[record.type] ?? { title: record.type.replaceAll("_", " "), meaning: "" };
  return {
    title: known.title,
    meaning: known.meaning,
    text: known.text?.(record) ?? "",
    tone: known.tone?.(record) ?? "",
  };
}

function call(record: LogRecord): string {
  const id = record["call"];
  const place = isObject(id) ? `${String(id["round"])}.${String(id["index"])}` : "";
  return [place, record["name"]].filter((text) => typeof text === "string" && text !== "").join(" ");
}

function reply(record: LogRecord): string {
  const { response } = record;
  if (!isObject(response)) return "";
  const calls = Array.isArray(response["tool_calls"]) ? response["tool_calls"].filter(isObject) : [];
  if (calls.length === 0) return oneLine(response["text"] ?? "", LONGEST);
  const texts = calls.map((call) => `${String(call["name"])}(${inside(call["arguments"])})`);
  return oneLine(texts.join(", "), LONGEST);
}

function inside(text: Json | undefined): string {
  try {
    return argumentsLine(JSON.parse(String(text)), 60);
  } catch {
    return oneLine(text, 60);
  }
}

function failed(record: LogRecord): boolean {
  return isObject(record["result"]) && record["result"]["type"] !== "success";
}

function result(record: LogRecord): string {
  return `${call(record)} ${oneLine(textOf(record["result"]), 120)}`;
}

function errorText(record: LogRecord): string {
  return oneLine(textOf(record["error"]), LONGEST);
}

function why(value: Json | undefined): string {
  const type = isObject(value) ? value["type"] : value;
  if (typeof type !== "string") return "something else";
  const said = isObject(value) ? textOf(value["error"] ?? value["question"]) : "";
  return `${type.replaceAll("_", " ")}${said === "" ? "" : `: ${said}`}`;
}

function decision(value: Json | undefined): string {
  const type = isObject(value) ? (value["type"] ?? Object.keys(value)[0]) : value;
  const reason = isObject(value) ? textOf(value["reason"] ?? value["content"] ?? "") : "";
  return [type, reason].filter((text) => typeof text === "string" && text !== "").join(", ");
}

/** The text in a message, an output or an error, whichever of their forms it has. */
function textOf(value: Json | undefined, depth = 0): string {
  if (typeof value === "string") return value;
  if (depth > 5) return "";
  if (Array.isArray(value)) return value.map((item) => textOf(item, depth + 1)).filter(Boolean).join(" ");
  if (!isObject(value)) return value === undefined || value === null ? "" : String(value);
  for (const key of ["text", "message", "parts", "output", "error", "content"]) {
    const found = textOf(value[key], depth + 1);
    if (found !== "") return found;
  }
  return "";
}
