// Keeps the end of a conversation in sight while it grows, unless the user looks at something above.

import { useEffect, useRef, type RefObject } from "react";

const NEAR_PX = 160;

export function useFollow(end: RefObject<HTMLElement | null>, content: unknown): void {
  const isNear = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
      isNear.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    };
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  useEffect(() => {
    if (isNear.current) window.scrollTo({ top: document.documentElement.scrollHeight });
  }, [end, content]);
}
