import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memorySource } from '../byte-source.ts';
import { bgzip, listed, type Outcome, readFileOf } from './genotype-file.test-data.ts';
import { openDosages } from './panel/dosage-file.ts';
import type { GenotypePanel } from './panel/genotype-panel.ts';
import { openPlinkPanel } from './panel/plink-panel.ts';
import { subsetPanel } from './panel/subset-panel.ts';
import { createRandomStream } from './random.test-data.ts';
import { readGenotype } from './read-genotype.ts';
import { readHaplotypes } from './read-haplotypes.ts';
import { panelFiles } from './writers/write-panel.ts';

const random = createRandomStream(20_261_130);
const draw = (below: number) => Math.floor(below * random());
const PLOIDIES = [4, 2, 4, 6, 2, 2, 4, 6, 4];
const SAMPLES = PLOIDIES.map((ploidy, i) => `P${i}_${ploidy}x`);
const MARKERS = 150;

/** Copies by marker and sample, null when missing. */
const truth = Array.from({ length: MARKERS }, () =>
  PLOIDIES.map((ploidy) => (draw(8) === 0 ? null : draw(ploidy + 1))),
);

const gtOf = (copies: number | null, ploidy: number): string =>
  copies === null ? './.' : Array.from({ length: ploidy }, (_, k) => Number(k >= ploidy - copies)).join('/');

const cellsOf = (textOf: (copies: number | null, ploidy: number) => string, rows = truth): string[][] =>
  rows.map((row) => row.map((copies, i) => textOf(copies, PLOIDIES[i]!)));

const vcfOf = (cells: string[][], format = 'GT', names: readonly string[] = SAMPLES): string =>
  `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names.join('\t')}\n${cells
    .map((row, j) => `1\t${1000 - j}\tm${j}\tA\tG\t.\t.\t.\t${format}\t${row.join('\t')}\n`)
    .join('')}`;

const errorsOf = ({ report }: Outcome): string[] =>
  listed({ report: { ...report, problems: report.problems.filter(({ severity }) => severity === 'error') } });

/** Copies by the id of the marker. */
const byId = ({ panel, copies }: Outcome): Map<string, (number | null)[]> =>
  new Map(panel.markers.map(({ id, dosages }, j) => [id, copies[j] ?? dosages]));

const truthById = (columns = PLOIDIES.map((_, i) => i)): Map<string, (number | null)[]> =>
  new Map(truth.map((row, j) => [`m${j}`, columns.map((i) => row[i]!)]));

const columnsOf = (ploidy: number): number[] => PLOIDIES.flatMap((one, i) => (one === ploidy ? [i] : []));

const sorted = (map: Map<string, (number | null)[]>) => [...map].sort(([a], [b]) => a.localeCompare(b));

test('plants that differ in ploidy are read with the ploidy of each', async () => {
  const outcome = await readFileOf(bgzip(vcfOf(cellsOf(gtOf))), { polyploids: true });
  expect(errorsOf(outcome)).toEqual([]);
  expect(outcome).toMatchObject({ ploidy: 6, samples: SAMPLES });
  expect(sorted(byId(outcome))).toEqual(sorted(truthById()));
  expect([...(outcome.stats?.mixed?.ploidies ?? [])]).toEqual(PLOIDIES);
  const warning = outcome.report.problems.find(({ code }) => code === 'W-GT-PLOIDY-MIX');
  expect(warning?.message).toContain('3 have 2 copies of each chromosome, 4 have 4, 2 have 6');
  for (const [j, { id, dosages }] of outcome.panel.markers.entries()) {
    const row = truthById().get(id)!;
    const classes = row.map((copies, i) =>
      copies === null ? null : copies === 0 ? 0 : copies === PLOIDIES[i] ? 2 : 1,
    );
    expect(dosages, id).toEqual(classes);
    const chromosomes = row.reduce<number>((sum, copies, i) => sum + (copies === null ? 0 : PLOIDIES[i]!), 0);
    expect(outcome.stats?.mixed?.markerChromosomes[j]).toBe(chromosomes);
    expect(outcome.stats?.markerDosage?.[j]).toBe(row.reduce<number>((sum, copies) => sum + (copies ?? 0), 0));
  }
});

test('a plant may tell its ploidy late, and lines before it are kept', async () => {
  const late = truth.map((row, j) => row.map((copies, i) => (PLOIDIES[i] !== 2 && j < 40 ? null : copies)));
  const outcome = await readFileOf(vcfOf(cellsOf(gtOf, late)), { polyploids: true });
  expect([...(outcome.stats?.mixed?.ploidies ?? [])]).toEqual(PLOIDIES);
  expect(sorted(byId(outcome))).toEqual(sorted(new Map(late.map((row, j) => [`m${j}`, row]))));
});

