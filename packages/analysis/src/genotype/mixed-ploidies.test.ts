import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnalysisContext } from '../context.ts';
import { openFileSource } from '../inputs/byte-source.ts';
import { leaveOutOfBlocks } from '../inputs/leaving-out.ts';
import { FileRefused, openGenotypeBlocks } from '../inputs/open-genotype.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { importGenotype } from './import-genotype.ts';
import { frequencyTable } from './marker-frequencies.ts';
import { countPanel } from './panel-counts.ts';
import { pruneMarkers } from './prune-markers.ts';
import { qualityOfPanel } from './qc-genotype.ts';
import { markerTable, sampleTable } from './quality-tables.ts';

const stream = createRandomStream(20_261_130);
const random = () => stream.uniform();
const PLOIDIES = Array.from({ length: 30 }, (_, i) => [4, 2, 4, 4, 6][i % 5] ?? 4);
const NAMES = PLOIDIES.map((ploidy, i) => `P${i}_${ploidy}x`);
const MARKERS = 120;

/** Copies by marker and plant, NaN when missing. */
const truth = Array.from({ length: MARKERS }, () => {
  const frequency = 0.1 + 0.8 * random();
  return PLOIDIES.map((ploidy) =>
    random() < 0.1
      ? Number.NaN
      : Array.from({ length: ploidy }, () => Number(random() < frequency)).reduce((a, b) => a + b),
  );
});

const callOf = (copies: number, ploidy: number): string =>
  Array.from({ length: ploidy }, (_, k) => (Number.isNaN(copies) ? '.' : Number(k >= ploidy - copies))).join('/');

/** The VCF of the plants of some columns. */
const vcfOf = (columns: readonly number[]): string => {
  const rows = truth.map((row, j) =>
    [
      '1',
      1000 * (j + 1),
      `m${j}`,
      'A',
      'G',
      '.',
      '.',
      '.',
      'GT',
      ...columns.map((i) => callOf(row[i] ?? 0, PLOIDIES[i] ?? 2)),
    ].join('\t'),
  );
  const head = [
    '#CHROM',
    'POS',
    'ID',
    'REF',
    'ALT',
    'QUAL',
    'FILTER',
    'INFO',
    'FORMAT',
    ...columns.map((i) => NAMES[i]),
  ];
  return `##fileformat=VCFv4.2\n${head.join('\t')}\n${rows.join('\n')}\n`;
};

const ALL = [...PLOIDIES.keys()];
const columnsOf = (ploidy: number): number[] => ALL.filter((i) => PLOIDIES[i] === ploidy);
const context = (genotypes: AnalysisContext['genotypes'] = {}): AnalysisContext => ({
  threads: 1,
  genotypes: { polyploids: true, ...genotypes },
});
const MIXED = context({ mixedPloidies: true });

let folder: string;
let vcf: string;
let imported: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mixed-'));
  vcf = written('mixed.vcf', vcfOf(ALL));
  imported = join(folder, 'imported');
  const source = await openFileSource(vcf);
  const { panel, qc } = await importGenotype({ source, outPrefix: imported, withTables: true }, MIXED);
  await source.close();
  const counts = [
    { ploidy: 2, samples: 6 },
    { ploidy: 4, samples: 18 },
    { ploidy: 6, samples: 6 },
  ];
  expect(panel).toMatchObject({ ploidy: 6, ploidies: counts });
  expect(qc).toMatchObject({ ploidy: 6, ploidies: counts, pca: null, kinship: null, ld_decay: null });
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function textOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return Buffer.concat(parts).toString();
}

const rowsOf = (text: string): Record<string, string>[] => {
  const [head = '', ...lines] = text.trim().split('\n');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, k) => [head.split(',')[k] ?? '', cell])));
};

/** Figures of a marker by their definitions. */
function figuresOf(row: readonly number[]) {
  const called = ALL.filter((i) => !Number.isNaN(row[i]));
  const of = (value: (copies: number, ploidy: number) => number) =>
    called.reduce((sum, i) => sum + value(row[i] ?? 0, PLOIDIES[i] ?? 2), 0);
  return {
    frequency: of((x) => x) / of((_, p) => p),
    callRate: called.length / ALL.length,
    gametic: of((x, p) => (x * (p - x)) / ((p * (p - 1)) / 2)) / called.length,
    both: of((x, p) => Number(x > 0 && x < p)) / called.length,
  };
}

