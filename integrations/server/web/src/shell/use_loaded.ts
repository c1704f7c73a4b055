// Something that the server is asked for when a view opens.

import { useCallback, useEffect, useState } from "react";

import { isLost, messageOf } from "../api/request.ts";

export type Loaded<T> =
  | { state: "loading"; value: null; error: null }
  | { state: "loaded"; value: T; error: null }
  | { state: "failed"; value: null; error: string };

/** The time between two tries to reach the server. */
export const AGAIN_MS = 1500;

/**
 * Loads again whenever `key` changes, after `everyMs` while the page is looked at, and until the server is reached. Until
 * then what was loaded before stays, if the key is the same.
 */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number | null = null,
): Loaded<T> & { reload: () => void } {
  const [count, setCount] = useState(0);
  const [loaded, setLoaded] = useState<{ key: string; result: Loaded<T> } | null>(null);
  const reload = useCallback(() => setCount((count) => count + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (ms: number) => {
      timer = setTimeout(() => (document.hidden ? later(ms) : reload()), ms);
    };
    load(abort.signal).then(
      (value) => {
        if (abort.signal.aborted) return;
        setLoaded({ key, result: { state: "loaded", value, error: null } });
        if (everyMs !== null) later(everyMs);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setLoaded({ key, result: { state: "failed", value: null, error: messageOf(error) } });
        if (isLost(error)) later(AGAIN_MS);
      },
    );
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
    // The key stands for what `load` loads.
  }, [key, count]);
  const result: Loaded<T> =
    loaded !== null && loaded.key === key ? loaded.result : { state: "loading", value: null, error: null };
  return { ...result, reload };
}
