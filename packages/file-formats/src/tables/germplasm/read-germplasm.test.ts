import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codes, linesSource, problemOf } from '../text/table-text.test-data.ts';
import { catalogueOf, entriesOf, settledFile as readGermplasm, type SettledFile } from './germplasm-file.test-data.ts';
import { pedigreeLoops } from './pedigree-loop.ts';
import { settleGermplasm } from './settle-germplasm.ts';

const parents = (reading: SettledFile) =>
  entriesOf(reading).map(({ name, maternal, paternal }) => [name, maternal, paternal]);

const plain = { crossType: null, selfingGenerations: null };

describe('readGermplasm', () => {
  test('reads names, collection, parents in any order of rows, synonyms and attributes', async () => {
    const reading = await readGermplasm(
      linesSource(
        'Germplasm Name,population,female parent,male parent,synonyms,ACCENUMB,notes',
        'F1,Pop,Mother,Dad,first;second|third,IG 7,late',
        'Mother,,NA,0,"a, b",,',
        'Father,,unknown,?,Dad,,',
      ),
    );
    expect(entriesOf(reading)).toEqual([
      {
        name: 'F1',
        collection: 'Pop',
        maternal: 'Mother',
        paternal: 'Father',
        synonyms: ['first', 'second', 'third'],
        attributes: { ACCENUMB: 'IG 7', notes: 'late' },
        ...plain,
        line: 2,
      },
      {
        name: 'Mother',
        collection: null,
        maternal: null,
        paternal: null,
        synonyms: ['a', 'b'],
        attributes: {},
        ...plain,
        line: 3,
      },
      {
        name: 'Father',
        collection: null,
        maternal: null,
        paternal: null,
        synonyms: ['Dad'],
        attributes: {},
        ...plain,
        line: 4,
      },
    ]);
    expect(reading.report.problems).toEqual([]);
  });

  test('reads three columns, one row a parent, and parents by entry number', async () => {
    const three = await readGermplasm(linesSource('ind\tparent1\tparent2', 'C\tA\tB', 'A\t0\t0', 'B\t\t'));
    expect(parents(three)[0]).toEqual(['C', 'A', 'B']);
    const helium = await readGermplasm(
      linesSource('# heliumInput=PEDIGREE', 'LineName\tParent', 'C\tA', 'C\tB', 'A\t', 'B\t'),
    );
    expect(parents(helium)).toEqual([
      ['C', 'A', 'B'],
      ['A', null, null],
      ['B', null, null],
    ]);
    const typed = await readGermplasm(linesSource('line,parent,parent type', 'C,B,M', 'C,A,F', 'A,,', 'B,,'));
    expect(parents(typed)[0]).toEqual(['C', 'A', 'B']);
    const byNumber = await readGermplasm(
      linesSource('name,entryNo,femaleEntryNo,maleEntryNo', 'C,3,1,2', 'A,1,,', 'B,2,,'),
    );
    expect(parents(byNumber)[0]).toEqual(['C', 'A', 'B']);
  });

  test('parents are found in the crop, by synonym and by folded name', async () => {
    const reading = await readGermplasm(linesSource('name,mother,father', 'C,b-73,Missouri 17'), {
      catalogue: catalogueOf(['B73', 'Mo17'], { Mo17: { synonyms: ['Missouri 17'] } }),
    });
    expect(parents(reading)).toEqual([['C', 'B73', 'Mo17']]);
    expect(codes(reading.report)).toEqual([['W-NAME-FOLDED', 2]]);
  });

  test.each([
    ['no column of names', ['population', 'P'], 'E-COL-MISSING', 1],
    ['a header only', ['name'], 'E-EMPTY', 1],
    ['a blank name', ['name,mother', ',A', 'A,'], 'E-GP-NAME-EMPTY', 2],
    ['a name twice with other content', ['name,population', 'A,P', 'B,P', 'A,Q'], 'E-GP-DUP-NAME', 4],
    ['a third parent', ['line,parent', 'C,A', 'C,B', 'C,A', 'A,', 'B,'], 'E-GP-DUP-NAME', 4],
    ['a parent that is unknown', ['name,mother', 'C,Kabodde', 'Kabode,'], 'E-GP-PARENT-UNKNOWN', 2],
    ['a germplasm as its own parent', ['name,mother', 'A,A'], 'E-GP-SELF-PARENT', 2],
    ['a synonym that is another name', ['name,synonyms', 'A,B', 'B,'], 'E-GP-SYN-TAKEN', 2],
    ['a synonym of two', ['name,synonyms', 'A,X', 'B,X'], 'E-GP-SYN-TAKEN', 3],
    ['another crop', ['name,crop', 'A,Rice'], 'E-GP-CROP', 2],
    ['a circle', ['name,mother,father', 'A,B,', 'B,,C', 'C,A,'], 'E-GP-CYCLE', 2],
  ])('%s', async (_, lines, code, line) => {
    const reading = await readGermplasm(linesSource(...lines), { crop: 'Maize' });
    expect(reading.entries).toBeNull();
    expect(codes(reading.report).filter(([found]) => found.startsWith('E-'))).toEqual([[code, line]]);
  });

  test('a circle is spelled out and an unknown parent gets a suggestion', async () => {
    const circle = await readGermplasm(linesSource('name,mother,father', 'A,B,', 'B,,C', 'C,A,'));
    expect(problemOf(circle.report, 'E-GP-CYCLE').message).toContain('A <- B <- C <- A');
    const unknown = await readGermplasm(linesSource('name,mother', 'C,Kabodde', 'Kabode,'));
    expect(problemOf(unknown.report, 'E-GP-PARENT-UNKNOWN').suggestion).toBe('Did you mean "Kabode"?');
  });

  test('unknown parents become founders when chosen; a single one is doubted', async () => {
    const two = await readGermplasm(linesSource('name,mother,father', 'C,A,B'), { generateUnknownParents: true });
    expect(entriesOf(two).map(({ name, line }) => [name, line])).toEqual([
      ['C', 2],
      ['A', null],
      ['B', null],
    ]);
    expect(codes(two.report)).toEqual([
      ['I-GP-FOUNDER', 2],
      ['I-GP-FOUNDER', 2],
    ]);
    const one = await readGermplasm(linesSource('name,mother', 'A,xxx', 'B,xxx', 'C,xxx'), {
      generateUnknownParents: true,
    });
    expect(codes(one.report)).toContainEqual(['W-GP-FOUNDER-ONLY', 2]);
    const few = await readGermplasm(linesSource('name,mother', 'A,xxx', 'B,xxx'), { generateUnknownParents: true });
    expect(codes(few.report).map(([code]) => code)).not.toContain('W-GP-FOUNDER-ONLY');
  });

  test('selfings, near duplicates, changed parents and a synonym of itself are warnings', async () => {
    const reading = await readGermplasm(linesSource('name,mother,father,synonyms', 'C,A,A,C', 'A,,,', 'naspot8,,,'), {
      catalogue: catalogueOf(['C', 'Z', 'Naspot 8'], { C: { maternal: 'Z' } }),
      existing: 'overwrite',
    });
    expect(codes(reading.report)).toEqual([
      ['E-GP-SYN-SELF', 2],
      ['W-GP-BOTH-SAME', 2],
      ['W-GP-PARENT-CHANGE', 2],
      ['W-GP-NEAR-DUP', 4],
    ]);
    expect(problemOf(reading.report, 'W-GP-PARENT-CHANGE').message).toContain('Z -> A');
    expect(entriesOf(reading)[0]?.synonyms).toEqual([]);
  });
});

