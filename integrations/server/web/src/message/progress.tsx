// How far a call is.

import { isObject, type Json } from "../api/json_value.ts";
import { oneLine } from "../json/one_line.ts";

interface Said {
  text: string;
  done: number | null;
  total: number | null;
}

/** Reads what a call says on its way: steps with a message, or anything else as one line. */
export function progressOf(value: Json): Said {
  const progress = isObject(value) && isObject(value["progress"]) ? value["progress"] : value;
  if (!isObject(progress)) return { text: oneLine(progress), done: null, total: null };
  const number = (...names: string[]) => {
    const name = names.find((name) => typeof progress[name] === "number");
    return name === undefined ? null : (progress[name] as number);
  };
  const message = progress["message"] ?? progress["text"] ?? progress["what"];
  return {
    text: typeof message === "string" ? message : oneLine(progress),
    done: number("progress", "done", "step", "current"),
    total: number("total", "of", "steps"),
  };
}

export function lastProgress(progress: Json[]): Said | null {
  const last = progress.at(-1);
  return last === undefined ? null : progressOf(last);
}

export function ProgressLine({ said, isRunning }: { said: Said | null; isRunning: boolean }) {
  const total = said?.total ?? null;
  const done = said?.done ?? null;
  return (
    <p className="progress">
      {total !== null && done !== null ? (
        <progress value={done} max={total} aria-label="Progress" />
      ) : (
        isRunning && <progress aria-label="Progress" />
      )}
      <span>
        {said?.text}
        {total !== null && done !== null && <span className="muted"> {`${done} of ${total}`}</span>}
      </span>
    </p>
  );
}
