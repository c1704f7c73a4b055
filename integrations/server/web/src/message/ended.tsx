// How a message ended: why, with what warnings, and what it cost.

import type { ReactNode } from "react";

import { isObject, type Json, type JsonObject } from "../api/json_value.ts";
import { oneLine } from "../json/one_line.ts";
import { endingOf, endingOfStream, isCancelled } from "./finish.ts";
import { UsageText } from "./usage.tsx";
import type { StreamEnd } from "./clock.ts";
import type { Shown } from "./shown.ts";

interface Props {
  shown: Shown;
  finish: Json | undefined;
  end: StreamEnd | null;
  actions?: ReactNode;
}

export function Ended({ shown, finish, end, actions }: Props) {
  const ending = endingOf(finish) ?? (end === null ? null : endingOfStream(end.finishReason));
  const isPlain = ending === null || ending.tone === "good";
  const { failure, limit } = shown;
  return (
    <footer className="ended">
      {shown.warnings.map((warning, index) => (
        <p key={index} className="notice warn">
          {warningText(warning)}
        </p>
      ))}
      {failure !== null && (
        <p className={`notice ${isPlain ? "warn" : ending.tone}`}>
          <code className="failure-code">{failure.code}</code> {failure.message}
        </p>
      )}
      {limit !== null ? (
        <p className="notice warn">
          {sentence(limit.message)}
          {limit.summarized && " The model answered from what it had."}
        </p>
      ) : failure !== null ? (
        // The log says more than what a user may read.
        finish !== undefined && !isPlain && <p className="muted">In the log: {ending.text}</p>
      ) : (
        !isPlain && <p className={`notice ${ending.tone}`}>{(finish === undefined && end?.error) || ending.text}</p>
      )}
      <div className="ended-line">
        {shown.usage !== null && <UsageText usage={shown.usage} isPart={isCancelled(ending)} />}
        {actions}
      </div>
    </footer>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Warnings have a type, and what else they say depends on it. */
function warningText(warning: JsonObject): string {
  const content = warning["content"] ?? warning;
  const message = isObject(content) ? content["message"] : content;
  return typeof message === "string" ? message : `Warning: ${oneLine(warning, 200)}`;
}
