import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../byte-source.ts';
import { codesOf, listed, type Outcome, readFileOf, zipOf } from './genotype-file.test-data.ts';
import { createRandomStream } from './random.test-data.ts';

const lines = (...rows: (string | number)[][]): string => rows.map((cells) => `${cells.join('\t')}\n`).join('');
const VCF_COLUMNS = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
const vcf = (samples: string[], ...rows: string[][]): string =>
  `##fileformat=VCFv4.2\n${lines([...VCF_COLUMNS, ...samples], ...rows)}`;
const variant = (position: number, id: string, ref: string, alt: string, ...calls: string[]): string[] => [
  '1',
  String(position),
  id,
  ref,
  alt,
  '.',
  '.',
  '.',
  'GT',
  ...calls,
];
const HAPMAP_COLUMNS =
  'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode'.split('\t');
const hapmap = (samples: string[], ...rows: [string, ...string[]][]): string =>
  lines(
    [...HAPMAP_COLUMNS, ...samples],
    ...rows.map(([alleles, ...calls], i) => [`m${i}`, alleles, 1, 10 + i, '+', ...Array(6).fill('NA'), ...calls]),
  );

const problem = (outcome: Outcome, code: string) => {
  const found = outcome.report.problems.find((candidate) => candidate.code === code);
  expect(found, `${code} among ${listed(outcome).join('; ')}`).toBeDefined();
  return found;
};
const dosages = (outcome: Outcome) => outcome.panel.markers.map((marker) => marker.dosages);
const alleles = (outcome: Outcome) => outcome.panel.markers.map(({ a1, a2 }) => `${a1}/${a2}`);

describe('HapMap calls', () => {
  test('of all two-fold IUPAC codes, in either case, and of two letters with or without a sign', async () => {
    const outcome = await readFileOf(
      hapmap(
        ['a', 'b', 'c', 'd'],
        ['A/G', 'A', 'R', 'r', 'G'],
        ['C/T', 'C', 'Y', 'TC', 'T'],
        ['C/G', 'CC', 'S', 'C/G', 'GG'],
        ['A/T', 'AA', 'W', 'T|A', 'T:T'],
        ['G/T', 'g', 'K', 'gt', 't'],
        ['A/C', 'A', 'M', 'CA', 'C'],
      ),
    );
    expect(outcome.report.totals.errors).toBe(0);
    expect(dosages(outcome)).toEqual(Array.from({ length: 6 }, () => [0, 1, 1, 2]));
  });

  test.each(['N', 'NN', '-', '--', 'NA', '', '.', 'N/N', 'AN'])('of "%s" are missing', async (call) => {
    const outcome = await readFileOf(hapmap(['a', 'b', 'c'], ['A/G', 'A', call, 'G']));
    expect(dosages(outcome)).toEqual([[0, null, 2]]);
  });

  test('of another allele than the one that is listed twice are told of', async () => {
    const outcome = await readFileOf(hapmap(['a', 'b'], ['T/T', 'TT', 'GG'], ['T/T', 'TT', 'NN']));
    expect(alleles(outcome)).toEqual(['T/G', 'T/0']);
    expect(problem(outcome, 'W-GT-ALLELES')).toMatchObject({ line: 2, message: expect.stringContaining('1 marker') });
  });

  test('of insertions and deletions are read where the alleles say so, and there only', async () => {
    const outcome = await readFileOf(hapmap(['a', 'b', 'c', 'd', 'e'], ['+/-', '+', '0', '-', 'N', '+-']));
    expect(alleles(outcome)).toEqual(['+/-']);
    expect(dosages(outcome)).toEqual([[0, 1, 2, null, 1]]);
    const other = await readFileOf(hapmap(['a', 'b'], ['A/G', 'A', '+']));
    expect(listed(other)).toContain('E-GT-BAD-CALL line 2 b (M) +');
  });

  test('count the second of the alleles, whatever is more frequent', async () => {
    const outcome = await readFileOf(hapmap(['a', 'b', 'c'], ['G/A', 'A', 'A', 'G'], ['A/G', 'A', 'A', 'G']));
    expect(alleles(outcome)).toEqual(['G/A', 'A/G']);
    expect(dosages(outcome)).toEqual([
      [2, 2, 0],
      [0, 0, 2],
    ]);
  });

  test('of an allele that is not listed become missing, with their number', async () => {
    const outcome = await readFileOf(hapmap(['a', 'b', 'c'], ['A/G', 'A', 'T', 'AC']));
    expect(dosages(outcome)).toEqual([[0, null, null]]);
    expect(problem(outcome, 'W-GT-OTHER-ALLELE')).toMatchObject({
      line: 2,
      message: expect.stringMatching(/^2 calls/),
    });
  });

  test('without listed alleles count the rarer one', async () => {
    const outcome = await readFileOf(hapmap(['a', 'b', 'c'], ['NA', 'T', 'T', 'C']));
    expect(alleles(outcome)).toEqual(['T/C']);
    expect(dosages(outcome)).toEqual([[0, 0, 2]]);
    expect(problem(outcome, 'W-GT-ALLELES')).toMatchObject({ line: 2 });
  });

  test('with three alleles are split', async () => {
    const outcome = await readFileOf(hapmap(['a', 'b', 'c'], ['A/C/G', 'M', 'S', 'G']));
    expect(alleles(outcome)).toEqual(['A/C', 'A/G']);
    expect(dosages(outcome)).toEqual([
      [1, 1, 0],
      [0, 1, 2],
    ]);
    expect(problem(outcome, 'W-GT-MULTI')).toMatchObject({ line: 2 });
  });
});

