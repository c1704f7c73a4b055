// Plays the chunks of a run's stream one after the other.

import { readUIMessageStream, type UIMessageChunk } from "ai";
import { useCallback, useEffect, useMemo, useState } from "react";

import { addressOf, errorOf, messageOf, send } from "../api/request.ts";
import { streamPath } from "../api/runs.ts";
import { readEvents } from "../api/sse.ts";
import { StreamClock } from "../message/clock.ts";
import type { ChatMessage } from "../api/messages.ts";

export const SPEEDS = [
  { perSecond: 5, title: "5 chunks a second" },
  { perSecond: 20, title: "20 chunks a second" },
  { perSecond: 100, title: "100 chunks a second" },
] as const;

type State = { type: "loading" } | { type: "failed"; error: string } | { type: "loaded"; count: number };

export function useReplay(run: string) {
  const [chunks, setChunks] = useState<UIMessageChunk[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(SPEEDS[1].perSecond);
  const [message, setMessage] = useState<ChatMessage | null>(null);
  const count = chunks?.length ?? 0;
  const isAtEnd = chunks !== null && at >= count;

  useEffect(() => {
    const abort = new AbortController();
    readChunks(run, abort.signal).then(
      (chunks) => {
        setChunks(chunks);
        setAt(chunks.length);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setError(messageOf(error));
      },
    );
    return () => abort.abort();
  }, [run]);

  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => setAt((at) => Math.min(count, at + 1)), 1000 / speed);
    return () => clearInterval(timer);
  }, [isPlaying, speed, count]);

  useEffect(() => {
    if (isAtEnd) setPlaying(false);
  }, [isAtEnd]);

  useEffect(() => {
    let isCurrent = true;
    void messageOfChunks((chunks ?? []).slice(0, at)).then((message) => {
      if (isCurrent) setMessage(message);
    });
    return () => {
      isCurrent = false;
    };
  }, [chunks, at]);

  // Bars of a replay would show the speed of the replay. Only the ends are taken.
  const clock = useMemo(() => {
    const clock = new StreamClock();
    for (const chunk of (chunks ?? []).slice(0, at)) {
      if (["start", "error", "finish", "abort"].includes(chunk.type)) clock.see(chunk, true);
    }
    return clock;
  }, [chunks, at]);

  const state: State =
    error !== null ? { type: "failed", error } : chunks === null ? { type: "loading" } : { type: "loaded", count };
  return {
    state,
    message,
    clock,
    at,
    isAtEnd,
    isPlaying,
    speed,
    setSpeed,
    play: useCallback(() => {
      setAt((at) => (at >= count ? 0 : at));
      setPlaying(true);
    }, [count]),
    pause: useCallback(() => setPlaying(false), []),
    stepOn: useCallback(() => setAt((at) => Math.min(count, at + 1)), [count]),
    seek: useCallback((at: number) => {
      setPlaying(false);
      setAt(at);
    }, []),
  };
}

/** All chunks of a run that is not under way. */
async function readChunks(run: string, signal: AbortSignal): Promise<UIMessageChunk[]> {
  const response = await send(addressOf(streamPath(run)), { signal });
  if (response.body === null) throw await errorOf(response);
  const chunks: UIMessageChunk[] = [];
  for await (const { data } of readEvents(response.body)) {
    if (data === "[DONE]") break;
    chunks.push(JSON.parse(data) as UIMessageChunk);
  }
  return chunks;
}

async function messageOfChunks(chunks: UIMessageChunk[]): Promise<ChatMessage | null> {
  if (chunks.length === 0) return null;
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) if (chunk.type !== "error" && chunk.type !== "abort") controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: ChatMessage | null = null;
  for await (const message of readUIMessageStream<ChatMessage>({ stream })) last = message;
  return last;
}
