import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../byte-source.ts';
import { bgzip, type Outcome, readFileOf, zipOf } from './genotype-file.test-data.ts';

const row = (...cells: (string | number)[]) => `${cells.join('\t')}\n`;
const VCF_HEAD = `##fileformat=VCFv4.2\n${row('#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', 'a', 'b', 'ü c')}`;
const variant = (position: number, id: string, alt: string, ...calls: string[]) =>
  row('1', position, id, 'A', alt, '.', 'PASS', '.', 'GT', ...calls);
const VCF = `${VCF_HEAD}${variant(5, 'm1', 'C', '0/0', '0|1', './.')}${variant(9, '.', 'G,T', '1/2', '0/0', '2/2')}${variant(12, 'm3', 'C', '1/1', '0/.', '0/1')}`;
const HAPMAP = `${row('rs#', 'alleles', 'chrom', 'pos', 'strand', 'assembly#', 'center', 'protLSID', 'assayLSID', 'panelLSID', 'QCcode', 'a', 'b')}${row('m1', 'A/C', 1, 5, '+', 'NA', 'NA', 'NA', 'NA', 'NA', 'NA', 'AA', 'NN')}${row('m2', 'G/T', 1, 9, '+', 'NA', 'NA', 'NA', 'NA', 'NA', 'NA', 'K', 'T')}`;
const NUMBERS = 'marker,chrom,pos,REF,ALT,a,b\n"m1",1,5,A,C,0,2\nm2,2,9,G,T,1,NA\n';
const LETTERS = 'sample;m1;m2\na;AA;AG\nb;NN;GG\nc;A/C;R\n';
const BED = zipOf({
  'x/p.bed': Uint8Array.of(0x6c, 0x1b, 1, 0b1100, 0b0111),
  'x/p.bim': '1\tm1\t0\t5\tA\tC\n1\tm2\t0\t9\tG\t0\n',
  'x/p.fam': 'F a 0 0 0 -9\nF b 0 0 0 -9\n',
  '__MACOSX/x/._p.bed': 'x',
});
const PED = zipOf({ 'p.ped': 'F a 0 0 0 -9 A A G T\nF b 0 0 0 -9 A C 0 0\n', 'p.map': '1 m1 0 5\n1 m2 0 9\n' });
const FLAPJACK = zipOf({
  'g.dat': '# fjFile = GENOTYPE\n\tm1\tm2\na\tA\tG/T\nb\tC\t-\n',
  'g.map': '# fjFile = MAP\nm1\t1\t5\nm2\t1\t9\n',
});
const PLINK2 = zipOf(
  Object.fromEntries(
    await Promise.all(
      ['pgen', 'pvar', 'psam'].map(async (ending) => {
        const bytes = await readFile(new URL(`../../testdata/plink2/calls.${ending}`, import.meta.url));
        return [`p.${ending}`, new Uint8Array(bytes)] as const;
      }),
    ),
  ),
);
const KASP = zipOf({
  'calls.csv': 'SNPID,SubjectID,Call\nm1,a,A:G\nm2,a,-:TA\nm1,b,?\nm2,b,NTC\nm2,c,-:-\n',
  'markers.csv': 'marker,chrom,pos,ref,alt\nm1,1,5,A,G\nm2,1,9,TA,-\n',
});
const GRID = 'Plate,Well,SampleName.LabID,m1,m2\nP1,A1,a.1,A:A,T / C\nP1,A2,b.2,Uncallable,C\nP1,A3,b.3,A:G,T:T\n';
const DART =
  '*,*,*,*,P1,P1\nAlleleID,CloneID,SNP,RepAvg,a,b\n1|F|0--3:A>G,1,,1,1,0\n1|F|0-3:A>G,1,3:A>G,1,1,1\n2|F|0--5:C>T,2,,1,-,1\n2|F|0-5:C>T,2,5:C>T,1,-,0\n';
const TAG =
  'AlleleID,CloneID,AlleleSequence,a,b\nchr1_00005|Ref_0001,chr1_00005,CATG,30,0\nchr1_00005|Alt_0002,chr1_00005,CACG,10,7\nchr1_00005|RefMatch_0001,chr1_00005,CATT,1,0\n';
const CLASSES = 'marker,chrom,pos,a,b\nm1,1,5,AAAB,ABBB\nm2,1,9,NNNN,AAAA\n';
const UPDOG =
  'snp,ind,ref,size,geno,postmean,Pr_0,Pr_1,Pr_2,Pr_3,Pr_4\nm1,a,3,9,1,1.2,0,0.8,0.2,0,0\nm1,b,0,4,0,0.1,0.9,0.1,0,0,0\nm2,b,4,4,4,4,0,0,0,0,1\n';
const bytesOf = (source: ByteSource) => source.read(0, source.size);
const ARCHIVES = await Promise.all([BED, PED, FLAPJACK, PLINK2, KASP].map(bytesOf));
const PACKED = await Promise.all([bytesOf(bgzip(VCF, { blockSize: 90 })), bytesOf(bgzip(HAPMAP, { hasEnd: false }))]);
const GOOD: Uint8Array[] = [
  ...[VCF, HAPMAP, NUMBERS, LETTERS, GRID, DART, TAG, CLASSES, UPDOG].map((text) => Buffer.from(text)),
  ...[VCF, NUMBERS].map((text) => Buffer.from(`\uFEFF${text}`, 'utf16le')),
  Buffer.from(LETTERS.replaceAll('\n', '\r')),
  Buffer.concat([gzipSync(VCF.slice(0, 1)), gzipSync(VCF.slice(1))]),
  ...PACKED,
  ...ARCHIVES,
];

