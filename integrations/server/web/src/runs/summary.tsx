// What a run was, in a few facts.

import type { RunDetails } from "../api/runs.ts";
import type { Json, JsonObject } from "../api/json_value.ts";
import { argumentsLine, oneLine } from "../json/one_line.ts";
import { hrefOf } from "../shell/route.ts";
import { spanText } from "../shell/times.ts";
import { endingOf } from "../message/finish.ts";

export function Summary({ run }: { run: RunDetails }) {
  const ending = endingOf(run.finish);
  const chat = run.labels["chat"];
  const facts: [string, string | null][] = [
    ["Question", run.question === null ? null : questionText(run.question)],
    ["End", ending?.text ?? null],
    ["Waits for", run.pending?.length ? run.pending.map(waitsFor).join("; ") : null],
    ["Model", run.model],
    ["Began", new Date(run.createdMs).toLocaleString()],
    ["Took", run.endedMs === null ? null : spanText(run.endedMs - run.createdMs)],
    ["Tokens", run.usage === undefined ? null : tokensText(run.usage)],
    ["Records", String(run.entries)],
    ["Owner", run.owner],
  ];
  return (
    <dl className="facts two">
      {facts.map(([name, text]) =>
        text === null || text === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ),
      )}
      {chat !== undefined && (
        <div>
          <dt>Chat</dt>
          <dd>
            <a href={hrefOf({ area: "chat", id: chat })}>{chat}</a>
          </dd>
        </div>
      )}
    </dl>
  );
}

function waitsFor({ tool, arguments: values, question }: RunDetails["pending"][number]): string {
  const call = `${tool}(${argumentsLine(values)})`;
  return question === null ? call : `${call} asks: ${oneLine(question.message, 160)}`;
}

/** A question is a text, or a message with parts. */
function questionText(question: Json): string {
  if (typeof question === "string") return question;
  return oneLine(question, 300);
}

function tokensText(usage: JsonObject): string {
  const count = (...names: string[]) => {
    const found = names.map((name) => usage[name]).find((value) => typeof value === "number");
    return typeof found === "number" ? found.toLocaleString() : "?";
  };
  return `${count("inputTokens", "input_tokens")} in, ${count("outputTokens", "output_tokens")} out`;
}