describe('stored germplasm', () => {
  const stored = catalogueOf(['B73', 'X'], {
    B73: { collection: 'Stiff stalk', attributes: { origin: 'Iowa' }, synonyms: ['old B73'] },
  });
  const file = ['name,collection,mother,origin,notes', 'B73,Other,X,Ohio,early'];
  test.each([
    ['keep', { collection: 'Stiff stalk', maternal: null, attributes: { origin: 'Iowa' } }],
    ['fill', { collection: 'Stiff stalk', maternal: 'X', attributes: { origin: 'Iowa', notes: 'early' } }],
    ['overwrite', { collection: 'Other', maternal: 'X', attributes: { origin: 'Ohio', notes: 'early' } }],
  ] as const)('%s', async (existing, expected) => {
    const reading = await readGermplasm(linesSource(...file), { catalogue: stored, existing });
    expect(entriesOf(reading)).toMatchObject([{ name: 'B73', ...expected, synonyms: ['old B73'] }]);
  });

  test('a row may name it in another spelling or by a synonym', async () => {
    const reading = await readGermplasm(linesSource('name,collection', 'b-73,P', 'Y,Q'), { catalogue: stored });
    expect(entriesOf(reading).map(({ name }) => name)).toEqual(['B73', 'Y']);
    expect(codes(reading.report)).toEqual([['W-GP-NEAR-DUP', 2]]);
    const bySynonym = await readGermplasm(linesSource('name', 'old B73'), { catalogue: stored });
    expect(codes(bySynonym.report)).toEqual([['I-GP-SYNONYM', 2]]);
  });

  test('lines confirmed as really different are created beside it', () => {
    const row = { ...catalogueOf(['b-73'])[0]!, line: 2, crop: null, isDistinct: true };
    expect(settleGermplasm([row], { catalogue: stored })).toMatchObject({
      rows: [{ action: 'create', target: null }],
      report: { problems: [] },
    });
    const taken = settleGermplasm([{ ...row, isDistinct: false }], { catalogue: stored });
    expect(taken.rows).toMatchObject([{ action: 'same', target: 'B73', severity: 'warning' }]);
  });

  test('a circle through stored parents is found', async () => {
    const catalogue = catalogueOf(['A', 'B'], { B: { maternal: 'A' } });
    const reading = await readGermplasm(linesSource('name,mother', 'A,B'), { catalogue, existing: 'fill' });
    expect(problemOf(reading.report, 'E-GP-CYCLE').message).toContain('A <- B <- A');
    const kept = await readGermplasm(linesSource('name,mother', 'A,B'), { catalogue, existing: 'keep' });
    expect(kept.report.totals.errors).toBe(0);
  });
});

