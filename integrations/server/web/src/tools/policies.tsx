// The limits and rules that hold for the calls of a tool.

import type { Json } from "../api/json_value.ts";
import type { Tool } from "../api/tools.ts";
import { oneLine } from "../json/one_line.ts";
import { spanText } from "../shell/times.ts";
import { effectsOf } from "./effects.tsx";

const NAMES: Record<string, string> = {
  approval: "Approval",
  endsRun: "Ends the run",
  external: "Answered by the application",
  maxOutputBytes: "Longest output",
  polls: "Asks how far something is",
  rateLimit: "Rate limit",
  requires: "Requires",
  retries: "Retries",
  sequential: "Runs alone",
  spawn: "Runs in a task of its own",
  timeoutMs: "Time limit",
};

export function Policies({ tool }: { tool: Tool }) {
  const { word, meaning } = effectsOf(tool.effects);
  const rules = Object.entries(tool.policies).filter(([, value]) => isSaid(value));
  return (
    <dl className="facts">
      <div>
        <dt>Effects</dt>
        <dd>
          {word}. <span className="muted">{meaning}</span>
        </dd>
      </div>
      {rules.map(([name, value]) => (
        <div key={name}>
          <dt>{NAMES[name] ?? name}</dt>
          <dd>{textOf(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function isSaid(value: Json): boolean {
  return value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

function textOf(name: string, value: Json): string {
  if (name === "approval" && value === true) return "somebody approves each call before it starts";
  if (value === true) return "yes";
  if (name.endsWith("Ms") && typeof value === "number") return spanText(value);
  if (name.endsWith("Bytes") && typeof value === "number") return `${value.toLocaleString()} bytes`;
  if (Array.isArray(value)) return value.map((item) => oneLine(item)).join(", ");
  return oneLine(value);
}
