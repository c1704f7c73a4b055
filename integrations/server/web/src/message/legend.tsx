// What the colours of the bars mean, for those that are there.

import { extentOf, type Span, type SpanKind } from "./spans.ts";

const MEANINGS: [SpanKind, string][] = [
  ["writing", "written by the model"],
  ["waiting", "waiting"],
  ["running", "running"],
  ["retried", "failed attempt"],
];

/** A share of the whole time. */
const SHORTEST = 0.01;

export function Legend({ spans }: { spans: readonly (readonly Span[])[] }) {
  const all = spans.flat();
  const extent = extentOf(spans, Date.now());
  const whole = extent === null ? 0 : extent.toMs - extent.fromMs;
  // What is too short to be seen needs no words.
  const seen = all.filter((span) => span.toMs === null || span.toMs - span.fromMs > whole * SHORTEST);
  const kinds = new Set(seen.map((span) => span.kind));
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
