// What a tool does to the world.

import { isObject, type Json } from "../api/json_value.ts";

interface Known {
  word: string;
  meaning: string;
  tone: string;
}

const EFFECTS: Record<string, Known> = {
  read_only: { word: "reads", meaning: "Changes nothing. It may run again at any time.", tone: "good" },
  idempotent: { word: "idempotent", meaning: "Changes something, the same however often it runs with one key.", tone: "warn" },
  write: { word: "writes", meaning: "May change anything. A call is never made twice.", tone: "warn" },
};

/** The effects as a word. A server may wrap the word in an object with hints. */
export function effectsOf(effects: Json): Known {
  const word = isObject(effects) ? (effects["effects"] ?? effects["kind"] ?? effects["type"]) : effects;
  const key = String(word ?? "write").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, "");
  return EFFECTS[key] ?? { word: key, meaning: "", tone: "warn" };
}

export function EffectsBadge({ effects }: { effects: Json }) {
  const { word, meaning, tone } = effectsOf(effects);
  return (
    <span className={`badge ${tone}`} title={meaning}>
      {word}
    </span>
  );
}
