// One tool: what it is, what each provider is sent, and a place to try it.

import { useEffect, useRef } from "react";

import { getTool } from "../api/tools.ts";
import { JsonView, TextView } from "../json/view.tsx";
import { hrefOf } from "../shell/route.ts";
import { Failed, Loading } from "../shell/status.tsx";
import { Tabs } from "../shell/tabs.tsx";
import { useLoaded } from "../shell/use_loaded.ts";
import { EffectsBadge } from "./effects.tsx";
import { Policies } from "./policies.tsx";
import { Providers } from "./providers.tsx";
import { SchemaTree } from "./schema_tree.tsx";
import { TryTool } from "./try_tool.tsx";

export function ToolDetail({ name, mayCall }: { name: string; mayCall: boolean }) {
  const tool = useLoaded(name, (signal) => getTool(name, signal));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Whoever chose the tool with the keyboard goes on from its name.
    if (document.activeElement?.closest(".entries")) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <article className="detail">
      <a className="back" href={hrefOf({ area: "tools", name: null })}>
        All tools
      </a>
      <header className="detail-head">
        <h2 className="detail-title" ref={heading} tabIndex={-1}>
          <code>{name}</code>
        </h2>
        {tool.value && <EffectsBadge effects={tool.value.effects} />}
        {tool.value?.external && <span className="badge">external</span>}
      </header>
      {tool.state === "loading" && <Loading what="the tool" />}
      {tool.state === "failed" && <Failed retry={tool.reload}>{tool.error}</Failed>}
      {tool.value && (
        <>
          <p className="lead">{tool.value.description}</p>
          {mayCall && <TryTool tool={tool.value} />}
          <section aria-labelledby="about-tool">
            <h3 id="about-tool">About the tool</h3>
            <Tabs
              label="About the tool"
              tabs={[
                { id: "rules", title: "Effects and limits", content: <Policies tool={tool.value} /> },
                { id: "parameters", title: "Parameters", content: <SchemaTree schema={tool.value.parameters} /> },
                {
                  id: "schema",
                  title: "JSON Schema",
                  content: <JsonView value={tool.value.parameters} label="JSON Schema of the parameters" />,
                },
                ...(tool.value.output
                  ? [
                      {
                        id: "output",
                        title: "Response schema",
                        content: <JsonView value={tool.value.output} label="JSON Schema of the response" />,
                      },
                    ]
                  : []),
                ...(tool.value.providers?.length
                  ? [
                      {
                        id: "providers",
                        title: "What providers are sent",
                        content: <Providers sent={tool.value.providers} />,
                      },
                    ]
                  : []),
                ...(tool.value.promptLock
                  ? [
                      {
                        id: "lock",
                        title: "Prompt lock",
                        content: <TextView text={tool.value.promptLock} label="prompt lock" />,
                      },
                    ]
                  : []),
              ]}
            />
          </section>
        </>
      )}
    </article>
  );
}