test.each([2, 4, 6])('the plants with %i copies alone are read as from a file of their own', async (ploidy) => {
  const columns = columnsOf(ploidy);
  const alone = cellsOf(gtOf).map((row) => columns.map((i) => row[i]!));
  const names = columns.map((i) => SAMPLES[i]!);
  const expected = await readFileOf(vcfOf(alone, 'GT', names), { polyploids: true });
  const found = await readFileOf(vcfOf(cellsOf(gtOf)), { polyploids: true, samplesOfPloidy: ploidy });
  expect(errorsOf(found)).toEqual([]);
  const chosen = found.report.problems.find(({ code }) => code === 'I-GT-PLOIDY-CHOSEN');
  expect(chosen?.message).toContain(
    `3 have 2 copies of each chromosome, 4 have 4, 2 have 6. Only those with ${ploidy}`,
  );
  expect(found.bed.equals(expected.bed)).toBe(true);
  expect(found.bim).toBe(expected.bim);
  expect(found).toMatchObject({ samples: names, ploidy, copies: expected.copies, left: expected.left });
  expect(found.stats).toEqual(expected.stats);
});

test('diploids among polyploids are read where only diploids are taken', async () => {
  const found = await readFileOf(vcfOf(cellsOf(gtOf)), { samplesOfPloidy: 2 });
  expect(found).toMatchObject({ ploidy: 2, samples: columnsOf(2).map((i) => SAMPLES[i]) });
  const refused = await readFileOf(vcfOf(cellsOf(gtOf)), { samplesOfPloidy: 4 });
  expect(errorsOf(refused)).toEqual(['E-GT-PLOIDY 4']);
  expect(errorsOf(await readFileOf(vcfOf(cellsOf(gtOf)), {}))).toContain('E-GT-PLOIDY-MIX line 3 P1_2x (K) 0/0');
});

test.each(['DS', 'AD'] as const)('%s of each plant is scaled by the ploidy that its call tells', async (field) => {
  const cells = cellsOf((copies, ploidy) => {
    if (copies === null) return './.:.';
    return `${gtOf(copies, ploidy)}:${field === 'DS' ? copies * 0.75 : `${3 * (ploidy - copies)},${3 * copies}`}`;
  });
  const outcome = await readFileOf(vcfOf(cells, `GT:${field}`), { polyploids: true, genotypeField: field });
  expect(errorsOf(outcome)).toEqual([]);
  const scale = field === 'DS' ? 0.75 : 1;
  const expected = [...truthById()].map(([id, row]) => [id, row.map((copies) => copies && copies * scale)] as const);
  const found = byId(outcome);
  for (const [id, row] of expected)
    for (const [i, copies] of row.entries())
      if (copies === null) expect(found.get(id)?.[i]).toBeNull();
      else expect(found.get(id)?.[i]).toBeCloseTo(copies, 8);
});

test('calls of one plant that differ are an error, said once', async () => {
  const cells = cellsOf((copies, ploidy) => gtOf(copies ?? 0, ploidy));
  cells[7]![1] = '0/0/0/1';
  cells[9]![1] = '0/0/1/1';
  const outcome = await readFileOf(vcfOf(cells), { polyploids: true });
  expect(errorsOf(outcome)).toEqual(['E-GT-PLOIDY-MIX line 10 P1_2x (K) 0/0/0/1']);
  expect(outcome.report.problems.find(({ code }) => code === 'E-GT-PLOIDY-MIX')?.message).toContain(
    '"P1_2x" has 2 alleles in the first of its calls and 4 here',
  );
  const chosen = await readFileOf(vcfOf(cells), { polyploids: true, samplesOfPloidy: 2 });
  expect(errorsOf(chosen)).toEqual(['E-GT-PLOIDY-MIX line 10 P1_2x (K) 0/0/0/1']);
  expect((await readFileOf(vcfOf(cells), { polyploids: true, samplesOfPloidy: 4 })).report.totals.errors).toBe(0);
});

test('calls of one allele are homozygous where that is chosen, with the copies of the plant', async () => {
  const cells = cellsOf((copies, ploidy) => gtOf(copies ?? 0, ploidy));
  cells[3]![0] = '1';
  cells[3]![1] = '1';
  const refused = await readFileOf(vcfOf(cells), { polyploids: true });
  expect(errorsOf(refused)).toEqual(['E-GT-PLOIDY-MIX line 6 P0_4x (J) 1']);
  const outcome = await readFileOf(vcfOf(cells), { polyploids: true, haploidCalls: 'homozygous' });
  expect(byId(outcome).get('m3')?.slice(0, 2)).toEqual([4, 2]);
});

