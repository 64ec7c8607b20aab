import { describe, expect, test } from 'vitest';
import { codes, linesSource, problemOf } from '../text/table-text.test-data.ts';
import type { PedigreeTable } from './pedigree-table.ts';
import { readPedigree } from './read-pedigree.ts';

const read = (...lines: string[]) => readPedigree(linesSource(...lines));

async function tableOf(...lines: string[]): Promise<PedigreeTable> {
  const { table, report } = await read(...lines);
  if (table === null) throw new Error(JSON.stringify(report.problems, null, 1));
  return table;
}

/** `child: female × male` with generations of selfing where there are any. */
function descents({ names, maternal, paternal, selfings }: PedigreeTable): string[] {
  const of = (parent: number): string => names[parent] ?? '?';
  return names.map((name, i) => {
    const parents = maternal[i]! < 0 && paternal[i]! < 0 ? '' : `: ${of(maternal[i]!)} × ${of(paternal[i]!)}`;
    return `${name}${parents}${selfings[i] === 0 ? '' : ` (${selfings[i]})`}`;
  });
}

describe('readPedigree', () => {
  test('reads three columns in any order of rows, and makes founders of parents without a row', async () => {
    const table = await tableOf('name,female,male', 'C,A,B', 'D,C,0', 'A,,');
    expect(descents(table)).toEqual(['C: A × B', 'D: C × ?', 'A', 'B']);
    expect(table.origins).toEqual(['row', 'row', 'row', 'founder']);
  });

  test('reads one row a parent, as Helium writes it', async () => {
    const table = await tableOf(
      '# heliumInput=PEDIGREE',
      'LineName\tParent\tParentType',
      'C\tB\tM',
      'C\tA\tF',
      'A\t\t',
      'B\t\t',
    );
    expect(descents(table)).toEqual(['C: A × B', 'A', 'B']);
  });

  test('lines, doubled haploids, selfed plants and clones descend in their own ways', async () => {
    const table = await tableOf(
      'name,female,male,cross_type,generation',
      'Inbred,,,DH,',
      'F1,A,Inbred,,F1',
      'L,A,Inbred,,F5',
      'H,F1,,DH,',
      'S,F1,,self,',
      'S3,F1,,self,S3',
      'K,,F1,clone,',
      'A,,,,',
    );
    expect(descents(table)).toEqual([
      'Inbred (Infinity)',
      'F1: A × Inbred',
      'L: A × Inbred (4)',
      'H: F1 × F1 (Infinity)',
      'S: F1 × F1',
      'S3: F1 × F1 (2)',
      'K: F1 × F1 (-1)',
      'A',
    ]);
  });

  test('Purdy strings give crosses in between, which rows share', async () => {
    const table = await tableOf('designation,pedigree', 'L1,A/B//C', 'L2,A/B//D*2', 'A,', 'AB,', 'L3,"L1/3/(A/B)-7"');
    expect(descents(table)).toEqual([
      'L1: A/B × C',
      'L2: A/B//D × D',
      'A',
      'AB',
      'L3: L1 × (A/B)-7',
      'A/B: A × B',
      'A/B//D: A/B × D',
      '(A/B)-7: A × B',
      'C',
      'D',
      'B',
    ]);
    expect(table.origins.slice(5)).toEqual(['cross', 'cross', 'cross', 'founder', 'founder', 'founder']);
  });

  test('a parent that a Purdy string does not know is no line', async () => {
    const table = await tableOf('ACCENUMB\tANCEST', 'C\tunknown/A', 'D\tA/?//C', 'A\t');
    expect(descents(table)).toEqual(['C: ? × A', 'D: A/? × C', 'A', 'A/?: A × ?']);
  });

  test.each([
    ['no column of parents', ['name,collection', 'A,P'], 'E-COL-MISSING'],
    ['a Purdy string that cannot be read', ['name,pedigree', 'L,A/B/C'], 'E-PED-PURDY'],
    ['a clone of two plants', ['name,female,male,cross_type', 'K,A,B,clone'], 'E-PED-CLONE'],
    ['a circle through a Purdy string', ['name,pedigree', 'A,B/C', 'B,A/C'], 'E-GP-CYCLE'],
    ['a plant that is its own parent', ['name,female,male', 'A,A,B'], 'E-GP-SELF-PARENT'],
    ['the same name with other parents', ['name,female,male', 'C,A,B', 'C,B,A'], 'E-GP-DUP-NAME'],
  ])('%s is refused', async (_, lines, code) => {
    const { table, report } = await read(...lines);
    expect(table).toBeNull();
    expect(codes(report).map(([found]) => found)).toContain(code);
  });

  test('says why a string cannot be read, and warns of one without a cross', async () => {
    const bad = await read('name,pedigree', 'L,A/B/C');
    expect(problemOf(bad.report, 'E-PED-PURDY').message).toContain('two crosses of the same order');
    const single = await read('name,pedigree', 'L,Elite 7', 'M,A/B');
    expect(single.table).not.toBeNull();
    expect(problemOf(single.report, 'W-PED-NO-CROSS').line).toBe(2);
  });

  test('a name longer than the database takes is cut and stays unique', async () => {
    const long = (letter: string): string => letter.repeat(130);
    const table = await tableOf('name,pedigree', `L,${long('A')}/${long('B')}//C`, `M,${long('A')}/${long('D')}//C`);
    const crosses = table.names.filter((_, i) => table.origins[i] === 'cross');
    expect(new Set(crosses).size).toBe(2);
    expect(Math.max(...crosses.map((name) => name.length))).toBeLessThanOrEqual(255);
  });
});