describe('a VCF', () => {
  test('whose alleles have no names counts allele 1', async () => {
    const outcome = await readFileOf(vcf(['a', 'b'], variant(5, 'm', '.', '.', '0/1', '1/1')));
    expect(dosages(outcome)).toEqual([[1, 2]]);
    expect(problem(outcome, 'W-GT-ALLELES')).toMatchObject({ line: 3 });
  });

  test('with haploid calls has them as homozygous', async () => {
    const outcome = await readFileOf(vcf(['a', 'b', 'c'], variant(5, 'm', 'A', 'C', '0', '1', '.')));
    expect(dosages(outcome)).toEqual([[0, 2, null]]);
    expect(problem(outcome, 'W-GT-HAPLOID')).toMatchObject({ line: 3, message: expect.stringMatching(/^2 calls/) });
  });

  test('keeps insertions and deletions with their alleles', async () => {
    const outcome = await readFileOf(vcf(['a', 'b'], variant(5, 'm', 'ACT', 'A', '0/1', '1|1')));
    expect(alleles(outcome)).toEqual(['ACT/A']);
    expect(dosages(outcome)).toEqual([[1, 2]]);
  });

  test('takes the expected dosage of three genotypes where there is no GT', async () => {
    const row = variant(5, 'm', 'A', 'C', '0.1,0.7,0.2', '0,0,1', '.').map((cell) => (cell === 'GT' ? 'GP' : cell));
    const outcome = await readFileOf(vcf(['a', 'b', 'c'], row));
    expect(dosages(outcome)).toEqual([[1, 2, null]]);
    expect(problem(outcome, 'I-GT-DOSAGE')?.message).toMatch(/^1 call of 1 marker/);
  });

  test.each([
    ['without samples', vcf([]), 'E-GT-NO-GT line 2'],
    ['without header line', `##fileformat=VCFv4.2\n${lines(variant(5, 'm', 'A', 'C', '0/0'))}`, 'E-NO-HEADER line 2'],
    ['that ends before its header', '##fileformat=VCFv4.2\n##source=x\n', 'E-NO-HEADER'],
    ['whose tabs became blanks', vcf(['a']).replaceAll('\t', ' '), 'E-COL-MISSING line 2'],
    ['with a wrong column', vcf(['a']).replace('\tREF', '\tReference'), 'E-COL-MISSING line 2 Reference (D) Reference'],
    ['with a name of control characters', vcf(['a\u0007b'], variant(5, 'm', 'A', 'C', '0/0')), 'E-NAME-INVALID line 2'],
    ['with a name of 256 letters', vcf(['x'.repeat(256)], variant(5, 'm', 'A', 'C', '0/0')), 'E-NAME-INVALID line 2'],
    ['with a NUL in a call', vcf(['a'], variant(5, 'm', 'A', 'C', '0/\0')), 'E-'],
    [
      'with a position beyond any genome',
      vcf(['a'], variant(3e9, 'm', 'A', 'C', '0/0')),
      'E-GT-POS line 3 POS (B) 3000000000',
    ],
    [
      'with a position that a spreadsheet has shortened',
      vcf(['a'], variant(5, 'm', 'A', 'C', '0/0')).replace('\t5\t', '\t1.2E+06\t'),
      'E-GT-POS line 3 POS (B) 1.2E+06',
    ],
    ['with position 0', vcf(['a'], variant(0, 'm', 'A', 'C', '0/0')), 'E-GT-POS line 3 POS (B) 0'],
    [
      'with 255 alternatives',
      vcf(['a'], variant(5, 'm', 'A', Array(255).fill('C').join(','), '0/255')),
      'E-GT-BAD-CALL line 3 ALT (E)',
    ],
    [
      'with a haploid call behind a diploid one',
      vcf(['a', 'b'], variant(5, 'm', 'A', 'C', '0/1', '1')),
      'E-GT-PLOIDY-MIX line 3 b (K) 1',
    ],
    [
      'with a diploid call behind a haploid one',
      vcf(['a', 'b'], variant(5, 'm', 'A', 'C', '1', '0/1')),
      'E-GT-PLOIDY-MIX line 3 b (K) 0/1',
    ],
    ...['2.5', '-0.1', 'x', '0,1'].map((dosage) => [
      `with the dosage ${dosage}`,
      vcf(['a'], variant(5, 'm', 'A', 'C', dosage)).replace('\tGT\t', '\tDS\t'),
      `E-GT-BAD-CALL line 3 a (J) ${dosage}`,
    ]),
    ...['0,1', '0,2,0', '-1,1,1', '0.5'].map((probabilities) => [
      `with the probabilities ${probabilities}`,
      vcf(['a'], variant(5, 'm', 'A', 'C', probabilities)).replace('\tGT\t', '\tGP\t'),
      `E-GT-BAD-CALL line 3 a (J) ${probabilities}`,
    ]),
    ['with four alleles a call', vcf(['a'], variant(5, 'm', 'A', 'C', '0/0/1/1')), 'E-GT-PLOIDY line 3 0/0/1/1'],
    ['without a reference', vcf(['a'], variant(5, 'm', '', 'C', '0/1')), 'E-GT-NO-ALLELE line 3 REF (D)'],
    ['with two references', vcf(['a'], variant(5, 'm', 'G,C', 'T', '0/1')), 'E-NAME-INVALID line 3 REF G,C'],
    ['without an alternative', vcf(['a'], variant(5, 'm', 'C', '', '0/1')), 'E-GT-NO-ALLELE line 3 ALT (E)'],
    ['with a comma behind ALT', vcf(['a'], variant(5, 'm', 'C', 'T,', '0/1')), 'E-GT-NO-ALLELE line 3 ALT (E)'],
    ['with one allele as both', vcf(['a'], variant(5, 'm', 'GT', 'gt', '0/1')), 'E-GT-SAME-ALLELES line 3 ALT gt'],
    ['with an alternative twice', vcf(['a'], variant(5, 'm', 'G', 'T,T', '0/2')), 'E-GT-SAME-ALLELES line 3 ALT T'],
    [
      'with the reference among its alternatives',
      vcf(['a'], variant(5, 'm', 'G', 'T,G', '0/2')),
      'E-GT-SAME-ALLELES line 3 ALT G',
    ],
    [
      'with an id of many kB',
      vcf(['a'], variant(5, 'x'.repeat(17_000), 'G', 'T', '0/1')),
      'E-NAME-INVALID line 3 ID xxx',
    ],
    [
      'below a header of other samples',
      `${vcf(['a', 'b'], variant(5, 'm', 'A', 'C', '0/1', '1/1'))}${vcf(['b', 'a'], variant(9, 'n', 'A', 'C', '0/1', '1/1'))}`,
      'E-GT-HEADER line 5 b (J) b',
    ],
    [
      'below a header of more samples',
      `${vcf(['a'], variant(5, 'm', 'A', 'C', '0/1'))}${vcf(['a', 'b'], variant(9, 'n', 'A', 'C', '0/1', '1/1'))}`,
      'E-GT-HEADER line 5 b (K) b',
    ],
  ])('%s is refused', async (_, text, expected) => {
    const outcome = await readFileOf(text);
    const errors = listed(outcome).filter((entry) => entry.startsWith('E-'));
    expect(errors[0]?.slice(0, expected.length)).toBe(expected);
    expect(outcome.left).toEqual([]);
  });

  test.each([
    ['chromosome', vcf(['a'], variant(5, 'm', 'A', 'C', '0/1')).replace('\n1\t', '\n1\u0007\t'), 'CHROM 1\u0007'],
    ['id', vcf(['a'], variant(5, 'm\u0001', 'A', 'C', '0/1')), 'ID m\u0001'],
    ['reference', vcf(['a'], variant(5, 'm', 'A\u007F', 'C', '0/1')), 'REF A\u007F'],
    ['alternative', vcf(['a'], variant(5, 'm', 'A', 'C C', '0/1')), 'ALT C C'],
  ])('with a character in the %s that would break a line apart is refused', async (_, text, expected) => {
    const outcome = await readFileOf(text);
    expect(listed(outcome)).toContain(`E-NAME-INVALID line 3 ${expected}`);
    expect(outcome.left).toEqual([]);
  });

  test('that a spreadsheet has saved is read without the quotes around its cells', async () => {
    const outcome = await readFileOf(
      [
        '##fileformat=VCFv4.2\t\t\t',
        '"##INFO=<ID=AF,Number=A,Type=Float,Description=""Frequency"">"\t\t\t',
        '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t"Line ""a"", late"\tb',
        '1\t5\tm\tA\t"C,G"\t.\t.\t"AC=1,2"\tGT:AD\t"0/1:5,5,0"\t"1/2:0,3,4"',
        '1\t7\tn\tA\tC\t.\t.\t.\tGP:GT\t"0,1,0:0/1"\t"0,0,1:1/1"',
        '1\t9\to\tA\tC\t.\t.\t.\tGT\t0/1\t1/1',
        '',
      ].join('\r\n'),
    );
    expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
    expect(outcome.panel.samples).toEqual(['Line "a", late', 'b']);
    expect(alleles(outcome)).toEqual(['A/C', 'A/G', 'A/C', 'A/C']);
    expect(dosages(outcome)).toEqual([
      [1, 1],
      [0, 1],
      [1, 2],
      [1, 2],
    ]);
  });

  test('with a split row has ids from its alleles for all parts of it', async () => {
    const outcome = await readFileOf(vcf(['a'], variant(5, 'm', 'A', 'C,G', '1/2')));
    expect(outcome.panel.markers.map(({ id }) => id)).toEqual(['1_5_A_C', '1_5_A_G']);
  });

  test('that has to be sorted keeps the order of its markers at one place', async () => {
    const markers = [
      variant(9, 'z', 'A', 'C', '0/1'),
      variant(9, 'y', 'A', 'G', '1/1'),
      variant(5, 'x', 'A', 'C', '0/0'),
    ];
    const outcome = await readFileOf(vcf(['a'], ...markers));
    expect(outcome.panel.markers.map(({ id }) => id)).toEqual(['x', 'z', 'y']);
  });

  test('counts markers of one allele, whichever it is', async () => {
    const markers = [variant(5, 'm1', 'A', 'C', '0/0', './.'), variant(7, 'm2', 'A', 'C', '1/1', './.')];
    const outcome = await readFileOf(vcf(['a', 'b'], ...markers, variant(9, 'm3', 'A', 'C', '0/0', '0/1')));
    expect(problem(outcome, 'W-GT-MONO')?.message).toMatch(/^2 markers of 3 /);
  });

  test('with a blank inside an id keeps it', async () => {
    const outcome = await readFileOf(vcf(['a'], variant(5, 'marker 5', 'A', 'C', '0/1')));
    expect(outcome.panel.markers.map(({ id }) => id)).toEqual(['marker 5']);
  });

  test('in windows-1252 is read with a warning', async () => {
    const text = Buffer.from(vcf(['Müller', 'b'], variant(5, 'm', 'A', 'C', '0/0', '0/1')), 'latin1');
    const outcome = await readFileOf(memorySource(text, 'old.vcf'));
    expect(outcome.panel.samples).toEqual(['Müller', 'b']);
    expect(codesOf(outcome)).toContain('W-ENCODING');
  });

  test('with a variant under two ids is refused, or kept when the user says so', async () => {
    const text = vcf(['a'], variant(5, 'm', 'A', 'C', '0/1'), variant(5, 'n', 'A', 'C', '1/1'));
    expect(problem(await readFileOf(text), 'E-GT-DUP-POS')).toMatchObject({ line: 4, value: '1:5 A/C' });
    const kept = await readFileOf(text, { duplicatePositions: 'keep' });
    expect(dosages(kept)).toEqual([[1], [2]]);
    expect(problem(kept, 'W-GT-DUP-POS')).toMatchObject({ line: 4, column: 'POS' });
  });

  test('gives one place two ids where the file gives both the same, and tells them by their alleles', async () => {
    const text = vcf(['a'], variant(5, 'm', 'A', 'C', '0/1'), variant(5, 'm', 'A', 'G', '1/1'));
    const outcome = await readFileOf(text);
    expect(outcome.panel.markers.map(({ id }) => id)).toEqual(['m', '1_5_A_G']);
    expect(problem(outcome, 'W-GT-ID-IMPUTED')).toMatchObject({ line: 4, value: '1_5_A_G' });
  });
});

