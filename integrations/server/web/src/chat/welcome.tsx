// What a chat shows before its first message: what this page is, and what the model can use.

import type { Info } from "../api/info.ts";
import { getTools } from "../api/tools.ts";
import { hrefOf } from "../shell/route.ts";
import { useLoaded } from "../shell/use_loaded.ts";
import { EffectsBadge } from "../tools/effects.tsx";

export function Welcome({ info, onAsk }: { info: Info | null; onAsk: (question: string) => void }) {
  const tools = useLoaded("tools", getTools);
  return (
    <div className="welcome">
      <p className="welcome-title">Ask the model, and watch which tools it calls.</p>
      <p className="muted">
        {info?.model ? `Your questions go to ${info.model}. ` : ""}
        Each round shows its calls side by side, with their times, arguments and results. Everything is kept: a reload
        goes on where it was, and Runs shows each step.
      </p>
      {info?.suggestions?.length ? (
        <ul className="suggestions" aria-label="Suggestions">
          {info.suggestions.map((question) => (
            <li key={question}>
              <button type="button" onClick={() => onAsk(question)}>
                {question}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {tools.value !== null && tools.value.length > 0 && (
        <>
          <h2>Tools that it may call</h2>
          <ul className="welcome-tools">
            {tools.value.map((tool) => (
              <li key={tool.name}>
                <a href={hrefOf({ area: "tools", name: tool.name })}>
                  <code>{tool.name}</code>
                </a>{" "}
                <EffectsBadge effects={tool.effects} />
                <span className="muted"> {tool.description}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
