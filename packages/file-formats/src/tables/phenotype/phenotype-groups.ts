import { normalizeName } from '../../names/normalize-name.ts';
import type { GroupColumn } from './phenotype-table.ts';
import type { TraitData, TraitWords, WordIds } from './trait-data.ts';

/**
 * A column with more different words than this holds notes, dates or names rather than groups; keeping them all could
 * take as much memory as the file.
 */
const MAX_GROUPS = 1000;

export const createWordIds = (): WordIds => ({ ids: new Map(), words: [] });

/** Number of a word; {@link MAX_GROUPS} for every word after the first that many. */
function idOfWord({ ids, words }: WordIds, cell: string): number {
  const known = ids.get(cell);
  if (known !== undefined) return known;
  const word = normalizeName(cell);
  let id = ids.get(word);
  if (id === undefined) {
    if (words.length >= MAX_GROUPS) return MAX_GROUPS;
    id = words.length;
    words.push(word);
    ids.set(word, id);
  }
  // Spellings that differ only in blanks; at most as many as there may be words, so that the map stays small.
  if (ids.size < 2 * MAX_GROUPS) ids.set(cell, id);
  return id;
}

/** Assigns individuals to the groups that the cells of a column name. */
export interface GroupCollector {
  /** Adds a row of an individual, given by its number; an empty cell is missing. */
  add(individual: number, cell: string): void;
  /** The groups of all individuals. */
  finish(column: Pick<GroupColumn, 'name' | 'origin'>, individuals: readonly string[]): GroupColumn;
}

export function createGroupCollector(): GroupCollector {
  const known = createWordIds();
  /** By individual; undefined and −1 = missing. */
  const codes: number[] = [];
  let conflict: { individual: number; words: [number, number] } | null = null;
  let hasTooMany = false;
  return {
    add(individual, cell) {
      // Later rows cannot change the result.
      if (hasTooMany || conflict !== null || cell === '') return;
      const id = idOfWord(known, cell);
      if (id === MAX_GROUPS) {
        hasTooMany = true;
        return;
      }
      const earlier = codes[individual] ?? -1;
      if (earlier >= 0 && earlier !== id) conflict = { individual, words: [earlier, id] };
      else codes[individual] = id;
    },
    finish(column, individuals) {
      if (hasTooMany || conflict !== null) {
        const two: GroupColumn['conflict'] =
          conflict === null
            ? null
            : {
                individual: individuals[conflict.individual],
                groups: [known.words[conflict.words[0]], known.words[conflict.words[1]]],
              };
        return { ...column, groups: [], codes: new Int32Array(0), conflict: two, hasTooMany };
      }
      const order = Array.from(known.words.keys()).sort((a, b) => collator.compare(known.words[a], known.words[b]));
      const place = new Int32Array(order.length);
      for (const [rank, id] of order.entries()) place[id] = rank;
      return {
        ...column,
        groups: order.map((id) => known.words[id]),
        codes: Int32Array.from(individuals, (_, i) => (codes[i] === undefined ? -1 : place[codes[i]])),
        conflict: null,
        hasTooMany: false,
      };
    },
  };
}

/** `G2` before `G10`. */
const collator = new Intl.Collator('en', { numeric: true });

const NO_WORD = -1;

/** Keeps the word of a row; rows between the last word and this one have none. */
export function setWord(words: TraitWords, row: number, cell: string): void {
  while (words.codes.length < row) words.codes.push(NO_WORD);
  words.codes.push(idOfWord(words.known, cell));
}

/** How often each word of a trait occurs, words that differ only in case together; the most frequent first. */
export function countWords({ known, codes }: TraitWords): { word: string; count: number; row: number }[] {
  const counts = new Map<string, { word: string; count: number; row: number }>();
  for (let row = 0; row < codes.length; row++) {
    const word = known.words[codes.at(row)];
    if (word === undefined) continue;
    const counted = counts.get(word.toLowerCase());
    if (counted === undefined) counts.set(word.toLowerCase(), { word, count: 1, row });
    else counted.count++;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** Forgets the word of a row that a later row supersedes. */
export function forgetWord(words: TraitWords, row: number): void {
  if (row < words.codes.length) words.codes.set(row, NO_WORD);
}

/**
 * The groups of a categorical trait. A cell with a number (among words, or in a column declared as categorical) is the
 * group of that number.
 */
export function groupsOfTrait(trait: TraitData, individuals: readonly string[]): GroupColumn {
  const collector = createGroupCollector();
  const column = { name: trait.header.name, origin: 'trait' } as const;
  const { rows, values, words } = trait;
  const wordRows = words?.codes.length ?? 0;
  for (let row = 0; row < values.length; row++) {
    const word = row < wordRows ? (words?.codes.at(row) ?? NO_WORD) : NO_WORD;
    if (word === MAX_GROUPS)
      return { ...column, groups: [], codes: new Int32Array(0), conflict: null, hasTooMany: true };
    const value = values.at(row);
    const cell = word === NO_WORD ? (Number.isNaN(value) ? '' : String(value)) : (words?.known.words[word] ?? '');
    collector.add(rows.individual.at(row), cell);
  }
  return collector.finish(column, individuals);
}
