/**
 * Lines of a text that is held in memory, one after the other, whatever ends them; `number` is 1-based. `split` would make an array of all, and
 * a hundred million blank lines are more than an array holds.
 */
export function* textLines(text: string): Generator<{ number: number; content: string }> {
  const lineEnds = /\r\n|\n|\r/g;
  let number = 1;
  let start = 0;
  for (let match = lineEnds.exec(text); match !== null; match = lineEnds.exec(text)) {
    yield { number: number++, content: text.slice(start, match.index) };
    start = lineEnds.lastIndex;
  }
  if (start < text.length) yield { number, content: text.slice(start) };
}