describe('figures of the samples', () => {
  const random = createRandomStream(11);
  const samples = Array.from({ length: 12 }, (_, i) => `s${i}`);
  const inbred = Array.from({ length: 200 }, (_, j) => {
    const calls: string[] = samples.map(() => (random() < 0.5 ? '0/0' : '1/1'));
    calls[1] = calls[0] ?? '';
    calls[2] = j % 3 === 0 ? '0/1' : '1/1';
    if (j % 2 === 0) calls[3] = './.';
    return variant(10 + j, `m${j}`, 'A', 'C', ...calls);
  });

  test('name the sample with few calls, the heterozygous one among inbreds, and the pair of the same genotype', async () => {
    const outcome = await readFileOf(vcf(samples, ...inbred));
    expect(outcome.report.totals.errors).toBe(0);
    expect(problem(outcome, 'W-GT-CALLRATE')?.value).toBe('s3 (0.50)');
    expect(problem(outcome, 'W-GT-HET')?.value).toBe('s2 (0.34)');
    expect(problem(outcome, 'W-GT-DUPLICATE-GENOTYPE')?.value).toBe('s0 and s1');
    expect(outcome.duplicates?.pairs).toEqual([{ first: 0, second: 1, identity: 1 }]);
    expect(outcome.stats?.sampleMissing[3]).toBe(100);
    expect(outcome.stats?.sampleHet[2]).toBe(67);
  });
});

