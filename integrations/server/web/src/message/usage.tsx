// Tokens, in a line.

import type { Usage } from "../api/messages.ts";

export function UsageText({ usage }: { usage: Usage }) {
  const beside = [
    usage.cachedInputTokens ? `${usage.cachedInputTokens.toLocaleString()} cached` : "",
    usage.reasoningTokens ? `${usage.reasoningTokens.toLocaleString()} for reasoning` : "",
  ].filter((text) => text !== "");
  return (
    <span className="muted usage">
      {usage.inputTokens.toLocaleString()} tokens in, {usage.outputTokens.toLocaleString()} out
      {beside.length > 0 && ` (${beside.join(", ")})`}
    </span>
  );
}
