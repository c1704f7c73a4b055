// One call by hand, from the click to its result.

import { useCallback, useEffect, useReducer, useRef } from "react";

import { isObject, type Json } from "../api/json_value.ts";
import { ApiError, messageOf } from "../api/request.ts";
import { callTool, type CallResult } from "../api/tools.ts";
import type { PastCall } from "./history.ts";

export type CallState =
  | { step: "idle" }
  | { step: "running"; startedMs: number; progress: Json[] }
  | { step: "asking"; text: string; message: string; arguments: Json; mayApprove: boolean }
  | { step: "done"; result: CallResult; progress: Json[] }
  | { step: "failed"; message: string };

type Change =
  | { type: "started" }
  | { type: "progress"; data: Json }
  | { type: "end"; state: CallState }
  | { type: "result"; result: CallResult };

/** The newest messages of a call that says very much. */
const MOST_PROGRESS = 200;

function reduce(state: CallState, change: Change): CallState {
  const progress = state.step === "running" ? state.progress : [];
  switch (change.type) {
    case "started":
      return { step: "running", startedMs: performance.now(), progress: [] };
    case "progress":
      if (state.step !== "running") return state;
      return { ...state, progress: [...progress, change.data].slice(-MOST_PROGRESS) };
    case "result":
      return { step: "done", result: change.result, progress };
    case "end":
      return change.state;
  }
}

export function useCall(name: string, onDone: (call: PastCall) => void) {
  const [state, change] = useReducer(reduce, { step: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(
    async (text: string, approved: boolean) => {
      running.current?.abort();
      const abort = new AbortController();
      running.current = abort;
      change({ type: "started" });
      try {
        let isDone = false;
        for await (const event of callTool(name, text, approved, abort.signal)) {
          if (abort.signal.aborted) return;
          if (event.type === "progress") change({ type: "progress", data: event.data });
          else {
            const { ok, forModel = "" } = event.data;
            change({ type: "result", result: event.data });
            onDone({ argumentsText: text, approved, atMs: Date.now(), ok, forModel });
          }
          isDone ||= event.type === "result";
        }
        if (!isDone) throw new Error("The connection ended before the result.");
      } catch (error) {
        if (abort.signal.aborted) return;
        change({ type: "end", state: afterError(error, text) });
      }
    },
    [name, onDone],
  );

  const stop = useCallback(() => {
    running.current?.abort();
    change({ type: "end", state: { step: "idle" } });
  }, []);

  return { state, run, stop };
}

function afterError(error: unknown, text: string): CallState {
  if (error instanceof ApiError && error.code === "approval_required") {
    const more = error.body;
    return {
      step: "asking",
      text,
      message: error.message,
      arguments: memberOf(more, "arguments") ?? text,
      mayApprove: memberOf(more, "selfApproval") !== false,
    };
  }
  return { step: "failed", message: messageOf(error) };
}

/** What the server gives with its refusal: the arguments as they would run, and whether the caller may approve them. */
function memberOf(body: unknown, name: string): Json | undefined {
  if (!isObject(body)) return undefined;
  const { error } = body;
  return body[name] ?? (isObject(error) ? error[name] : undefined);
}
