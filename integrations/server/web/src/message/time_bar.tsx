// One call on the time line of its round.

import type { Span } from "./spans.ts";

interface Props {
  spans: readonly Span[];
  extent: { fromMs: number; toMs: number };
  nowMs: number;
}

/** The bar says in colours what the words beside it say too. */
export function TimeBar({ spans, extent, nowMs }: Props) {
  const whole = extent.toMs - extent.fromMs;
  const at = (ms: number) => ((ms - extent.fromMs) / whole) * 100;
  return (
    <svg className="time-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect className="time-track" x="0" y="0" width="100" height="10" />
      {spans.map((span, index) => {
        const from = at(span.fromMs);
        const width = Math.max(0.8, at(span.toMs ?? nowMs) - from);
        return <rect key={index} className={`time-${span.kind}`} x={from} y="0" width={width} height="10" />;
      })}
    </svg>
  );
}