test.each([
  ['a ploidy that no plant has', 8, /No plant has 8 copies of each chromosome: 3 have 2/],
  ['an odd ploidy beside others', undefined, /The plants differ in ploidy: .* 1 has 3/],
])('%s is refused', async (_, samplesOfPloidy, message) => {
  const cells = cellsOf(gtOf);
  if (samplesOfPloidy === undefined) for (const row of cells) row[4] = '0/1/1';
  const options = samplesOfPloidy === undefined ? {} : { samplesOfPloidy };
  const outcome = await readFileOf(vcfOf(cells), { polyploids: true, ...options });
  expect(errorsOf(outcome)).toHaveLength(1);
  expect(outcome.report.problems[0]).toMatchObject({ code: 'E-GT-PLOIDY', message: expect.stringMatching(message) });
  expect(outcome.left).toEqual([]);
});

test('a table has one ploidy', async () => {
  const text = 'sample,m1,m2\na,0,4\nb,2,3\n';
  const outcome = await readFileOf(text, { polyploids: true, ploidy: 4, samplesOfPloidy: 2 });
  expect(errorsOf(outcome)).toContain('E-GT-PLOIDY 2');
});

/** The panel of mixed plants as it lies on disk. */
async function withPanel<T>(use: (panel: GenotypePanel) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-mixed-'));
  try {
    const outPrefix = join(folder, 'panel');
    await readGenotype(memorySource(Buffer.from(vcfOf(cellsOf(gtOf))), 'mixed.vcf'), { outPrefix, polyploids: true });
    const source = async (ending: string) => memorySource(await readFile(`${outPrefix}.${ending}`), `panel.${ending}`);
    const [bed, bim, fam, dosage] = await Promise.all(['bed', 'bim', 'fam', 'dosage'].map(source));
    return await use(await openPlinkPanel({ bed: bed!, bim: bim!, fam: fam!, dosage: dosage! }, 'alt-first'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('VCF has each plant with its own copies, and other formats refuse the mixture', async () => {
  await withPanel(async (panel) => {
    let text = '';
    for await (const chunk of panelFiles(panel, 'vcf')[0]!.chunks) text += Buffer.from(chunk).toString();
    const again = await readFileOf(text, { polyploids: true });
    expect(sorted(byId(again))).toEqual(sorted(truthById()));
    expect([...(again.stats?.mixed?.ploidies ?? [])]).toEqual(PLOIDIES);
    for (const format of ['letters', 'numeric', 'long_dosages'] as const)
      expect(() => panelFiles(panel, format)).toThrow(/plants differ in ploidy \(3 have 2/);
  });
});

test.each([2, 4])('chosen plants of ploidy %i are a panel of that ploidy', async (ploidy) => {
  await withPanel(async (panel) => {
    const columns = columnsOf(ploidy);
    const chosen = subsetPanel(panel, { samples: columns, markers: null });
    expect(chosen.dosages?.ploidies).toBeUndefined();
    expect(chosen.dosages?.ploidy).toBe(ploidy === 2 ? undefined : ploidy);
    let text = '';
    for await (const chunk of panelFiles(chosen, 'vcf')[0]!.chunks) text += Buffer.from(chunk).toString();
    const again = await readFileOf(text, { polyploids: true });
    expect(again.ploidy).toBe(ploidy);
    expect(sorted(byId(again))).toEqual(sorted(truthById(columns)));
    const two = subsetPanel(panel, { samples: [0, 1], markers: null });
    expect([...(two.dosages?.ploidies ?? [])]).toEqual([4, 2]);
  });
});

test('homologs of parents are read from among plants of other ploidies', async () => {
  const phased = vcfOf(cellsOf((copies, ploidy) => gtOf(copies ?? 0, ploidy).replaceAll('/', '|')));
  for (const ploidy of [2, 4]) {
    const [first = 0, second = 0] = columnsOf(ploidy);
    const wanted = [SAMPLES[second]!, SAMPLES[first]!];
    const found = await readHaplotypes(memorySource(Buffer.from(phased), 'p.vcf'), wanted, { ploidy });
    expect(found?.alleles).toHaveLength(2 * ploidy);
    for (const [parent, column] of [second, first].entries())
      for (const [j, row] of truth.entries()) {
        const copies = found?.alleles
          .slice(parent * ploidy, (parent + 1) * ploidy)
          .reduce((sum, one) => sum + one[j]!, 0);
        expect(copies).toBe(row[column] ?? 0);
      }
  }
});

test('a stored panel whose length does not fit its ploidies is refused', async () => {
  const head = Buffer.alloc(32);
  head.write('HDS2');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(1, 8);
  head.writeUInt32LE(4, 24);
  head.writeUInt32LE(1, 28);
  const rows = Buffer.from([0, 0, 0x20]);
  await expect(openDosages(memorySource(Buffer.concat([head, rows]), 'x.dosage'), 2, 1)).rejects.toThrow(
    /does not belong/,
  );
  const whole = Buffer.concat([head, Buffer.from([0, 0, 2, 4, 0x20])]);
  expect([...((await openDosages(memorySource(whole, 'x.dosage'), 2, 1)).ploidies ?? [])]).toEqual([2, 4]);
});
