// How a message ended: why, with what warnings, and what it cost.

import type { ReactNode } from "react";

import { isObject, type Json, type JsonObject } from "../api/json_value.ts";
import { oneLine } from "../json/one_line.ts";
import { endingOf, endingOfStream } from "./finish.ts";
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
  // The log says more than what a user may read.
  const textOf = (text: string) => (finish === undefined ? (shown.failure?.message ?? end?.error ?? text) : text);
  const isPlain = ending === null || ending.tone === "good";
  return (
    <footer className="ended">
      {shown.warnings.map((warning, index) => (
        <p key={index} className="notice warn">
          {warningText(warning)}
        </p>
      ))}
      {shown.limit !== null ? (
        <p className="notice warn">
          {sentence(shown.limit.message)}
          {shown.limit.summarized && " The model answered from what it had."}
        </p>
      ) : (
        !isPlain && <p className={`notice ${ending.tone}`}>{textOf(ending.text)}</p>
      )}
      <div className="ended-line">
        {shown.usage !== null && <UsageText usage={shown.usage} />}
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