test.each(['file', 'import'])('each plant of a %s counts with its own copies', async (from) => {
  const opened = await openGenotypeBlocks(from === 'file' ? vcf : imported, MIXED);
  try {
    const { panel } = opened;
    const quality = await qualityOfPanel({ panel }, MIXED);
    const frequencies = rowsOf(await textOf(frequencyTable(panel, MIXED)));
    const markers = rowsOf(await textOf(markerTable(panel, quality.stats, quality.classes)));
    for (const [j, row] of truth.entries()) {
      const { frequency, callRate, gametic, both } = figuresOf(row);
      expect(Number(frequencies[j]?.['frequency'])).toBeCloseTo(frequency, 12);
      expect(Number(frequencies[j]?.['call_rate'])).toBeCloseTo(callRate, 12);
      expect(Number(frequencies[j]?.['heterozygosity'])).toBeCloseTo(gametic, 12);
      expect(Number(markers[j]?.['freqA2'])).toBeCloseTo(frequency, 12);
      expect(Number(markers[j]?.['maf'])).toBeCloseTo(Math.min(frequency, 1 - frequency), 12);
      expect(Number(markers[j]?.['het'])).toBeCloseTo(both, 12);
      expect(markers[j]?.['hwe_p']).toBe('');
    }
    const samples = rowsOf(await textOf(sampleTable(panel, quality)));
    for (const i of ALL) {
      const p = PLOIDIES[i] ?? 2;
      let [observed, expected] = [0, 0];
      for (const row of truth) {
        const x = row[i] ?? Number.NaN;
        if (Number.isNaN(x)) continue;
        const { frequency: f } = figuresOf(row);
        observed += (x * (p - x)) / ((p * (p - 1)) / 2);
        expected += 2 * f * (1 - f);
      }
      expect(samples[i]).toMatchObject({ id: NAMES[i], ploidy: String(p) });
      expect(Number(samples[i]?.['F'])).toBeCloseTo(1 - observed / expected, 10);
      expect(quality.qc.samples_table[i]?.ploidy).toBe(p);
    }
    expect(quality.qc.hwe.tested).toBe(0);
  } finally {
    await opened.close();
  }
});

test.each([2, 4, 6])('the plants of ploidy %i are those of a file of their own, to the last digit', async (ploidy) => {
  const alone = await openGenotypeBlocks(written(`alone${ploidy}.vcf`, vcfOf(columnsOf(ploidy))), context());
  const expected = await qualityOfPanel({ panel: alone.panel }, context());
  const kinshipOf = (panel: typeof alone.panel) =>
    panelKinship({ panel, methods: ['vanraden1'], maf: 0.01, callRate: 0 }, context()).then(({ kernels }) => kernels);
  const kinship = await kinshipOf(alone.panel);
  for (const path of [vcf, imported]) {
    // Diploids among polyploids are taken also where only diploids are.
    const taken = {
      ...context({ samplesOfPloidy: ploidy }),
      ...(ploidy === 2 ? { genotypes: { samplesOfPloidy: 2 } } : {}),
    };
    const opened = await openGenotypeBlocks(path, taken);
    expect(await qualityOfPanel({ panel: opened.panel }, taken)).toEqual(expected);
    expect(await kinshipOf(opened.panel)).toEqual(kinship);
    await opened.close();
  }
  await alone.close();
});

const refusalOf = async (path: string, genotypes: AnalysisContext['genotypes']): Promise<string> => {
  try {
    await (await openGenotypeBlocks(path, context(genotypes))).close();
    return '';
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const [problem] = error.problems.filter(({ severity }) => severity === 'error');
    return `${problem?.code}: ${problem?.message} ${problem?.suggestion}`;
  }
};

test.each(['file', 'import'])('a mixed %s is refused where plants must have one ploidy', async (from) => {
  const path = from === 'file' ? vcf : imported;
  expect(await refusalOf(path, {})).toMatch(
    /^E-GT-PLOIDY-MIX: The plants differ in ploidy: 6 have 2 copies of each chromosome, 18 have 4, 6 have 6; .*--samples-of-ploidy 4/,
  );
  expect(await refusalOf(path, { samplesOfPloidy: 8 })).toMatch(/^E-GT-PLOIDY: No plant has 8 copies/);
  expect(await refusalOf(path, { samplesOfPloidy: 4, polyploids: false })).toMatch(/^E-GT-PLOIDY: /);
});

test('limits of markers count chromosomes, and pruning refuses', async () => {
  const opened = await openGenotypeBlocks(imported, MIXED);
  const { leftOut } = await leaveOutOfBlocks(opened.panel, { minMaf: 0.3 }, MIXED);
  const kept = truth.filter((row) => {
    const { frequency } = figuresOf(row);
    return Math.min(frequency, 1 - frequency) >= 0.3;
  });
  expect(leftOut?.report.markers_kept).toBe(kept.length);
  const chromosomes = (await countPanel(opened.panel, MIXED)).mixed?.markerChromosomes;
  expect([...(chromosomes ?? [])]).toEqual(
    truth.map((row) => row.reduce((sum, copies, i) => sum + (Number.isNaN(copies) ? 0 : (PLOIDIES[i] ?? 2)), 0)),
  );
  const rule = { r2: 0.2, window: 50, unit: 'markers', step: 5 } as const;
  await expect(pruneMarkers(opened.panel, rule, MIXED)).rejects.toMatchObject({ code: 'analysis/one-ploidy' });
  await opened.close();
});
