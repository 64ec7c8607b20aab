import { describe, expect, test } from 'vitest';
import { readFileOf, zipOf } from './genotype-file.test-data.ts';

// The time of every reader grows as the size of its input, whatever repeats in it: a file of a few kilobytes must not
// keep a core busy for hours. Processor time is compared, which other programs on the machine hardly lengthen.
// Sixteen times the input takes about sixteen times as long when time grows linearly and 256 times when it grows with
// the square; the limit of 64 lies between.

const VCF_LEAD = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
const repeat = <Value>(count: number, valueOf: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, i) => valueOf(i));
const vcf = (samples: readonly string[], rows: readonly (string | number)[][]) =>
  `##fileformat=VCFv4.2\n${[[...VCF_LEAD, ...samples], ...rows].map((cells) => cells.join('\t')).join('\n')}\n`;
const row = (position: number, id: string, alleles: [string, string], calls: string[], chromosome = '1') => [
  chromosome,
  position,
  id,
  ...alleles,
  '.',
  '.',
  '.',
  'GT',
  ...calls,
];
const GROWTH = 16;
const CALLS = ['0/1', '1/1', './.'];
const THREE = ['a', 'b', 'c'];

/** What grows, and the file of a given size. */
const CASES: [string, number, (size: number) => string | ReturnType<typeof zipOf>][] = [
  [
    'rows of one position without an id',
    1000,
    (m) =>
      vcf(
        THREE,
        repeat(m, () => row(5, '.', ['A', 'C'], CALLS)),
      ),
  ],
  [
    'rows of one position with one id',
    1000,
    (m) =>
      vcf(
        THREE,
        repeat(m, () => row(5, 'x', ['A', 'C'], CALLS)),
      ),
  ],
  [
    'rows with one id',
    1000,
    (m) =>
      vcf(
        THREE,
        repeat(m, (j) => row(5 + j, 'x', ['A', 'C'], CALLS)),
      ),
  ],
  [
    'rows of one position with ids',
    1000,
    (m) =>
      vcf(
        THREE,
        repeat(m, (j) => row(5, `x${j}`, ['A', 'C'], CALLS)),
      ),
  ],
  [
    'rows of one position whose ids are those that would be made',
    1000,
    (m) =>
      vcf(
        THREE,
        repeat(m, (j) => row(5, j % 2 === 0 ? '.' : `1_5_A_C_${j}`, ['A', 'C'], CALLS)),
      ),
  ],
  [
    'rows split into several markers',
    500,
    (m) =>
      vcf(
        THREE,
        repeat(m, () => row(5, '.', ['A', 'C,G,T'], CALLS)),
      ),
  ],
  [
    'chromosomes',
    500,
    (m) =>
      vcf(
        THREE,
        repeat(m, (j) => row(5, '.', ['A', 'C'], CALLS, `c${(7919 * j) % m}`)),
      ),
  ],
  [
    'bad calls',
    1000,
    (m) =>
      vcf(
        THREE,
        repeat(m, (j) => row(5 + j, '.', ['A', 'C'], ['x', 'y', '0/7'])),
      ),
  ],
  [
    'samples',
    6000,
    (n) =>
      vcf(
        repeat(n, (i) => `s${i}`),
        repeat(3, (j) =>
          row(
            5 + j,
            '.',
            ['A', 'C'],
            repeat(n, () => '0/1'),
          ),
        ),
      ),
  ],
  [
    'samples of one name',
    6000,
    (n) =>
      vcf(
        repeat(n, () => 's'),
        [
          row(
            5,
            '.',
            ['A', 'C'],
            repeat(n, () => '0/1'),
          ),
        ],
      ),
  ],
  [
    'the length of names',
    30_000,
    (k) =>
      vcf(
        [`a${'n'.repeat(k)}`, 'b', 'c'],
        repeat(20, (j) => row(5 + j, `${j}${'x'.repeat(k)}`, ['A', 'C'], CALLS)),
      ),
  ],
  [
    'the length of alleles',
    30_000,
    (k) =>
      vcf(
        THREE,
        repeat(20, (j) => row(5, '.', ['A', `A${'C'.repeat(k + j)}`], CALLS)),
      ),
  ],
  [
    'markers in columns',
    10_000,
    (m) =>
      [['sample', ...repeat(m, (j) => `m${j}`)], ...repeat(3, (i) => [`s${i}`, ...repeat(m, (j) => (i + j) % 3)])]
        .map((cells) => cells.join(','))
        .join('\n'),
  ],
  [
    'markers of one name in columns',
    10_000,
    (m) =>
      [['sample', ...repeat(m, () => 'm')], ...repeat(3, (i) => [`s${i}`, ...repeat(m, (j) => (i + j) % 3)])]
        .map((cells) => cells.join(','))
        .join('\n'),
  ],
  [
    'markers without a name in rows of numbers',
    3000,
    (m) => ['marker,chrom,pos,REF,ALT,a,b,c', ...repeat(m, () => ',1,5,A,C,0,1,2')].join('\n'),
  ],
  [
    'HapMap rows of one position without an id',
    1000,
    (m) =>
      [
        'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode\ta\tb\tc',
        ...repeat(m, () => '.\tA/C\t1\t5\t+\tNA\tNA\tNA\tNA\tNA\tNA\tAA\tAC\tCC'),
      ].join('\n'),
  ],
  [
    'individuals and markers of PLINK text',
    1000,
    (m) =>
      zipOf({
        'x.ped': repeat(3, (i) => `F s${i} 0 0 0 -9 ${repeat(m, () => 'A C').join(' ')}\n`).join(''),
        'x.map': repeat(m, () => '1 . 0 5\n').join(''),
      }),
  ],
  [
    'markers of a .bed',
    2000,
    (m) =>
      zipOf({
        'x.bed': Uint8Array.of(0x6c, 0x1b, 1, ...repeat(m, () => 0b101100)),
        'x.bim': repeat(m, () => '1\t.\t0\t5\tA\tC\n').join(''),
        'x.fam': 'F a 0 0 0 -9\nF b 0 0 0 -9\nF c 0 0 0 -9\n',
      }),
  ],
  [
    'lines of Flapjack',
    600,
    (m) =>
      zipOf({
        'g.dat': `# fjFile = GENOTYPE\n\t${repeat(m, (j) => `m${j}`).join('\t')}\n${repeat(3, (i) => `s${i}\t${repeat(m, () => 'A/C').join('\t')}\n`).join('')}`,
        'm.map': `# fjFile = MAP\n${repeat(m, (j) => `m${j}\t1\t5\n`).join('')}`,
      }),
  ],
];

async function millisecondsOf(source: Parameters<typeof readFileOf>[0]): Promise<number> {
  const start = process.cpuUsage();
  await readFileOf(source);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

describe('sixteen times the', () => {
  test.each(CASES)('%s take about sixteen times as long', async (_, size, fileOf) => {
    const [small, large] = [fileOf(size), fileOf(GROWTH * size)];
    await millisecondsOf(small);
    const before = Math.min(await millisecondsOf(small), await millisecondsOf(small));
    const after = await millisecondsOf(large);
    expect(after / before).toBeLessThan((GROWTH * GROWTH) / 4);
  });
});
