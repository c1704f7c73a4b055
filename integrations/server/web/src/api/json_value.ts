// Values of JSON.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
