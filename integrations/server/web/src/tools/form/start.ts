// The arguments with which a form begins: what is required, empty, and what has a default.

import { isObject, type Json, type JsonObject } from "../../api/json_value.ts";
import { resolve } from "../schema_tree.tsx";

const DEEPEST = 6;

export function startOf(schema: JsonObject, root: JsonObject = schema, depth = 0): Json | undefined {
  const resolved = resolve(schema, root);
  if (resolved["default"] !== undefined) return resolved["default"];
  if (resolved["const"] !== undefined) return resolved["const"];
  const { properties, required } = resolved;
  if (!isObject(properties) || depth > DEEPEST) return undefined;
  const start: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    const isRequired = Array.isArray(required) && required.includes(name);
    const value = isObject(property) ? startOf(property, root, depth + 1) : undefined;
    if (value !== undefined && (isRequired || (isObject(property) && property["default"] !== undefined))) {
      start[name] = value;
    }
  }
  return start;
}
