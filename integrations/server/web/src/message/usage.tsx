// Tokens, in a line.

import type { Usage } from "../api/messages.ts";

/** Of a response that was cancelled the provider says nothing: what is known is only a part. */
export function UsageText({ usage, isPart = false }: { usage: Usage; isPart?: boolean }) {
  if (usage.inputTokens === 0 && usage.outputTokens === 0) return <span className="muted usage">tokens unknown</span>;
  const beside = [
    usage.cachedInputTokens ? `${usage.cachedInputTokens.toLocaleString()} cached` : "",
    usage.reasoningTokens ? `${usage.reasoningTokens.toLocaleString()} for reasoning` : "",
  ].filter((text) => text !== "");
  return (
    <span className="muted usage">
      {isPart && "at least "}
      {usage.inputTokens.toLocaleString()} tokens in, {usage.outputTokens.toLocaleString()} out
      {beside.length > 0 && ` (${beside.join(", ")})`}
    </span>
  );
}