test('passport data (MCPD) gives names, other numbers and attributes', async () => {
  const reading = await readGermplasm(
    linesSource(
      'INSTCODE\tACCENUMB\tACCENAME\tOTHERNUMB\tCROPNAME\tORIGCTY',
      'NLD037\tCGN1\tEmma;Avlon\tSWE002:NGB7;USA020:PI 9\tMaize\tNLD',
      'NLD037\tCGN2\t\t\tMaize\t',
    ),
    { crop: 'maize' },
  );
  expect(entriesOf(reading)).toMatchObject([
    { name: 'Emma', synonyms: ['Avlon', 'NGB7', 'PI 9'], attributes: { ACCENUMB: 'CGN1', ORIGCTY: 'NLD' } },
    { name: 'CGN2', synonyms: [], attributes: { INSTCODE: 'NLD037' } },
  ]);
});

describe('the ancestry of passport data', () => {
  const lines = [
    'ACCENUMB\tACCENAME\tANCEST',
    '1\tA\tselection from Irene',
    '2\tB\t',
    '3\tA/B\tA/b',
    '4\tC\tunknown/A/B',
    '5\tD\tA/B//unknown',
    '6\tE\tA/New',
    '7\tF\tunknown/unknown',
  ];

  test('gives the parents where both are known, and is an attribute otherwise', async () => {
    const reading = await readGermplasm(
      linesSource(...lines.map((line) => line.replace('unknown/A/B', 'unknown//A/B'))),
    );
    expect(parents(reading)).toEqual([
      ['A', null, null],
      ['B', null, null],
      ['A/B', 'A', 'B'],
      ['C', null, 'A/B'],
      ['D', 'A/B', null],
      ['E', null, null],
      ['F', null, null],
    ]);
    expect(entriesOf(reading).map(({ attributes }) => attributes['ANCEST'])).toEqual([
      'selection from Irene',
      ...[undefined, undefined, undefined, undefined],
      ...['A/New', 'unknown/unknown'],
    ]);
    expect(problemOf(reading.report, 'I-GP-ANCEST').message).toContain('3 lines');
    expect(problemOf(reading.report, 'W-GP-ANCEST').message).toContain('2 lines, such as "A/New"');
  });

  test('names founders when unknown parents are created, but makes no line of what is no name', async () => {
    const reading = await readGermplasm(linesSource(...lines, '8\tG\tA*2/New', '9\tH\tX/Y//Z'), {
      generateUnknownParents: true,
    });
    expect(parents(reading)).toContainEqual(['E', 'A', 'New']);
    // "unknown/A/B" does not say which cross was made last.
    expect(parents(reading)).toContainEqual(['C', null, null]);
    expect(entriesOf(reading).flatMap(({ line, name }) => (line === null ? [name] : []))).toEqual(['New']);
    expect(entriesOf(reading).filter(({ attributes }) => attributes['ANCEST']?.includes('/'))).toHaveLength(4);
  });

  test('does not count beside parents of its own', async () => {
    const reading = await readGermplasm(linesSource('name,mother,ANCEST', 'A,,', 'B,,', 'C,A,A/B'));
    expect(entriesOf(reading)[2]).toMatchObject({ maternal: 'A', paternal: null, attributes: { ANCEST: 'A/B' } });
  });
});

