/** Something that the palette leads to or does. */
export interface Rankable {
  group: string;
  label: string;
  /** The server found it, perhaps by a name that is not shown: it stays, however the label reads. */
  isFound?: boolean;
}

export interface EntryGroup<Entry> {
  name: string;
  entries: Entry[];
}

const PREFIX = 4;
const WORD_START = 3;
const INSIDE = 2;
const SCATTERED = 1;

/**
 * How well a text fits what is typed: 0 when a word of it is missing. Beginnings count more than insides, and letters
 * in their order with gaps (`crsim` for "Crossing Simulation") the least.
 */
export function fit(text: string, typed: string): number {
  const lower = text.toLocaleLowerCase();
  let sum = 0;
  for (const word of typed.toLocaleLowerCase().split(/\s+/)) {
    if (word === '') continue;
    const score = fitOfWord(lower, word);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

function fitOfWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return PREFIX;
  if (at > 0) return /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? INSIDE : WORD_START;
  // One letter or two are in order in nearly everything.
  return word.length > 2 && isScattered(text, word) ? SCATTERED : 0;
}

function isScattered(text: string, word: string): boolean {
  let from = 0;
  for (const letter of word) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** What fits, in groups: the group of the best entry first, and the best of each first. Ties keep their order. */
export function rankEntries<Entry extends Rankable>(entries: readonly Entry[], typed: string): EntryGroup<Entry>[] {
  const scored =
    typed.trim() === ''
      ? entries.map((entry) => ({ entry, score: 1 }))
      : entries
          .map((entry) => ({ entry, score: scoreOf(entry, typed) }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score);
  const groups = new Map<string, Entry[]>();
  for (const { entry } of scored) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups].map(([name, members]) => ({ name, entries: members }));
}

const scoreOf = ({ label, isFound }: Rankable, typed: string): number =>
  Math.max(fit(label, typed), isFound ? SCATTERED : 0);
