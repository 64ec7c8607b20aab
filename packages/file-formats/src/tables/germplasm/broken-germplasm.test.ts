import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../byte-source.ts';
import type { ProblemReport } from '../../problem.ts';
import { readPedigree } from '../pedigree/read-pedigree.ts';
import { settledFile } from './germplasm-file.test-data.ts';

interface Reading {
  report: ProblemReport;
  /** Names of the rows and of the founders; null for a file that is refused. */
  names: string[] | null;
}

const READERS: Record<'germplasm' | 'pedigree', (source: ByteSource) => Promise<Reading>> = {
  germplasm: async (source) => {
    const { report, entries } = await settledFile(source);
    return { report, names: entries?.map(({ name }) => name) ?? null };
  },
  pedigree: async (source) => {
    const { report, table } = await readPedigree(source);
    return { report, names: table?.names ?? null };
  },
};

const lines = (...rows: string[]): Buffer => Buffer.from(`${rows.join('\n')}\n`);
const GOOD = 'name,female,male\nC,A,B\nA,,\nB,,\n';
const NAMES = ['C', 'A', 'B'];
/** Longer than the window of a compressor, so that a cut falls into the rows. */
const LONG = gzipSync(
  `name,female\n${Array.from({ length: 20_000 }, (_, i) => `line ${(i * 7919) % 20_011},\n`).join('')}`,
);

interface Broken {
  /** As FORMATS of this kind are broken by people, programs and disks. */
  what: string;
  bytes: Buffer | (() => Buffer);
  /** The findings of the germplasm upload, and of the pedigree file where they differ. */
  germplasm: Finding[];
  pedigree?: Finding[];
  /** What is read, where the file is not refused. */
  names?: { germplasm?: string[]; pedigree?: string[] };
}

type Finding = readonly [code: string, line: number | null, column: string | null, value: string | null, cure: RegExp];

const PARENT_UNKNOWN = /^Add it to the file, leave it empty, or choose to create unknown parents/;
const founders: Finding[] = [
  ['I-GP-FOUNDER', 2, 'female (B)', 'A', /^Nothing to do, unless/],
  ['I-GP-FOUNDER', 2, 'male (C)', 'B', /^Nothing to do, unless/],
];
const ragged = (value: string, cure: RegExp): Finding[] => [['E-ROW-WIDTH', 3, null, value, cure]];
const damaged: Finding[] = [['E-GZIP', null, null, null, /Compress the file again/]];
const notText = (line: number): Finding[] => [['E-ENCODING', line, null, null, /Export the table again/]];
const both = (names: string[]) => ({ germplasm: names, pedigree: names });

