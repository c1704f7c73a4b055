// The times of a stream, taken when its chunks arrive.

import type { UIMessageChunk } from "ai";

import { advance, neverRan, type Span, type Spans } from "./spans.ts";

/** Why a message ended, as its stream said. */
export interface StreamEnd {
  finishReason: string;
  error: string | null;
}

export class StreamClock {
  #spans = new Map<string, readonly Span[]>();
  #ends = new Map<string, StreamEnd>();
  #replayed = new Set<string>();
  #message = "";
  #error: string | null = null;
  #listeners = new Set<() => void>();
  #version = 0;

  /** Takes a chunk. One of a stream that is sent again from its start tells nothing about times. */
  see(chunk: UIMessageChunk, isReplay: boolean): void {
    const now = Date.now();
    switch (chunk.type) {
      case "start":
        this.#message = chunk.messageId ?? "";
        this.#error = null;
        this.#ends.delete(this.#message);
        if (isReplay) this.#replayed.add(this.#message);
        break;
      case "tool-input-start":
        this.#advance(chunk.toolCallId, "writing", now);
        break;
      case "tool-input-available":
        this.#advance(chunk.toolCallId, "running", now);
        break;
      case "tool-approval-request":
        // That the call waits is known only now: until its approval was asked for it seemed to run.
        neverRan(this.#spans, chunk.toolCallId);
        this.#advance(chunk.toolCallId, "waiting", now);
        break;
      case "tool-output-available":
        this.#advance(chunk.toolCallId, chunk.preliminary ? "running" : null, now);
        break;
      case "tool-input-error":
      case "tool-output-error":
      case "tool-output-denied":
        this.#advance(chunk.toolCallId, null, now);
        break;
      case "error":
        this.#error = chunk.errorText;
        break;
      case "finish":
        this.#end({ finishReason: chunk.finishReason ?? "stop", error: this.#error });
        break;
      case "abort":
        this.#end({ finishReason: "cancelled", error: null });
        break;
      default:
        return;
    }
    this.#changed();
  }

  /** The call may run from now on. */
  decided(call: string): void {
    this.#advance(call, "running", Date.now());
    this.#changed();
  }

  get spans(): Spans {
    return this.#spans;
  }

  endOf(message: string): StreamEnd | null {
    return this.#ends.get(message) ?? null;
  }

  /** True if the message was sent again from its start, so that the times of its beginning are not known here. */
  isReplayed(message: string): boolean {
    return this.#replayed.has(message);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another number after each change. */
  version = (): number => this.#version;

  #advance(call: string, kind: Span["kind"] | null, atMs: number): void {
    advance(this.#spans, call, kind, atMs);
  }

  #end(end: StreamEnd): void {
    this.#ends.set(this.#message, end);
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
