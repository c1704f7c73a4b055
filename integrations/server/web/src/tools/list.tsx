// The tools, by name.

import type { Tool } from "../api/tools.ts";
import { hrefOf } from "../shell/route.ts";
import { Empty } from "../shell/status.tsx";
import { EffectsBadge } from "./effects.tsx";

interface Props {
  tools: Tool[];
  search: string;
  onSearch: (search: string) => void;
  current: string | null;
}

export function ToolList({ tools, search, onSearch, current }: Props) {
  const words = search.toLowerCase().split(/\s+/);
  const found = tools.filter((tool) => {
    const text = `${tool.name} ${tool.title ?? ""} ${tool.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <aside className="side" aria-label="Tools">
      <label className="search">
        <span className="visually-hidden">Search the tools</span>
        <input
          type="search"
          value={search}
          placeholder={`Search ${tools.length} tools`}
          onChange={(event) => onSearch(event.target.value)}
        />
      </label>
      <ul className="entries">
        {found.map((tool) => (
          <li key={tool.name}>
            <a
              href={hrefOf({ area: "tools", name: tool.name })}
              aria-current={tool.name === current ? "true" : undefined}
            >
              <span className="entry-head">
                <code>{tool.name}</code>
                <EffectsBadge effects={tool.effects} />
              </span>
              <span className="entry-text muted">{tool.description}</span>
            </a>
          </li>
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {search !== "" && `${found.length} of ${tools.length} tools`}
      </p>
      {found.length === 0 && <Empty>No tool has these words.</Empty>}
    </aside>
  );
}
