// The time, for what is under way.

import { useEffect, useState } from "react";

const EVERY_MS = 200;

/** The current time, which goes on only while `isRunning`. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? Math.max(now, Date.now()) : now;
}
