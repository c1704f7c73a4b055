// Values in one line, cut where they are long.

import { visible } from "./visible.ts";

export function oneLine(value: unknown, longest = 90): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const flat = visible(text.replace(/\s+/g, " "));
  return flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat;
}

/** Arguments as they stand between the brackets of a call: `city: "Oslo", days: 3`. */
export function argumentsLine(value: unknown, longest = 90): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return oneLine(value ?? "", longest);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${JSON.stringify(member)}`);
  return oneLine(members.join(", "), longest);
}
