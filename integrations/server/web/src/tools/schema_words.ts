// Types and constraints of a JSON Schema, in words.

import { isObject, type Json, type JsonObject } from "../api/json_value.ts";

export function typeText(schema: JsonObject): string {
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(choices)) return choicesText(choices);
  const type = schema["type"];
  const types = Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "any";
  if (type === "array" && isObject(schema["items"])) {
    const items = schema["items"];
    const of = typeof items["$ref"] === "string" ? (items["$ref"].split("/").pop() ?? "") : typeText(items);
    return `array of ${of}`;
  }
  return types;
}

function choicesText(choices: Json[]): string {
  const texts = choices.map((choice) => (isObject(choice) ? typeText(choice) : "any"));
  return [...new Set(texts)].join(" | ");
}

const CONSTRAINTS: [string, (value: Json) => string][] = [
  ["format", (value) => String(value)],
  ["minimum", (value) => `at least ${String(value)}`],
  ["exclusiveMinimum", (value) => `more than ${String(value)}`],
  ["maximum", (value) => `at most ${String(value)}`],
  ["exclusiveMaximum", (value) => `less than ${String(value)}`],
  ["multipleOf", (value) => `a multiple of ${String(value)}`],
  ["minLength", (value) => `${String(value)} characters or more`],
  ["maxLength", (value) => `${String(value)} characters at most`],
  ["pattern", (value) => `like /${String(value)}/`],
  ["minItems", (value) => `${String(value)} items or more`],
  ["maxItems", (value) => `${String(value)} items at most`],
  ["uniqueItems", (value) => (value === true ? "no item twice" : "")],
  ["default", (value) => `${JSON.stringify(value)} by default`],
];

export function describeConstraints(schema: JsonObject): string {
  return CONSTRAINTS.map(([key, say]) => {
    const value = schema[key];
    return value === undefined ? "" : say(value);
  })
    .filter((text) => text !== "")
    .join(", ");
}
