// What calls did when: from the chunks as they come, or from the log of the run.

export type SpanKind = "writing" | "waiting" | "running" | "retried";

export interface Span {
  kind: SpanKind;
  fromMs: number;
  /** `null` while it goes on. */
  toMs: number | null;
}

/** By the id of the call. */
export type Spans = ReadonlyMap<string, readonly Span[]>;

/** Ends the open span of a call, and begins another one. */
export function advance(spans: Map<string, readonly Span[]>, call: string, kind: SpanKind | null, atMs: number): void {
  const before = spans.get(call) ?? [];
  const last = before.at(-1);
  if (last !== undefined && last.toMs === null && last.kind === kind) return;
  const closed = before.map((span) => (span.toMs === null ? { ...span, toMs: atMs } : span));
  spans.set(call, kind === null ? closed : [...closed, { kind, fromMs: atMs, toMs: null }]);
}

/** What seemed to run was a wait. */
export function neverRan(spans: Map<string, readonly Span[]>, call: string): void {
  const before = spans.get(call) ?? [];
  spans.set(
    call,
    before.map((span) => (span.toMs === null && span.kind === "running" ? { ...span, kind: "waiting" } : span)),
  );
}

export function isOver(spans: readonly Span[] | undefined): boolean {
  return spans !== undefined && spans.length > 0 && spans.every((span) => span.toMs !== null);
}

/** The first and the last moment of some calls. */
export function extentOf(calls: readonly (readonly Span[])[], nowMs: number): { fromMs: number; toMs: number } | null {
  const all = calls.flat();
  if (all.length === 0) return null;
  const fromMs = Math.min(...all.map((span) => span.fromMs));
  const toMs = Math.max(...all.map((span) => span.toMs ?? nowMs));
  return { fromMs, toMs: Math.max(toMs, fromMs + 1) };
}

/** The time in which a call ran, without waits. */
export function ranMs(spans: readonly Span[], nowMs: number): number {
  return spans
    .filter((span) => span.kind === "running" || span.kind === "retried")
    .reduce((sum, span) => sum + (span.toMs ?? nowMs) - span.fromMs, 0);
}
