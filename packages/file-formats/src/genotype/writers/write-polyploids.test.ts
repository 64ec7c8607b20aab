import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memorySource } from '../../byte-source.ts';
import { readFileOf } from '../genotype-file.test-data.ts';
import { openDosages } from '../panel/dosage-file.ts';
import type { PanelDosages } from '../panel/dosages.ts';
import type { GenotypePanel } from '../panel/genotype-panel.ts';
import { packedLength } from '../panel/packed-calls.ts';
import { PolyploidRows } from '../panel/polyploid-file.ts';
import { subsetPanel } from '../panel/subset-panel.ts';
import { createRandomStream } from '../random.test-data.ts';
import type { PanelFormat } from './panel-format.ts';
import { lostDosagesProblem, panelFiles } from './write-panel.ts';

const random = createRandomStream(32);
const draw = (below: number) => Math.floor(below * random());
const SAMPLES = ['P1', 'P 2', '=P3', 'P,4', 'P5'];

type Copies = (number | null)[][];

const truthOf = (ploidy: number, markers = 9): Copies =>
  Array.from({ length: markers }, (_, j) =>
    SAMPLES.map((_, i) => (j === 1 ? 0 : (i + j) % 7 === 0 ? null : draw(ploidy + 1))),
  );

/** A panel of polyploids with the alleles of its markers. */
async function panelOf(
  ploidy: number,
  copies: Copies,
  allelesOf: (j: number) => [string, string],
): Promise<GenotypePanel> {
  const alleles = copies.map((_, j) => allelesOf(j));
  return {
    samples: SAMPLES,
    markers: {
      id: copies.map((_, j) => `m${j}`),
      chromosome: copies.map(() => '1'),
      positionBp: Float64Array.from(copies, (_, j) => 10 + j),
      a1: alleles.map(([a1]) => a1),
      a2: alleles.map(([, a2]) => a2),
    },
    dosages: await dosagesOf(ploidy, copies),
    readPacked: async (_, count) => new Uint8Array(count * packedLength(SAMPLES.length)),
    close: async () => {},
  };
}

/** The dosages as they are stored. */
async function dosagesOf(ploidy: number, copies: Copies): Promise<PanelDosages> {
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-polyploids-'));
  const rows = new PolyploidRows(join(folder, 'rows'), SAMPLES.length, ploidy);
  try {
    for (const row of copies) rows.add(Float64Array.from(row, (one) => one ?? Number.NaN));
    await rows.write(join(folder, 'dosage'), null);
    const stored = memorySource(await readFile(join(folder, 'dosage')), 'panel.dosage');
    return await openDosages(stored, SAMPLES.length, copies.length);
  } finally {
    await rows.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function written(panel: GenotypePanel, format: PanelFormat) {
  const parts: Uint8Array[] = [];
  for (const { chunks } of panelFiles(panel, format)) for await (const chunk of chunks) parts.push(chunk.slice());
  return Buffer.concat(parts);
}

async function writtenAndRead(panel: GenotypePanel, format: PanelFormat, options: Parameters<typeof readFileOf>[1]) {
  const source = memorySource(await written(panel, format), 'panel.csv');
  const outcome = await readFileOf(source, { polyploids: true, ...options });
  expect(outcome.report.totals.errors, JSON.stringify(outcome.report.problems[0])).toBe(0);
  expect(outcome.panel.samples).toEqual(SAMPLES);
  return outcome;
}

test.each([4, 6, 8])('ploidy %i goes through letters and one dosage a row, and comes back', async (ploidy) => {
  const truth = truthOf(ploidy);
  // The second marker has one class, and no name of another allele.
  const names: [string, string][] = [
    ['A', 'G'],
    ['C', '.'],
    ['T', 'C'],
    ['A', 'B'],
    ['.', '.'],
  ];
  const panel = await panelOf(ploidy, truth, (j) => names[j % 5] ?? ['A', 'G']);
  const letters = await writtenAndRead(panel, 'letters', {});
  expect(letters).toMatchObject({ format: 'letter-matrix', ploidy, copies: truth });
  const unnamed = (allele: string, name: string) => (allele === '.' ? name : allele);
  expect(letters.panel.markers.map(({ id, a1, a2 }) => [id, a1, a2])).toEqual(
    truth.map((_, j) => {
      const [a1 = '', a2 = ''] = names[j % 5] ?? [];
      // What has no name is A and B from then on, or B where it has calls; 0 in the .bim where it has none.
      const called = truth[j]?.some((copies) => copies !== null && copies > 0) === true;
      return [`m${j}`, unnamed(a1, 'A'), unnamed(a2, a1 === '.' || called ? 'B' : '0')];
    }),
  );
  const long = await writtenAndRead(panel, 'long_dosages', { ploidy });
  expect(long).toMatchObject({ format: 'long-dosages', ploidy, copies: truth });
});

test('fractions are kept as means beside the nearest copies, and rounded in letters, which says so', async () => {
  const truth: Copies = [
    [0, 0.25, 3.5, null, 4],
    [1, 2, 3, null, 4],
  ];
  const panel = await panelOf(4, truth, () => ['A', 'G']);
  expect((await written(panel, 'long_dosages')).toString().split('\n').slice(0, 5)).toEqual([
    'snp,ind,geno,postmean',
    'm0,P1,0,0',
    'm0,P 2,0,0.25',
    "m0,'=P3,4,3.5",
    'm0,"P,4",NA,NA',
  ]);
  const means = await writtenAndRead(panel, 'long_dosages', { ploidy: 4, genotypeField: 'DS' });
  expect(means.copies).toEqual(truth);
  const nearest = [[0, 0, 4, null, 4], truth[1]];
  expect((await writtenAndRead(panel, 'long_dosages', { ploidy: 4 })).copies).toEqual(nearest);
  expect((await writtenAndRead(panel, 'letters', {})).copies).toEqual(nearest);
  expect(lostDosagesProblem(panel, 'letters')).toMatchObject({
    code: 'W-GT-DOSAGE-LOST',
    message: expect.stringMatching(/^1 marker has /),
  });
  const whole = subsetPanel(panel, { samples: null, markers: [1] });
  expect(lostDosagesProblem(whole, 'letters')).toBeNull();
  expect((await written(whole, 'long_dosages')).toString()).toMatch(/^snp,ind,geno\nm1,P1,1\n/);
  expect(lostDosagesProblem(panel, 'long_dosages')).toBeNull();
});

test('letters refuse alleles of several bases, and formats of two alleles a call refuse polyploids', async () => {
  const panel = await panelOf(4, truthOf(4), () => ['A', 'ACT']);
  expect(() => panelFiles(panel, 'letters')).toThrow(/letters cannot tell apart .* marker m0/);
  expect(() => panelFiles(panel, 'hapmap')).toThrow(/4 copies of each chromosome/);
});
