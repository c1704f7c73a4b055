// Where the user is: the part of the address after `#`. The page may be served under any path.

import { useSyncExternalStore } from "react";

export type Route =
  | { area: "chat"; id: string | null }
  | { area: "tools"; name: string | null }
  | { area: "runs"; id: string | null; sequence: number | null };

export type Area = Route["area"];

export function parseRoute(hash: string): Route {
  const [area, first, second] = hash.replace(/^#\/?/, "").split("/").map(decode);
  switch (area) {
    case "tools":
      return { area, name: first ?? null };
    case "runs": {
      const sequence = second === undefined ? Number.NaN : Number.parseInt(second, 10);
      return { area, id: first ?? null, sequence: Number.isNaN(sequence) ? null : sequence };
    }
    default:
      return { area: "chat", id: area === "chat" ? (first ?? null) : null };
  }
}

export function hrefOf(route: Route): string {
  const parts: (string | number | null)[] =
    route.area === "chat"
      ? [route.id]
      : route.area === "tools"
        ? [route.name]
        : [route.id, route.sequence];
  const path = parts.filter((part) => part !== null).map((part) => `/${encodeURIComponent(part)}`);
  return `#/${route.area}${path.join("")}`;
}

/** Goes to another place. With `replace` the place before it is not kept in the history. */
export function go(route: Route, options: { replace?: boolean } = {}): void {
  const href = hrefOf(route);
  if (options.replace) {
    history.replaceState(null, "", href);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    window.location.hash = href;
  }
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return parseRoute(hash);
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

function decode(part: string): string | undefined {
  if (part === "") return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
