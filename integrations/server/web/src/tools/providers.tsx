// What each provider is sent of a tool, and what it cannot be told.

import type { Loss, SentToProvider } from "../api/tools.ts";
import { JsonView } from "../json/view.tsx";
import { Tabs } from "../shell/tabs.tsx";

export function Providers({ sent }: { sent: SentToProvider[] }) {
  return (
    <Tabs
      label="Providers"
      tabs={sent.map(({ provider, definition, losses }) => ({
        id: provider,
        title: (
          <>
            {provider}
            {losses.length > 0 && (
              <span className="count">
                {losses.length}
                <span className="visually-hidden"> {losses.length === 1 ? "loss" : "losses"}</span>
              </span>
            )}
          </>
        ),
        content: (
          <>
            <Losses losses={losses} />
            <JsonView value={definition} label={`definition for ${provider}`} />
          </>
        ),
      }))}
    />
  );
}

function Losses({ losses }: { losses: Loss[] }) {
  if (losses.length === 0) return <p className="muted">The provider takes the whole schema.</p>;
  return (
    <>
      <p>The provider does not take all of the schema:</p>
      <ul className="losses">
        {losses.map((loss, index) => (
          <li key={index}>
            <code>{loss.path}</code>
            {loss.keyword && <code className="muted"> {loss.keyword}</code>}: {loss.message ?? loss.kind}
          </li>
        ))}
      </ul>
    </>
  );
}