describe('a matrix of numbers', () => {
  test('with fractions keeps them beside the nearest calls, with their number', async () => {
    const outcome = await readFileOf('taxa,m1,m2\na,0.9,2\nb,0,1.2\n');
    expect(dosages(outcome)).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(problem(outcome, 'I-GT-DOSAGE')?.message).toMatch(/^2 calls of 2 markers/);
    expect(problem(outcome, 'W-GT-CODING')?.value).toBe('0/1/2');
  });

  test('of 0 and 1 alone is absence and presence, unless the user says that these are copies', async () => {
    const text = 'id\tm1\tm2\na\t0\t1\nb\t1\t0\n';
    expect(dosages(await readFileOf(text))).toEqual([
      [0, 2],
      [2, 0],
    ]);
    expect(dosages(await readFileOf(text, { numericCoding: '0/1/2' }))).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(dosages(await readFileOf(text, { numericCoding: '-1/0/1' }))).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  test('says in which ways its numbers can be read, and warns until somebody has said which is right', async () => {
    const ways = async (text: string, options = {}) => {
      const { numericCoding, report } = await readFileOf(text, options);
      return { ...numericCoding, isAsked: report.totals.byCode['W-GT-CODING'] === 1 };
    };
    const zeroOne = 'marker,chrom,pos,REF,ALT,a,b\nm1,1,5,A,C,0,1\nm2,1,9,G,T,1,0\n';
    expect(await ways(zeroOne)).toEqual({ coding: '0/1', fits: ['0/1/2', '-1/0/1', '0/1'], isAsked: true });
    expect(await ways(zeroOne, { numericCoding: '0/1/2' })).toMatchObject({ coding: '0/1/2', isAsked: false });
    expect(await ways('id,m1,m2\na,0,2\nb,1,0\n')).toEqual({ coding: '0/1/2', fits: ['0/1/2'], isAsked: true });
    expect(await ways('id,m1,m2\na,-1,1\nb,1,-1\n')).toEqual({ coding: '-1/0/1', fits: ['-1/0/1'], isAsked: true });
    expect((await readFileOf('id,m1\na,AC\nb,AA\n')).numericCoding).toBeNull();
  });

  test('is refused when it does not fit the coding that was wanted, with those that do', async () => {
    const outcome = await readFileOf('id,m1,m2\na,0,2\nb,1,0\n', { numericCoding: '-1/0/1' });
    expect(problem(outcome, 'E-GT-CODING')?.suggestion).toBe('Read the numbers as 0/1/2.');
    expect(outcome.numericCoding).toEqual({ coding: null, fits: ['0/1/2'] });
    expect(outcome.left).toEqual([]);
  });

  test.each([
    ['copies of a tetraploid', 'id,m1,m2\na,0,4\nb,3,2\n', 'E-GT-PLOIDY line 2 m2 (C) 4'],
    ['-9 for a missing call', 'id,m1,m2\na,0,2\nb,-9,1\nc,1,1\nd,1,1\n', 'E-GT-CODING line 3 m1 (B) -9'],
    ['both -1 and 2', 'id,m1,m2\na,0,2\nb,-1,1\n', 'E-GT-CODING line 2 m2 (C) 2'],
    ['a sample without a name', 'id,m1,m2\na,0,2\n,1,1\n', 'E-NAME-EMPTY line 3'],
    ['one marker id twice', 'id,m1,m1\na,0,2\nb,1,1\n', 'E-GT-DUP-MARKER line 1 ID m1'],
  ])('with %s is refused', async (_, text, expected) => {
    const outcome = await readFileOf(text);
    const errors = listed(outcome).filter((entry) => entry.startsWith('E-'));
    expect(errors[0]?.slice(0, expected.length)).toBe(expected);
    expect(outcome.left).toEqual([]);
  });

  test('may have quoted cells, CR line ends, UTF-16, a comment before its header', async () => {
    const text = '# exported\r"marker","chrom","pos","a, b","c"\r"m1","2A",7,0,2\r"m2","10",9,NA,1\r';
    for (const source of [Buffer.from(text), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      const outcome = await readFileOf(memorySource(source, 'matrix.csv'));
      expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
      expect(outcome.panel.samples).toEqual(['a, b', 'c']);
      expect(outcome.panel.markers).toEqual([
        { id: 'm1', chromosome: '2A', positionBp: 7, a1: '0', a2: '0', dosages: [0, 2] },
        { id: 'm2', chromosome: '10', positionBp: 9, a1: '0', a2: '0', dosages: [null, 1] },
      ]);
    }
  });

  // A pattern of numbers that can be matched in two ways takes a day to find that this is none.
  test('with a cell of a million digits that is no number is refused at once', async () => {
    const text = `id,m1,m2\ns1,0,${'0'.repeat(1_000_000)}x\ns2,1,1\n`;
    expect(codesOf(await readFileOf(memorySource(Buffer.from(text), 'matrix.csv')))).toContain('E-TYPE');
  });
});

describe('a HapMap', () => {
  const hapmap = (...rows: string[][]) =>
    [['rs#', 'alleles', 'chrom', 'pos', ...Array(7).fill('x'), 'a', 'b', 'c', 'd'], ...rows]
      .map((cells) => `${cells.join('\t')}\n`)
      .join('');
  const lead = (id: string, listedAlleles: string, position: number) => [
    id,
    listedAlleles,
    '1',
    String(position),
    ...Array(7).fill('NA'),
  ];

  test('may write a deletion as 0 or -, and both alleles of an indel as 0', async () => {
    const outcome = await readFileOf(
      hapmap(
        [...lead('m1', '+/0', 5), '++', '00', '+0', 'NN'],
        [...lead('m2', '0/ACT', 9), '-', '+', '0', 'N'],
        [...lead('m3', '-/+', 12), '--', '++', '-+', '+-'],
      ),
    );
    expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
    expect(alleles(outcome)).toEqual(['+/-', '-/ACT', '-/+']);
    expect(dosages(outcome)).toEqual([
      [0, 2, 1, null],
      [0, 2, 1, null],
      [0, 2, 1, 1],
    ]);
  });

  test('without an id has one made from its position', async () => {
    const outcome = await readFileOf(
      hapmap([...lead('NA', 'A/C', 5), 'A', 'C', 'M', 'N'], [...lead('.', 'A/C', 9), 'A', 'C', 'M', 'N']),
    );
    expect(outcome.panel.markers.map(({ id }) => id)).toEqual(['1@5', '1@9']);
  });
});

describe('PLINK and Flapjack', () => {
  const ped = (...rows: string[]) => rows.map((row) => `${row}\n`).join('');

  test('family ids tell individuals with one name apart, and count for nothing else', async () => {
    const source = zipOf({
      'x.ped': ped('F1 1 0 0 0 -9 A A', 'F2 1 0 0 0 -9 A G', 'F3 2 0 0 0 -9 G G', 'F3 3 0 0 0 -9 A A'),
      'x.map': '1 m 0 5\n',
    });
    const outcome = await readFileOf(source);
    expect(outcome.panel.samples).toEqual(['F1_1', 'F2_1', '2', '3']);
    expect(dosages(outcome)).toEqual([[0, 1, 2, 0]]);
  });

  test.each([
    ['1234', 'B 1 0 0 0 -9 1 1', 'B 2 0 0 0 -9 1 3', '1/3'],
    ['AB', 'B 1 0 0 0 -9 A A', 'B 2 0 0 0 -9 A B', 'A/B'],
  ])('alleles may be %s', async (_, first, second, expected) => {
    const outcome = await readFileOf(zipOf({ 'x.ped': ped(first, second, 'B 3 0 0 0 -9 0 0'), 'x.map': '1 m 5\n' }));
    expect(alleles(outcome)).toEqual([expected]);
    expect(dosages(outcome)).toEqual([[0, 1, null]]);
  });

  test('a byte order mark is no part of the first name, and UTF-16 is read', async () => {
    const texts = { 'x.ped': 'F a 0 0 0 -9 A A\nF b 0 0 0 -9 A G\n', 'x.map': '1 m 0 5\n' };
    const trio = { 'x.bim': '1\tm\t0\t5\tA\tC\n', 'x.fam': 'F a 0 0 0 -9\nF b 0 0 0 -9\n' };
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const marked = (files: Record<string, string>) =>
        Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(`\uFEFF${text}`, encoding)]));
      const bed = Uint8Array.of(0x6c, 0x1b, 1, 0b1000);
      for (const source of [zipOf(marked(texts)), zipOf({ 'x.bed': bed, ...marked(trio) })]) {
        const outcome = await readFileOf(source);
        expect(outcome.panel.samples).toEqual(['a', 'b']);
        expect(outcome.panel.markers.map(({ chromosome }) => chromosome)).toEqual(['1']);
        expect(dosages(outcome)).toEqual([outcome.format === 'plink-binary' ? [2, 1] : [0, 1]]);
      }
    }
  });

  test('of two equally frequent alleles the first of the alphabet is the reference', async () => {
    const people = ped('F 1 0 0 0 -9 T T', 'F 2 0 0 0 -9 G G');
    expect(alleles(await readFileOf(zipOf({ 'x.ped': people, 'x.map': '1 m 5\n' })))).toEqual(['G/T']);
  });

  test('a negative position of a .bim counts as unknown', async () => {
    const source = zipOf({
      'x.bed': Uint8Array.of(0x6c, 0x1b, 1, 0),
      'x.bim': '1\tm\t0\t-5\tA\tC\n',
      'x.fam': 'F a 0 0 0 -9\n',
    });
    expect((await readFileOf(source)).panel.markers).toMatchObject([{ id: 'm', positionBp: 0 }]);
  });

  const flapjackOf = (head: string, ...rows: string[]) =>
    zipOf({
      'g.txt': [`${head}\tm1\tm2`, ...rows.map((row) => row.replaceAll(' ', '\t'))].join('\n'),
      'm.txt': '1H\t120\nm1\t1H\t10\nm2\t1H\t25\n',
    });

  test('alleles of Flapjack have any names, and a map may tell the length of a chromosome', async () => {
    const outcome = await readFileOf(
      flapjackOf('Accession / Markers', 'L1 162 A', 'L2 170/162 A/Q', 'L3 - Q', 'L4 162/- A'),
    );
    expect(outcome.format).toBe('flapjack');
    expect(alleles(outcome)).toEqual(['<162>/<170>', 'A/<Q>']);
    expect(dosages(outcome)).toEqual([
      [0, 1, null, null],
      [0, 1, 2, 0],
    ]);
    expect(problem(outcome, 'I-GT-ALLELE-NAMES')?.value).toBe('162, 170, Q');
  });

  test('numbers 0 to 3 below the corner of Flapjack name alleles, and with 4 they are copies', async () => {
    const outcome = await readFileOf(flapjackOf('Line/Marker', 'L1 0 1', 'L2 3 1', 'L3 3 2', 'L4 3 -'));
    expect(alleles(outcome)).toEqual(['<3>/<0>', '<1>/<2>']);
    expect(dosages(outcome)).toEqual([
      [2, 0, 0, 0],
      [0, 0, 2, null],
    ]);
    expect(codesOf(await readFileOf(flapjackOf('Line/Marker', 'L1 0 1', 'L2 4 1')))).toEqual(['E-GT-PLOIDY']);
  });

  test('numbers 0 to 2 are copies of an allele, unless the file says that it is of Flapjack: then it is asked', async () => {
    const rows = ['L1 0 1', 'L2 2 1'];
    const read = await readFileOf(flapjackOf('Line/Marker', ...rows));
    expect([read.format, dosages(read)]).toEqual([
      'numeric-matrix',
      [
        [0, 2],
        [1, 1],
      ],
    ]);
    const said = await readFileOf(flapjackOf('# fjFile = GENOTYPE\n', ...rows));
    expect(codesOf(said)).toEqual(['E-GT-CODING']);
  });

  test('a Flapjack map may have thousands separators', async () => {
    const genotype = '# fjFile = GENOTYPE\n\tm1\tm2\na\tA\tG\n';
    const map = '# fjFile = MAP\nm1\t1\t1,234,567\nm2\t1\t2,000,000\n';
    const { panel } = await readFileOf(zipOf({ 'g.dat': genotype, 'm.map': map }));
    expect(panel.markers.map(({ positionBp }) => positionBp)).toEqual([1_234_567, 2_000_000]);
  });

  test('half a call is missing, with a warning', async () => {
    const outcome = await readFileOf(
      zipOf({ 'x.ped': ped('F 1 0 0 0 -9 A A', 'F 2 0 0 0 -9 0 G', 'F 3 0 0 0 -9 G A'), 'x.map': '1 m 0 5\n' }),
    );
    expect(dosages(outcome)).toEqual([[0, null, 1]]);
    expect(problem(outcome, 'W-GT-HALF-CALL')).toMatchObject({ line: 2 });
  });

  test('a .bed by individual and .bim lines with too few fields or no chromosome are refused', async () => {
    const fam = 'F a 0 0 0 -9\n';
    const bim = '1\tm\t0\t5\tA\tC\n';
    const bySample = await readFileOf(zipOf({ 'x.bed': Uint8Array.of(0x6c, 0x1b, 0, 0), 'x.bim': bim, 'x.fam': fam }));
    expect(problem(bySample, 'E-GT-TRIO')?.message).toContain('by individual');
    const short = await readFileOf(
      zipOf({ 'x.bed': Uint8Array.of(0x6c, 0x1b, 1, 0, 0), 'x.bim': `${bim}1\tn\t0\t6\n`, 'x.fam': fam }),
    );
    expect(problem(short, 'E-GT-TRIO')).toMatchObject({ line: 2 });
    const nameless = await readFileOf(
      zipOf({ 'x.bed': Uint8Array.of(0x6c, 0x1b, 1, 0, 0), 'x.bim': `\tn\t0\t6\tA\tC\n${bim}`, 'x.fam': fam }),
    );
    expect(problem(nameless, 'E-GT-TRIO')).toMatchObject({ line: 1 });
    expect([bySample.left, short.left, nameless.left]).toEqual([[], [], []]);
  });

  test('a .bed says which allele is counted, and bits behind the last individual do not matter', async () => {
    const outcome = await readFileOf(
      zipOf({
        'x.bed': Uint8Array.of(0x6c, 0x1b, 1, 0b11_11_10_00),
        'x.bim': '1\tm\t0\t5\tA\tC\n',
        'x.fam': 'F a 0 0 0 -9\nF b 0 0 0 -9\n',
      }),
    );
    expect(outcome.panel.markers).toMatchObject([{ a1: 'C', a2: 'A', dosages: [2, 1] }]);
    expect(outcome.bed[3]).toBe(0b1000);
    expect(outcome.bim).toBe('1\tm\t0\t5\tA\tC\n');
    expect(problem(outcome, 'I-GT-COUNTED')?.severity).toBe('info');
  });

  test('a table of markers in centimorgans gives chromosomes and no base pairs, one without a number is refused', async () => {
    const calls = 'sample,m1,m2,m3\na,AG,CC,TT\nb,GG,CT,TA\n';
    const read = (...positions: string[]) => {
      const rows = positions.map((position, i) => `m${i + 1},1,${position}\n`).join('');
      return readFileOf(zipOf({ 'calls.csv': calls, 'map.csv': `marker,chr,pos\n${rows}` }));
    };
    const genetic = await read('0', '6.25', '9.3');
    expect(genetic.panel.markers.map(({ chromosome, positionBp }) => [chromosome, positionBp])).toEqual(
      Array.from({ length: 3 }, () => ['1', 0]),
    );
    expect(codesOf(genetic)).toContain('W-GT-NO-POS');
    expect(listed(await read('100', '200.5', '300'))).toContain('E-GT-POS line 3 map.csv m2,1,200.5');
  });

  test('a Flapjack map of centimorgans gives chromosomes and no base pairs', async () => {
    const outcome = await readFileOf(
      zipOf({
        'g.dat': '# fjFile = GENOTYPE\n\tm1\tm2\na\tA/A\tG\nb\tA\tT/G\n',
        'm.map': '# fjFile = MAP\nm1\t1H\t0.0\nm2\t1H\t12.5\n',
      }),
    );
    expect(outcome.panel.markers.map(({ chromosome, positionBp }) => [chromosome, positionBp])).toEqual([
      ['1H', 0],
      ['1H', 0],
    ]);
    expect(dosages(outcome)).toEqual([
      [0, 0],
      [0, 1],
    ]);
    expect(codesOf(outcome)).toContain('W-GT-NO-POS');
  });
});

