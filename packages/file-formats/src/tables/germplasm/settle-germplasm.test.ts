import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNameResolver } from '../../names/name-resolver.ts';
import { foldName } from '../../names/normalize-name.ts';
import { catalogueOf } from './germplasm-file.test-data.ts';
import type { CatalogueEntry, GermplasmRow, SettleOptions } from './germplasm-table.ts';
import { settleGermplasm } from './settle-germplasm.ts';

/** Ways in which people write a name of letters, a blank and a number. */
const SPELLINGS: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(' ', '-'),
  (name) => name.replaceAll(' ', ''),
  (name) => name.replaceAll(' ', '_'),
  (name) => `${name}.`,
];
const nameOf = (index: number): string => `Line ${index}`;
const synonymOf = (index: number): string => `Old name ${index}`;

/** A pedigree: parents by position, always of an earlier one, and how each parent is written. */
const pedigree = fc
  .array(
    fc.record({
      parents: fc.tuple(fc.option(fc.nat()), fc.option(fc.nat())),
      written: fc.tuple(fc.nat(), fc.nat()),
      bySynonym: fc.tuple(fc.boolean(), fc.boolean()),
      hasSynonym: fc.boolean(),
      isStored: fc.boolean(),
      order: fc.nat(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((plants) =>
    plants.map(({ parents, ...plant }, i) => ({
      ...plant,
      parents: parents.map((parent) => (parent === null || i === 0 ? null : parent % i)),
    })),
  );
type Plant = (typeof pedigree extends fc.Arbitrary<(infer One)[]> ? One : never) & object;

/** The rows with the parents in plain names, or as people write them. */
function rowsOf(plants: readonly Plant[], isPlain: boolean): GermplasmRow[] {
  const written = (plant: Plant, side: 0 | 1): string | null => {
    const parent = plant.parents[side] ?? null;
    if (parent === null) return null;
    if (isPlain) return nameOf(parent);
    const named = plants[parent]?.hasSynonym && plant.bySynonym[side] ? synonymOf(parent) : nameOf(parent);
    return (SPELLINGS[plant.written[side] % SPELLINGS.length] ?? SPELLINGS[0]!)(named);
  };
  return plants.map((plant, i) => ({
    ...catalogueOf([nameOf(i)], { [nameOf(i)]: { synonyms: plant.hasSynonym ? [synonymOf(i)] : [] } })[0]!,
    ...{ maternal: written(plant, 0), paternal: written(plant, 1) },
    ...{ line: i + 2, crop: null, isDistinct: false },
  }));
}

const shuffled = (rows: readonly GermplasmRow[], plants: readonly Plant[]): GermplasmRow[] =>
  rows
    .map((row, i) => ({ row, order: plants[i]?.order ?? 0 }))
    .sort((a, b) => a.order - b.order)
    .map(({ row }, i) => ({ ...row, line: i + 2 }));

/** What would be stored, by name; and the findings but for those that say how a name was written. */
function outcome(rows: readonly GermplasmRow[], options: SettleOptions = {}) {
  const { rows: settled, founders, report } = settleGermplasm(rows, { generateUnknownParents: true, ...options });
  return {
    stored: Object.fromEntries(
      settled
        .map(({ target, content }, i) => [target ?? rows[i]!.name, content] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    founders: [...founders].sort(),
    codes: report.problems
      .map(({ code }) => code)
      .filter((code) => code !== 'W-NAME-FOLDED')
      .sort(),
  };
}

describe('what becomes of a file', () => {
  test('does not depend on the order of its rows', () => {
    fc.assert(
      fc.property(pedigree, (plants) => {
        const rows = rowsOf(plants, false);
        expect(outcome(shuffled(rows, plants))).toEqual(outcome(rows));
      }),
    );
  });

  test('does not depend on how parents are written, by name or by synonym', () => {
    fc.assert(
      fc.property(pedigree, (plants) => {
        expect(outcome(rowsOf(plants, false))).toEqual(outcome(rowsOf(plants, true)));
      }),
    );
  });

  test('does not depend on which of its germplasm are stored already', () => {
    fc.assert(
      fc.property(pedigree, (plants) => {
        const rows = rowsOf(plants, true);
        // Whoever is stored has parents that are stored.
        const isStored: boolean[] = [];
        for (const { isStored: wanted, parents } of plants)
          isStored.push(wanted && parents.every((parent) => parent === null || isStored[parent]));
        const catalogue: CatalogueEntry[] = rows.filter((_, i) => isStored[i]);
        expect(outcome(rowsOf(plants, false), { catalogue })).toEqual(outcome(rows));
      }),
    );
  });

  test('does not depend on the order of rows that name unknown parents in several spellings', () => {
    fc.assert(
      fc.property(pedigree, (plants) => {
        const rows = rowsOf(plants, false).filter((_, i) => !plants[i]!.isStored);
        const kept = plants.filter(({ isStored }) => !isStored);
        const whole = outcome(rows);
        expect(outcome(shuffled(rows, kept))).toEqual(whole);
        expect(new Set(whole.founders.map(foldName)).size).toBe(whole.founders.length);
      }),
    );
  });
});

test('a synonym that belongs to another is one error, however many rows name that other as a parent', () => {
  const rows = catalogueOf(['B73', 'Wrong', 'C1', 'C2', 'C3'], {
    Wrong: { synonyms: ['B73'] },
    C1: { maternal: 'B73' },
    C2: { maternal: 'b-73' },
    C3: { maternal: 'B73' },
  }).map((entry, i) => ({ ...entry, line: i + 2, crop: null, isDistinct: false }));
  for (const order of [rows, rows.toReversed()]) {
    const { rows: settled, report } = settleGermplasm(order);
    expect(report.problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'E-GP-SYN-TAKEN', line: 3 },
    ]);
    expect(settled.filter(({ line }) => line > 3).map(({ content }) => content.maternal)).toEqual([
      'B73',
      'B73',
      'B73',
    ]);
  }
});

describe('a parent that could be several germplasm', () => {
  const row = (name: string, given: Partial<GermplasmRow> = {}): GermplasmRow => ({
    ...catalogueOf([name])[0]!,
    ...{ line: 2, crop: null, isDistinct: false },
    ...given,
  });
  const child = row('Child', { maternal: 'naspot8' });
  test.each([
    ['two names', [row('Naspot 8', { isDistinct: true }), row('Naspot-8', { isDistinct: true })]],
    ['a name and a synonym', [row('Naspot 8'), row('Other', { synonyms: ['NASPOT 8'] })]],
    ['synonyms of two', [row('One', { synonyms: ['NASPOT-8'] }), row('Two', { synonyms: ['Naspot 8'] })]],
  ])('is an error that names both, whatever the order: %s', (_, rows) => {
    const names = rows.map(({ name }) => name).sort();
    for (const order of [
      [...rows, child],
      [child, ...[...rows].reverse()],
    ]) {
      const placed = order.map((one, i) => ({ ...one, line: i + 2 }));
      const { report } = settleGermplasm(placed);
      expect(report.problems).toMatchObject([
        {
          code: 'E-NAME-AMBIG',
          line: placed.find(({ name }) => name === 'Child')?.line,
          value: 'naspot8',
          message: `"naspot8" could be "${names[0]}" or "${names[1]}".`,
          suggestion: 'Write the exact name of the one you mean.',
        },
      ]);
      // The way out that the message names.
      const exact = placed.map((one) => (one.name === 'Child' ? { ...one, maternal: names[0]! } : one));
      expect(settleGermplasm(exact).report.totals.errors).toBe(0);
    }
  });
});

test('the resolver gives the same answer whatever the order of names and synonyms', () => {
  const name = fc.constantFrom('A 1', 'A-1', 'a1', 'B', 'b', 'B 2', 'C', 'Ä', 'ä');
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 6 }),
      fc.array(fc.tuple(name, name), { maxLength: 5 }),
      fc.func(fc.nat()),
      (names, synonyms, order) => {
        const mixed = <Item>(items: readonly Item[]): Item[] =>
          [...items].sort((a, b) => order(a) - order(b) || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
        const one = createNameResolver(names, synonyms);
        const other = createNameResolver(mixed(names), mixed(synonyms));
        for (const written of ['A 1', 'a-1', 'A1', 'b', 'B', 'b2', 'C.', 'ä', 'Z']) {
          expect(other.resolve(written)).toEqual(one.resolve(written));
          expect(other.suggest(written)).toEqual(one.suggest(written));
        }
      },
    ),
  );
});
