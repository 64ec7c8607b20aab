/** A piece of a comment as it is shown. */
export type TextPart = { kind: 'text' | 'link' | 'mention'; text: string };

const LINK = /https?:\/\/[^\s<>"'`]+/g;
/** Belongs to the sentence around a link. */
const AFTER_LINK = /[.,;:!?)\]}]+$/;

/** Cuts plain text at its links and at the people it mentions; the pieces put together are the text. */
export function textParts(text: string, names: readonly string[]): TextPart[] {
  const found: { from: number; part: TextPart }[] = [];
  for (const { 0: match, index } of text.matchAll(LINK))
    found.push({ from: index, part: { kind: 'link', text: match.replace(AFTER_LINK, '') } });
  // The longest first: "@Ann Lee" is not "@Ann".
  for (const name of [...names].sort((a, b) => b.length - a.length)) {
    const mention = `@${name}`;
    for (let from = text.indexOf(mention); from >= 0; from = text.indexOf(mention, from + 1))
      found.push({ from, part: { kind: 'mention', text: mention } });
  }
  found.sort((a, b) => a.from - b.from || b.part.text.length - a.part.text.length);
  const parts: TextPart[] = [];
  let at = 0;
  for (const { from, part } of found) {
    if (from < at) continue;
    if (from > at) parts.push({ kind: 'text', text: text.slice(at, from) });
    parts.push(part);
    at = from + part.text.length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** The start of a name that is being typed before the caret, after an `@` at the beginning of a word. */
export function typedName(text: string, caret: number): { from: number; typed: string } | undefined {
  const before = text.slice(0, caret);
  const match = /(?:^|[\s(])@([^\s@][^@\n]{0,40}|)$/u.exec(before);
  if (match === null) return undefined;
  const typed = match[1] ?? '';
  return { from: caret - typed.length - 1, typed };
}