const ODD_BYTES = [0, 1, 9, 10, 13, 32, 34, 44, 46, 47, 48, 49, 50, 58, 59, 65, 78, 124, 0xa0, 0xc3, 0xff];
const ODD_TEXTS = [
  '\n',
  '\r',
  '\t',
  '"',
  '0/3',
  '1',
  '././.',
  '1e999',
  '-0',
  '00012',
  '\uFEFF',
  '\u2028',
  'x'.repeat(300),
];

/** A good file with bytes overwritten, cut, left out and put in: what disks, editors and mail do to files. */
const brokenFile = fc
  .record({
    file: fc.constantFrom(...GOOD),
    overwrites: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ODD_BYTES)), { maxLength: 4 }),
    place: fc.nat(),
    removed: fc.nat({ max: 30 }),
    inserted: fc.constantFrom('', '', ...ODD_TEXTS),
    cutAt: fc.option(fc.nat(), { freq: 4 }),
  })
  .map(({ file, overwrites, place, removed, inserted, cutAt }) => {
    const bytes = Buffer.from(file);
    for (const [at, byte] of overwrites) bytes[at % bytes.length] = byte;
    const at = place % (bytes.length + 1);
    const kept = removed > 20 ? removed - 20 : 0;
    const joined = Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at + kept)]);
    return cutAt === null ? joined : joined.subarray(0, cutAt % (joined.length + 1));
  });

const inPieces = (bytes: Uint8Array, size: number): ByteSource => ({
  ...memorySource(bytes, 'file'),
  async *stream() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  },
});

/** All that a reading gives. Of a damaged gzip the message tells which part of the damage was met first. */
const contentOf = ({ files: _, markers: __, ...outcome }: Outcome): unknown => {
  const { problems, totals } = outcome.report;
  const isDamaged = problems.some(({ code }) => code === 'E-GZIP' || code === 'E-GT-TRUNCATED');
  return isDamaged ? { isDamaged, left: outcome.left } : { ...outcome, report: { problems, totals } };
};

describe('a broken genotype file', () => {
  test('ends in a report: a panel without errors, or errors and nothing on disk', async () => {
    await fc.assert(
      fc.asyncProperty(brokenFile, async (bytes) => {
        const { report, files, left, bed, markerCount, panel } = await readFileOf(memorySource(bytes, 'file'));
        expect(left.length === 0).toBe(report.totals.errors > 0);
        expect(left.toSorted()).toEqual(files.map((path) => path.slice(path.lastIndexOf('/') + 1)).toSorted());
        if (files.length > 0) {
          expect(bed.length).toBe(3 + markerCount * Math.ceil(panel.samples.length / 4));
          expect(new Set(panel.markers.map(({ id }) => id)).size).toBe(markerCount);
        }
        for (const problem of report.problems) {
          expect(problem.code).toMatch(/^[EWI]-[A-Z-]+$/);
          expect(problem.code.startsWith('E')).toBe(problem.severity === 'error');
          expect(problem.message).toMatch(/\.$/);
          expect(problem.suggestion).toMatch(/[.?)]$/);
          expect(problem.suggestion).not.toBe(problem.value);
        }
      }),
      { numRuns: someOf(200), seed: 20261121 },
    );
  });

  test('is read the same however its bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(brokenFile, fc.constantFrom(1, 2, 7, 64, 300), async (bytes, size) => {
        const whole = await readFileOf(memorySource(bytes, 'file'));
        const pieces = await readFileOf(inPieces(bytes, size));
        expect(contentOf(pieces)).toEqual(contentOf(whole));
      }),
      { numRuns: someOf(100), seed: 20261121 },
    );
  });
});

const call = fc
  .tuple(
    fc.constantFrom('0', '1', '.', '0', '1', '2', 'x'),
    fc.constantFrom('/', '/', '|', ':'),
    fc.constantFrom('0', '1', '.'),
  )
  .map((parts) => parts.join(''));
const anyCall = fc.oneof(
  { weight: 60, arbitrary: call },
  { weight: 1, arbitrary: fc.constantFrom('', '.', '1', '0/1/1', '0/') },
);

test('rows of GT alone, which are read sixteen calls at a time, give what the reader of single calls gives', async () => {
  const panel = fc
    .integer({ min: 1, max: 40 })
    .chain((samples) =>
      fc.array(fc.array(anyCall, { minLength: samples, maxLength: samples }), { minLength: 1, maxLength: 6 }),
    );
  await fc.assert(
    fc.asyncProperty(panel, fc.constantFrom('\n', '\r\n'), async (rows, lineEnd) => {
      const samples = (rows[0] ?? []).map((_, i) => `s${i}`);
      const text = (format: string) =>
        [
          '##fileformat=VCFv4.2',
          ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples].join('\t'),
          ...rows.map((calls, i) => [1, 5 + i, `m${i}`, 'A', 'C', '.', '.', '.', format, ...calls].join('\t')),
          '',
        ].join(lineEnd);
      // A second field, which every cell may leave out, is not read by the fast way.
      expect(contentOf(await readFileOf(text('GT')))).toEqual(contentOf(await readFileOf(text('GT:DP'))));
    }),
    { numRuns: someOf(60), seed: 20261121 },
  );
});
