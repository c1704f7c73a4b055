// The calls of each tool that were made by hand in this window, the newest first.

import { useCallback, useState } from "react";

export interface PastCall {
  argumentsText: string;
  approved: boolean;
  atMs: number;
  ok: boolean;
  forModel: string;
}

const MOST = 20;
const keyOf = (tool: string) => `playground.calls.${tool}`;

export function useHistory(tool: string): [PastCall[], (call: PastCall) => void] {
  const [calls, setCalls] = useState<PastCall[]>(() => stored(tool));
  const add = useCallback(
    (call: PastCall) =>
      setCalls((calls) => {
        const next = [call, ...calls].slice(0, MOST);
        try {
          sessionStorage.setItem(keyOf(tool), JSON.stringify(next));
        } catch {
          // What does not fit is forgotten with the page.
        }
        return next;
      }),
    [tool],
  );
  return [calls, add];
}

function stored(tool: string): PastCall[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(tool)) ?? "[]") as PastCall[];
  } catch {
    return [];
  }
}
