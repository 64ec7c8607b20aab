/**
 * Yields the lines of a text in memory, whatever their line ends; `number` is 1-based. `split` would build one array of
 * all lines, and a hundred million blank lines do not fit in an array.
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
