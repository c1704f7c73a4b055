// JSON text with the place of its first mistake, which browsers tell each in their own way or not at all.

import type { Json } from "../api/json_value.ts";

export interface Mistake {
  message: string;
  /** Both from 1. */
  line: number;
  column: number;
  /** From 0, in the units of JavaScript's strings. */
  offset: number;
}

export type Parsed = { value: Json; mistake: null } | { value: undefined; mistake: Mistake };

export function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as Json, mistake: null };
  } catch {
    const scanner = new Scanner(text);
    const { message, offset } = scanner.firstMistake() ?? { message: "this is no JSON", offset: 0 };
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    return { value: undefined, mistake: { message, line, column, offset } };
  }
}

class Wrong extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const DEEPEST = 500;

class Scanner {
  #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  firstMistake(): { message: string; offset: number } | null {
    try {
      this.#value(0);
      this.#space();
      if (this.#at < this.#text.length) throw new Wrong("nothing may follow the value", this.#at);
      return null;
    } catch (error) {
      if (error instanceof Wrong) return error;
      throw error;
    }
  }

  #space() {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #value(depth: number) {
    this.#space();
    const next = this.#text[this.#at];
    if (next === undefined) throw new Wrong("a value is missing", this.#at);
    if (depth > DEEPEST) throw new Wrong("this is nested too deeply", this.#at);
    if (next === "{") this.#members("}", depth);
    else if (next === "[") this.#members("]", depth);
    else if (next === '"') this.#string();
    else if (next === "-" || /\d/.test(next)) this.#token(NUMBER, "this is no number of JSON");
    else this.#word();
  }

  #members(end: "}" | "]", depth: number) {
    this.#at += 1;
    this.#space();
    if (this.#take(end)) return;
    for (;;) {
      if (end === "}") this.#key();
      this.#value(depth + 1);
      this.#space();
      if (this.#take(end)) return;
      if (!this.#take(",")) throw new Wrong(`a comma or ${end} is missing`, this.#at);
      this.#space();
      if (this.#text[this.#at] === end) throw new Wrong(`no comma may stand before ${end}`, this.#at);
    }
  }

  #key() {
    this.#space();
    if (this.#text[this.#at] !== '"') throw new Wrong("a name in double quotes is missing", this.#at);
    this.#string();
    this.#space();
    if (!this.#take(":")) throw new Wrong("a colon is missing after the name", this.#at);
  }

  #string() {
    const start = this.#at;
    STRING.lastIndex = start;
    const found = STRING.exec(this.#text);
    if (found === null) throw new Wrong("this string has no end, or a character that JSON does not allow", start);
    this.#at = STRING.lastIndex;
  }

  #token(pattern: RegExp, message: string) {
    const start = this.#at;
    pattern.lastIndex = start;
    if (pattern.exec(this.#text) === null) throw new Wrong(message, start);
    this.#at = pattern.lastIndex;
    if (/[\w.]/.test(this.#text[this.#at] ?? "")) throw new Wrong(message, start);
  }

  #word() {
    for (const word of ["true", "false", "null"]) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return;
      }
    }
    const hint = this.#text[this.#at] === "'" ? "strings of JSON have double quotes" : "a value of JSON is missing";
    throw new Wrong(hint, this.#at);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}