test.each([
  ['F1', null, 0],
  ['F5', null, 4],
  ['F4:5', null, 4],
  ['BC1F3', 'BACKCROSS', 2],
  ['DH', 'DH', null],
  ['RIL', 'SELF', 8],
  ['3', null, 3],
])('the generation %s is understood', async (text, crossType, selfingGenerations) => {
  const reading = await readGermplasm(linesSource('name,generation', `A,${text}`));
  const [entry] = entriesOf(reading);
  expect([entry?.crossType === 'BIPARENTAL' ? null : entry?.crossType, entry?.selfingGenerations]).toEqual([
    crossType,
    selfingGenerations,
  ]);
});

test('two spellings of an unknown parent become one founder', async () => {
  const reading = await readGermplasm(linesSource('name,mother,father', 'A,P 1,', 'B,p1,'), {
    generateUnknownParents: true,
  });
  expect(parents(reading)).toEqual([
    ['A', 'P 1', null],
    ['B', 'P 1', null],
    ['P 1', null, null],
  ]);
});

describe('pedigreeLoops', () => {
  test('a pedigree whose parents come before their children has no loop, however deep', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 40 }), (pairs) => {
        const parentsOf = (name: string) => {
          const index = Number(name);
          return index === 0 ? [] : (pairs[index] ?? []).map((parent) => String(parent % index));
        };
        expect(
          pedigreeLoops(
            pairs.map((_, index) => String(index)),
            parentsOf,
          ),
        ).toEqual([]);
      }),
    );
    const deep = Array.from({ length: 100_000 }, (_, index) => String(index));
    expect(pedigreeLoops(deep, (name) => (name === '99999' ? ['0'] : [String(Number(name) + 1)]))).toHaveLength(1);
  });

  test('every loop that is reported is one', () => {
    const parentLists = fc.array(fc.array(fc.nat(9), { maxLength: 2 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(parentLists, (lists) => {
        const parentsOf = (name: string) => (lists[Number(name)] ?? []).map(String);
        for (const loop of pedigreeLoops(
          lists.map((_, index) => String(index)),
          parentsOf,
        )) {
          expect(loop[0]).toBe(loop.at(-1));
          for (let i = 1; i < loop.length; i++) expect(parentsOf(loop[i - 1]!)).toContain(loop[i]);
        }
      }),
    );
  });
});
