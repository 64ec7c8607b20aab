import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memorySource, openFileSource } from '../byte-source.ts';
import { zipOf } from './genotype-file.test-data.ts';
import { openPlinkPanel } from './panel/plink-panel.ts';
import { createRandomStream } from './random.test-data.ts';
import { readGenotype } from './read-genotype.ts';
import type { PanelFormat } from './writers/panel-format.ts';
import { panelFiles } from './writers/write-panel.ts';

/** Reads a file and writes it in another format: the texts of its files by ending. */
async function converted(source: Parameters<typeof readGenotype>[0], format: PanelFormat) {
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-round-'));
  try {
    const outPrefix = join(folder, 'panel');
    const { report } = await readGenotype(source, { outPrefix, numericCoding: '0/1/2' });
    expect(report.totals.errors, JSON.stringify(report.problems[0])).toBe(0);
    const [bed, bim, fam] = await Promise.all(
      ['bed', 'bim', 'fam'].map((ending) => openFileSource(`${outPrefix}.${ending}`)),
    );
    const panel = await openPlinkPanel({ bed: bed!, bim: bim!, fam: fam! });
    try {
      const files: Record<string, Buffer> = {};
      for (const { ending, chunks } of panelFiles(panel, format)) {
        const path = join(folder, `out${ending}`);
        await writeFile(path, chunks);
        const written = await openFileSource(path);
        files[`out${ending}`] = Buffer.from(await written.read(0, written.size));
        await written.close();
      }
      return files;
    } finally {
      await panel.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SAMPLES = 13;
const MARKERS = 300;

/** Calls by marker and sample, null when missing; rare alleles are on either side, and one marker has a single call. */
const calls = (() => {
  const random = createRandomStream(17);
  return Array.from({ length: MARKERS }, (_, j) => {
    const p = j % 2 === 0 ? 0.85 * random() : 0.15 + 0.85 * random();
    return Array.from({ length: SAMPLES }, (_, i) =>
      j === 5 ? (i === 3 ? 1 : null) : random() < 0.08 ? null : Number(random() < p) + Number(random() < p),
    );
  });
})();
const alleles = (j: number) =>
  [
    ['A', 'C'],
    ['T', 'G'],
    ['G', 'GAT'],
    ['CTT', 'C'],
  ][j % 4]!;
const names = Array.from({ length: SAMPLES }, (_, i) => `Line-${i}`);
const chromosomeOf = (j: number) => ['1', '2', '10', 'X'][Math.floor((4 * j) / MARKERS)]!;
const text = (rows: (string | number)[][], separator: string) => rows.map((row) => `${row.join(separator)}\n`).join('');

const VCF = [
  '##fileformat=VCFv4.2\n##source=Heterosis\n',
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n',
  ...['1', '2', '10', 'X'].map((name) => `##contig=<ID=${name}>\n`),
  text([['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names]], '\t'),
  ...calls.map((marker, j) =>
    text(
      [
        [
          ...[chromosomeOf(j), 50 + 3 * j, `m${j}`, ...alleles(j), '.', '.', '.', 'GT'],
          ...marker.map((copies) => (copies === null ? './.' : (['0/0', '0/1', '1/1'][copies] ?? ''))),
        ],
      ],
      '\t',
    ),
  ),
].join('');

const MATRIX = text(
  [
    ['marker', 'chrom', 'pos', 'REF', 'ALT', ...names],
    ...calls.map((marker, j) => [
      ...[`m${j}`, chromosomeOf(j), 50 + 3 * j, ...alleles(j)],
      ...marker.map((copies) => copies ?? ''),
    ]),
  ],
  ',',
);

test('VCF → .bed → VCF gives the original text, with alleles as the file has them and not by their frequency', async () => {
  const plink = await converted(memorySource(Buffer.from(VCF), 'panel.vcf'), 'plink');
  expect(Object.keys(plink)).toEqual(['out.bed', 'out.bim', 'out.fam']);
  const back = await converted(zipOf(plink), 'vcf');
  expect(back['out.vcf']?.toString()).toBe(VCF);
});

test('matrix → VCF → matrix gives the original table', async () => {
  const vcf = await converted(memorySource(Buffer.from(MATRIX), 'panel.csv'), 'vcf');
  expect(vcf['out.vcf']?.toString()).toBe(VCF);
  const back = await converted(memorySource(vcf['out.vcf'] ?? Buffer.alloc(0), 'panel.vcf'), 'numeric_by_marker');
  expect(back['out.csv']?.toString()).toBe(MATRIX);
});
