// What the colours of the bars mean, for those that are there.

import type { Span, SpanKind } from "./spans.ts";

const MEANINGS: [SpanKind, string][] = [
  ["writing", "written by the model"],
  ["waiting", "waiting"],
  ["running", "running"],
  ["retried", "failed attempt"],
];

export function Legend({ spans }: { spans: readonly (readonly Span[])[] }) {
  const kinds = new Set(spans.flat().map((span) => span.kind));
  return (
    <span className="legend muted">
      {MEANINGS.filter(([kind]) => kinds.has(kind)).map(([kind, meaning]) => (
        <span key={kind}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect className={`time-${kind}`} width="10" height="10" />
          </svg>
          {meaning}
        </span>
      ))}
    </span>
  );
}
