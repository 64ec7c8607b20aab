import { readFile } from 'node:fs/promises';

/** A name and its line in the list that names it, from 1. */
export interface ListedName {
  name: string;
  line: number;
}

/** The names of a list with one name a line. Blank lines, and lines that begin with `#`, are not names. */
export function namesOf(text: string): ListedName[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line, k) => ({ name: line.trim(), line: k + 1 }))
    .filter(({ name }) => name !== '' && !name.startsWith('#'));
}

/** Reads a list of names from disk, for {@link namesOf}. */
export async function readNameList(path: string): Promise<string> {
  return readFile(path, 'utf8');
}