const BROKEN: Broken[] = [
  {
    what: 'two columns, a parent a row',
    bytes: lines('name,parent', 'C,A', 'C,B', 'A,', 'B,'),
    germplasm: [],
    names: both(NAMES),
  },
  {
    what: 'two columns, one parent known',
    bytes: lines('name,female', 'C,A', 'A,'),
    germplasm: [],
    names: both(['C', 'A']),
  },
  {
    what: 'names alone',
    bytes: lines('name', 'A', 'B'),
    germplasm: [],
    pedigree: [['E-COL-MISSING', 1, null, 'name', /"female" and "male", or one column "pedigree"/]],
    names: { germplasm: ['A', 'B'] },
  },
  {
    what: 'a fourth column',
    bytes: lines('name,female,male,year', 'C,A,B,2020', 'A,,,', 'B,,,'),
    germplasm: [],
    names: both(NAMES),
  },
  {
    what: 'four columns without a header',
    bytes: lines('C,A,B,2020', 'A,,,', 'B,,,'),
    germplasm: [['E-COL-MISSING', 1, null, 'C, A, B, 2020', /put a header above it/]],
  },
  {
    what: 'a blank name',
    bytes: lines('name,female,male', 'C,A,B', ' ,A,B', 'A,,', 'B,,'),
    germplasm: [['E-GP-NAME-EMPTY', 3, 'name (A)', '', /^Fill in or correct the name, or remove the row/]],
  },
  {
    what: 'a name twice with the same parents',
    bytes: lines('name,female,male', 'C,A,B', 'C,A,B', 'A,,', 'B,,'),
    germplasm: [],
    names: both(NAMES),
  },
  {
    what: 'a name twice with other parents',
    bytes: lines('name,female,male', 'C,A,B', 'C,B,A', 'A,,', 'B,,'),
    germplasm: [['E-GP-DUP-NAME', 3, 'name (A)', 'C', /^Keep one of the rows/]],
  },
  ...['-3', '2.5', '1e4', 'F500', 'S-1'].map((generation) => ({
    what: `generation ${generation}`,
    bytes: lines('name,female,male,generation', 'C,A,B,F4', `A,,,${generation}`, 'B,,,'),
    germplasm: [['E-GP-GENERATION', 3, 'generation (D)', generation, /^Write F5, S3 or the number/] as const],
  })),
  {
    what: 'types of cross and generations in other words',
    bytes: lines(
      'name,female,male,cross_type,generation',
      'C,A,B,topcross,DH',
      'D,A,B,polycross,',
      'E,A,B,DH,advanced',
      'A,,,,',
      'B,,,F1,',
    ),
    germplasm: [
      ['W-GP-CROSS-TYPE', 2, 'cross_type (D)', 'topcross', /^Write cross, backcross/],
      ['W-GP-GENERATION', 4, 'generation (E)', 'advanced', /^Write F5, S3, RIL/],
    ],
    names: both(['C', 'D', 'E', 'A', 'B']),
  },
  {
    what: 'a column of types that are none of crosses',
    bytes: lines('name,female,male,type', 'C,A,B,elite', 'A,,,check', 'B,,,elite'),
    germplasm: [],
    names: both(NAMES),
  },
  { what: 'no bytes', bytes: Buffer.alloc(0), germplasm: [['E-EMPTY', null, null, null, /^Choose the file again/]] },
  {
    what: 'blank lines only',
    bytes: lines('', '  ', ''),
    germplasm: [['E-EMPTY', null, null, null, /^Choose the file again/]],
  },
  {
    what: 'a header only',
    bytes: lines('name,female,male'),
    germplasm: [['E-EMPTY', 1, null, null, /^Check that the right file/]],
  },
  {
    what: 'a circle',
    bytes: lines('name,female,male', 'A,,C', 'B,A,', 'C,B,'),
    germplasm: [['E-GP-CYCLE', 2, 'male (C)', 'A', /^Correct the parents of one of them/]],
  },
  {
    what: 'a germplasm that is its own parent',
    bytes: lines('name,female,male', 'A,,', 'C,A,C'),
    germplasm: [['E-GP-SELF-PARENT', 3, 'male (C)', 'C', /^Correct the parent, or leave it empty/]],
  },
  {
    what: 'founders without a row',
    bytes: lines('name,female,male', 'C,A,B'),
    germplasm: [
      ['E-GP-PARENT-UNKNOWN', 2, 'female (B)', 'A', PARENT_UNKNOWN],
      ['E-GP-PARENT-UNKNOWN', 2, 'male (C)', 'B', PARENT_UNKNOWN],
    ],
    pedigree: founders,
    names: { pedigree: NAMES },
  },
  { what: 'a gzip that ends early', bytes: LONG.subarray(0, LONG.length / 2), germplasm: damaged },
  {
    what: 'a damaged gzip',
    bytes: Buffer.concat([LONG.subarray(0, 200), Buffer.alloc(400, 0xff), LONG.subarray(600)]),
    germplasm: damaged,
  },
  {
    what: 'a gzip of a line without end',
    bytes: () => gzipSync(Buffer.alloc(50e6, 'x'), { level: 1 }),
    germplasm: [['E-TOO-LARGE', 1, null, null, /line breaks/]],
  },
  {
    what: 'a gzip of 450 MB of lines',
    bytes: () => {
      const lines = gzipSync(Buffer.from(`${' '.repeat(999_999)}\n`.repeat(50)), { level: 1 });
      return Buffer.concat([gzipSync('name,female\nA,\n'), ...Array.from({ length: 9 }, () => lines)]);
    },
    germplasm: [['E-TOO-LARGE', null, null, null, /^Check that this is the file you meant; split it/]],
  },
  {
    what: 'an image named .csv',
    bytes: Buffer.from('89504e470d0a1a0a0000000d49484452010203', 'hex'),
    germplasm: [['E-TYPE', null, null, null, /^Save it as CSV/]],
  },
  {
    what: 'bytes of a program named .csv',
    bytes: Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919 + ((i * i) % 251)) % 256)),
    germplasm: notText(1),
  },
  {
    what: 'a line of 190 MB',
    bytes: () => Buffer.alloc(190e6, 'x'),
    germplasm: [['E-TOO-LARGE', 1, null, null, /line breaks/]],
  },
  { what: 'a NUL in a name', bytes: lines('name,female,male', 'C\0,A,B', 'A,,', 'B,,'), germplasm: notText(2) },
  {
    what: 'UTF-16 with its mark',
    bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(GOOD, 'utf16le')]),
    germplasm: [],
    names: both(NAMES),
  },
  { what: 'UTF-16 without a mark', bytes: Buffer.from(GOOD, 'utf16le'), germplasm: [], names: both(NAMES) },
  { what: 'line ends of CR alone', bytes: Buffer.from(GOOD.replaceAll('\n', '\r')), germplasm: [], names: both(NAMES) },
  {
    what: 'another encoding',
    bytes: Buffer.from('name,female\nCaf\xe9,\n', 'latin1'),
    germplasm: [['W-ENCODING', null, null, null, /accents or umlauts/]],
    names: both(['Café']),
  },
  {
    what: 'a row that is too short',
    bytes: lines('name,female,male', 'C,A,B', 'A', 'B,,'),
    germplasm: ragged('A', /^Fill in the missing fields/),
  },
  {
    what: 'a row that is too long',
    bytes: lines('name,female,male', 'C,A,B', 'A,,,x', 'B,,'),
    germplasm: ragged('A |  |  | x', /^Put text that contains the separator in quotes/),
  },
  {
    what: 'a quote that is not closed',
    bytes: lines('name,female,male', '"C,A,B', 'A,,', 'B,,'),
    germplasm: [['E-QUOTE', 2, null, '"C,A,B', /^Add the missing "/]],
  },
  {
    what: 'a column twice',
    bytes: lines('name,female,Female', 'C,A,B', 'A,,', 'B,,'),
    germplasm: [['E-COL-DUP', 1, 'Female (C)', 'Female', /^Rename or remove one/]],
  },
  {
    what: 'a VCF',
    bytes: lines('##fileformat=VCFv4.2', '#CHROM\tPOS\tID'),
    germplasm: [['E-TYPE', 1, null, '##fileformat=VCFv4.2', /^Choose the right type of file/]],
  },
];

describe.each(BROKEN)('$what', ({ bytes, names, ...findings }) => {
  test.each(['germplasm', 'pedigree'] as const)('as a %s file', async (kind) => {
    const source = memorySource(typeof bytes === 'function' ? bytes() : bytes, 'table.csv');
    const reading = await READERS[kind](source);
    const expected = findings[kind] ?? findings.germplasm;
    expect(reading.report.problems.map(({ code, line, column, value }) => [code, line, column, value])).toEqual(
      expected.map(([code, line, column, value]) => [code, line, column, value]),
    );
    for (const [place, { message, suggestion }] of reading.report.problems.entries()) {
      expect(message).toMatch(/^["\p{Lu}].*\.$/u);
      expect(suggestion).toMatch(expected[place]?.[4] ?? /^$/);
    }
    expect(reading.names).toEqual(names?.[kind] ?? null);
    expect(reading.names === null).toBe(reading.report.totals.errors > 0);
  });
});

test('a circle is spelled out by names', async () => {
  const source = memorySource(lines('name,female,male', 'A,,C', 'B,A,', 'C,B,'));
  for (const read of Object.values(READERS))
    expect((await read(source)).report.problems[0]?.message).toBe('The pedigree runs in a circle: A <- C <- B <- A.');
});
