// Text in which everything can be seen, as `core/src/visible.rs` makes it: who decides about a call must not miss a
// character, nor see a text in another order. `\u{` itself is written `\u{5c}u{`, so that no two texts become one.

const UNSEEN = /(?![ \n\t])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|[ \t](?=\n|$)|\\(?=u\{)/gu;

export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "\\u{a}");
}