test('files of one panel that were put one behind the other are read, with a warning', async () => {
  const outcome = await readFileOf(
    `${vcf(['a', 'b'], variant(5, 'm', 'A', 'C', '0/1', '1/1'))}${vcf(['a', 'b'], variant(9, 'n', 'A', 'C', '1/1', './.'))}`,
  );
  expect(dosages(outcome)).toEqual([
    [1, 2],
    [2, null],
  ]);
  expect(listed(outcome)).toContain('W-GT-HEADER line 5');
});

test('a line that was made a comment is told of', async () => {
  const text = vcf(['a'], variant(5, 'm', 'A', 'C', '0/1'), variant(9, 'n', 'A', 'C', '1/1'));
  const outcome = await readFileOf(text.replace('1\t9\t', '#1\t9\t'));
  expect(dosages(outcome)).toEqual([[1]]);
  expect(listed(outcome)).toContain('W-GT-COMMENT line 4');
});

test('a missing call written with two alleles goes with calls of one', async () => {
  const outcome = await readFileOf(vcf(['a', 'b', 'c'], variant(5, 'm', 'A', 'C', './.', '1', '0')));
  expect(codesOf(outcome)).not.toContain('E-GT-PLOIDY-MIX');
  expect(dosages(outcome)).toEqual([[null, 2, 0]]);
});

