// Code of a model with its words in colours: comments, strings, numbers and keywords, which most languages share. It is not
// exact, and needs no library.

import type { ReactNode } from "react";

const KEYWORDS =
  "as async await break case class const continue def default do elif else enum export extends false finally fn for from " +
  "function if impl import in interface let loop match mod mut new nil none null pub return self static struct switch " +
  "this throw trait true try type undefined use var where while with yield";

const WORDS = new Set(KEYWORDS.split(" "));

const TOKEN =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/|(?<=^|\s)#(?![![]).*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|`(?:\\.|[^`\\])*`)|(?<number>\b\d[\w.]*)|(?<word>[A-Za-z_]\w*)/gm;

/** Longer code stays plain: it would be read again with each piece of a stream. */
const LONGEST = 20_000;

export function highlighted(code: string): ReactNode {
  if (code.length > LONGEST) return code;
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const found of code.matchAll(TOKEN)) {
    const kind = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? "";
    if (kind === "word" && !WORDS.has(found[0].toLowerCase())) continue;
    pieces.push(code.slice(end, found.index));
    pieces.push(
      <span key={found.index} className={`code-${kind}`}>
        {found[0]}
      </span>,
    );
    end = found.index + found[0].length;
  }
  pieces.push(code.slice(end));
  return pieces;
}
