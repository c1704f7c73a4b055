// Something that the server is asked for when a view opens.

import { useCallback, useEffect, useState } from "react";

import { messageOf } from "../api/request.ts";

export type Loaded<T> =
  | { state: "loading"; value: null; error: null }
  | { state: "loaded"; value: T; error: null }
  | { state: "failed"; value: null; error: string };

/** Loads again whenever `key` changes. Until then what was loaded before stays, if the key is the same. */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
): Loaded<T> & { reload: () => void } {
  const [count, setCount] = useState(0);
  const [loaded, setLoaded] = useState<{ key: string; result: Loaded<T> } | null>(null);
  const reload = useCallback(() => setCount((count) => count + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setLoaded({ key, result: { state: "loaded", value, error: null } });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setLoaded({ key, result: { state: "failed", value: null, error: messageOf(error) } });
      },
    );
    return () => abort.abort();
    // The key stands for what `load` loads.
  }, [key, count]);
  const result: Loaded<T> =
    loaded !== null && loaded.key === key ? loaded.result : { state: "loading", value: null, error: null };
  return { ...result, reload };
}