test.each([
  ['A/A', 'AA,CC', true],
  ['A/TTG', 'AA,CC', true],
  ['A/A', 'AA,AA', false],
  ['A/C', 'AA,CC', false],
  ['A/A', '0,2', true],
  ['A/A', '0,0', false],
  ['A/.', '0,2', false],
])('in a matrix, alleles %s and calls %s: told of the other allele %s', async (named, calls, isTold) => {
  const text = `marker,alleles,chrom,pos,a,b\nm1,${named},1,5,${calls}\nm2,G/T,1,9,${calls.startsWith('0') ? '0,1' : 'GG,GT'}\n`;
  const outcome = await readFileOf(memorySource(Buffer.from(text)));
  expect(outcome.panel.markers).toHaveLength(2);
  expect(listed(outcome).some((one) => one.startsWith('W-GT-ALLELES line 2'))).toBe(isTold);
});

describe('a marker of any format is refused', () => {
  const fam = 'F a 0 0 0 -9\n';
  const bed = (bim: string) => zipOf({ 'p.bed': Uint8Array.of(0x6c, 0x1b, 1, 2), 'p.bim': bim, 'p.fam': fam });
  const grid = (list: string) => zipOf({ 'calls.csv': 'sample,m1\na,AG\nb,GG\n', 'list.csv': list });
  test.each([
    ['with equal alleles in a .bim', bed('1\tm\t0\t5\tT\tT\n'), 'E-GT-SAME-ALLELES line 1 ALT T'],
    ['beyond any chromosome in a .bim', bed('1\tm\t0\t3000000000\tT\tC\n'), 'E-GT-POS line 1 POS 3000000000'],
    [
      'with equal alleles in a matrix',
      memorySource(Buffer.from('marker,chrom,pos,REF,ALT,a,b\nm1,1,5,C,C,0,2\nm2,2,9,G,T,1,NA\n')),
      'E-GT-SAME-ALLELES line 2 ALT C',
    ],
    [
      'with equal alleles in a list of markers',
      grid('marker,chrom,pos,ref,alt\nm1,1,5,G,G\n'),
      'E-GT-SAME-ALLELES line 1 ALT G',
    ],
    [
      'beyond any chromosome in a list of markers',
      grid('marker,chrom,pos,ref,alt\nm1,1,9876543210,A,G\n'),
      'E-GT-POS line 1 POS 9876543210',
    ],
  ])('%s', async (_, source, expected) => {
    const outcome = await readFileOf(source);
    expect(listed(outcome).filter((entry) => entry.startsWith('E-'))).toEqual([expected]);
    expect(outcome.left).toEqual([]);
  });

  test('but not where an alleles column repeats the allele of a marker that does not vary', async () => {
    const outcome = await readFileOf('marker,alleles,chrom,pos,a,b\nm1,C/C,1,5,CC,CC\nm2,A/G,1,9,AG,GG\n');
    expect(alleles(outcome)).toEqual(['C/0', 'A/G']);
  });
});

test('an archive tells that it is empty, or compressed twice, and paths in it are only names', async () => {
  expect(listed(await readFileOf(zipOf({})))).toEqual(['E-EMPTY']);
  const text = vcf(['a'], variant(5, 'm', 'A', 'C', '0/1'));
  const twice = await readFileOf(memorySource(gzipSync(gzipSync(text))));
  expect(twice.report.problems[0]).toMatchObject({
    code: 'E-TYPE',
    message: expect.stringContaining('compressed twice'),
  });
  expect(dosages(await readFileOf(zipOf({ '../../x.vcf': text })))).toEqual([[1]]);
});
