const SEPARATORS = [',', '\t', ';'];

/** Number of the column, from 0, that a problem names: `Yield (B)` is 1. Undefined where it names none. */
export function columnIndexOf(label: string | null): number | undefined {
  const letters = /\(([A-Z]+)\)$/.exec(label ?? '')?.[1];
  if (letters === undefined) return undefined;
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/**
 * Where a cell stands in a line of a table; undefined when the line has not so many. Quoted separators do not count.
 */
export function cellRange(line: string, column: number): { start: number; end: number } | undefined {
  const separator = separatorOf(line);
  let start = 0;
  let index = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at++) {
    const sign = line[at];
    if (sign === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || sign !== separator)) continue;
    if (index === column) return { start, end: at };
    index++;
    start = at + 1;
  }
  return undefined;
}

function separatorOf(line: string): string {
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Lines around one, with their numbers from 1. */
export function linesAround(text: string, line: number, margin: number): { number: number; text: string }[] {
  const lines = text.split(/\r\n|\n|\r/);
  const first = Math.max(1, line - margin);
  return lines.slice(first - 1, line + margin).map((one, index) => ({ number: first + index, text: one }));
}

/** As the importer reads it: UTF-8, otherwise windows-1252. */
export function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252').decode(bytes);
    throw error;
  }
}
