import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGenotype } from './genotype/import-genotype.ts';
import { qcGenotype } from './genotype/qc-genotype.ts';
import { runGwas } from './gwas/gwas-in-one-piece.test-data.ts';
import { openPanelBlocks, openPanelFiles } from './inputs/open-panel.ts';
import { panelKinship } from './inputs/panel-kinship.ts';
import { readPhenotype } from './inputs/read-phenotype.ts';
import { CONTEXT } from './maize.test-data.ts';
import { predict } from './prediction/predict.ts';
import { trainModel } from './prediction/train-model.ts';

const N = 48;
const MARKERS = 150;
const NAMES = Array.from({ length: N }, (_, i) => `L${i}`);

/** A plain linear congruential generator (Park & Miller 1988), so that the test depends on no code of the product. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (48_271 * state) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * Dosages by marker and individual, multiples of 2⁻¹⁴; null when missing. Every fourth marker has only whole numbers.
 */
const dosages: (number | null)[][] = (() => {
  const random = numbers(7);
  return Array.from({ length: MARKERS }, (_, j) => {
    const p = 0.15 + 0.7 * random();
    return NAMES.map(() => {
      const whole = Number(random() < p) + Number(random() < p);
      if (random() < 0.03) return null;
      const soft = Math.min(2, Math.max(0, whole + 0.6 * (random() - 0.5)));
      return j % 4 === 0 ? whole : Math.round(16_384 * soft) / 16_384;
    });
  });
})();
const present = (marker: (number | null)[]) => marker.filter((d) => d !== null);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const vcfOf = (values: (number | null)[][], alleles = ['A', 'C']) =>
  `##fileformat=VCFv4.2\n${[
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...NAMES],
    ...values.map((marker, j) => [
      1 + (j % 3),
      10 + j,
      `m${j}`,
      ...alleles,
      '.',
      '.',
      '.',
      'DS',
      ...marker.map((d) => d ?? '.'),
    ]),
  ]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('')}`;
const matrix = [
  ['marker', 'chrom', 'pos', 'REF', 'ALT', ...NAMES],
  ...dosages.map((marker, j) => [`m${j}`, 1 + (j % 3), 10 + j, 'A', 'C', ...marker.map((d) => d ?? '')]),
]
  .map((cells) => `${cells.join(',')}\n`)
  .join('');
const phenotype = (() => {
  const random = numbers(99);
  const heterozygosity = (i: number) =>
    [1, 31, 62, 93].reduce((sum, j) => sum + 1 - Math.abs(1 - (dosages[j]![i] ?? 1)), 0);
  const values = NAMES.map(
    (_, i) => 3 * (dosages[9]![i] ?? 1) + (dosages[20]![i] ?? 1) + 2 * heterozygosity(i) + 2 * random(),
  );
  return `id,yield\n${NAMES.map((name, i) => `${name},${values[i]}\n`).join('')}`;
})();

let folder: string;
let traits: NonNullable<Awaited<ReturnType<typeof readPhenotype>>['table']>;
const prefix = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heterosis-fractional-'));
  const turned = dosages.map((marker) => marker.map((d) => (d === null ? null : 2 - d)));
  const texts = { vcf: vcfOf(dosages), matrix, turned: vcfOf(turned, ['C', 'A']) };
  for (const [name, text] of Object.entries(texts)) {
    const source = memorySource(Buffer.from(text), name);
    const { panel, report } = await importGenotype(
      { source, outPrefix: prefix(name), numericCoding: '0/1/2' },
      CONTEXT,
    );
    expect(panel, JSON.stringify(report.problems[0])).not.toBeNull();
  }
  traits = (await readPhenotype(memorySource(Buffer.from(phenotype), 'p.csv'), CONTEXT)).table!;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `work` on an imported panel, both in memory and block-wise. */
async function on<Result>(
  name: string,
  work: (
    panel: Awaited<ReturnType<typeof openPanelFiles>>,
    blocks: Awaited<ReturnType<typeof openPanelBlocks>>,
  ) => Promise<Result>,
): Promise<Result> {
  const panel = await openPanelFiles(prefix(name));
  const blocks = await openPanelBlocks(prefix(name));
  try {
    return await work(panel, blocks);
  } finally {
    await panel.close();
    await blocks.close();
  }
}

/** Markers in the order of the panel: by chromosome, then by position. */
const inOrder = [...dosages.keys()].sort((a, b) => (a % 3) - (b % 3) || a - b);
const train = (name: string, dominance = false) =>
  on(name, (panel) => trainModel({ panel, phenotype: traits, traits: ['yield'], maf: 0, dominance }, CONTEXT));
const gwas = (name: string) =>
  on(name, async (_, panel) => {
    const [run] = await runGwas(
      { panel, phenotype: traits, traits: ['yield'], test: 'WALD', maf: 0, callRate: 0, countEffective: true },
      CONTEXT,
    );
    return run!.result!;
  });

test('the kinship is the dense product of the centred dosages', async () => {
  const { kernels } = await on('vcf', (_, panel) =>
    panelKinship({ panel, methods: ['vanraden1'], maf: 0, callRate: 0 }, CONTEXT),
  );
  const p = dosages.map((marker) => mean(present(marker)) / 2);
  const divisor = p.reduce((sum, q) => sum + 2 * q * (1 - q), 0);
  for (let a = 0; a < N; a++) {
    for (let b = 0; b < N; b++) {
      const expected = dosages.reduce((sum, marker, j) => {
        const centred = (i: number) => (marker[i] === null ? 0 : marker[i]! - 2 * p[j]!);
        return sum + centred(a) * centred(b);
      }, 0);
      expect(Math.abs(kernels.vanraden1!.data[a + N * b]! - expected / divisor)).toBeLessThan(1e-10);
    }
  }
});

describe.each([false, true])('a model with dominance %s', (dominance) => {
  test('has values that are sums of dosage times effect, in training and in prediction', async () => {
    const model = await train('vcf', dominance);
    const fit = model.traits[0]!.fit!;
    const kept = new Map(model.markers.id.map((id, k) => [id, k]));
    const expected = NAMES.map((_, i) =>
      inOrder.reduce((sum, j) => {
        const k = kept.get(`m${j}`);
        if (k === undefined) return sum;
        const called = present(dosages[j]!);
        const tent = (d: number) => 1 - Math.abs(1 - d);
        const d = dosages[j]![i] ?? mean(called);
        const heterozygote = dosages[j]![i] === null ? mean(called.map(tent)) : tent(d);
        return sum + d * fit.additive[k]! + heterozygote * (fit.dominance?.[k] ?? 0);
      }, fit.intercept),
    );
    const prediction = await on('vcf', (panel) => predict({ model, panel }, CONTEXT));
    const trait = prediction.traits[0]!;
    const values = (dominance ? trait.genotypic!.value : trait.gebv) as Float64Array;
    const trained = (dominance ? (fit.genotypic as { value: Float64Array }).value : fit.gebv) as Float64Array;
    for (let i = 0; i < N; i++) {
      expect(Math.abs(values[i]! - expected[i]!)).toBeLessThan(1e-9);
      expect(Math.abs(trained[i]! - expected[i]!)).toBeLessThan(1e-9);
    }
  });

  test('is the same from a VCF and from a matrix, and turned round with its alleles', async () => {
    const [vcf, other, turned] = [
      await train('vcf', dominance),
      await train('matrix', dominance),
      await train('turned', dominance),
    ];
    const untimed = (model: typeof vcf) =>
      model.traits.map((trait) => ({ ...trait, fit: { ...trait.fit, seconds: 0 } }));
    expect(untimed(other)).toEqual(untimed(vcf));
    const [fit, mirrored] = [vcf.traits[0]!.fit!, turned.traits[0]!.fit!];
    for (const [k, effect] of fit.additive.entries()) expect(mirrored.additive[k]! + effect).toBeCloseTo(0, 6);
    for (let i = 0; i < N; i++) expect(mirrored.gebv[i]!).toBeCloseTo(fit.gebv[i]!, 5);
  });
});

test('a GWAS is the same from a VCF and from a matrix, and changes only its signs with the alleles', async () => {
  const [vcf, other, turned] = [await gwas('vcf'), await gwas('matrix'), await gwas('turned')];
  expect(other.columns).toEqual(vcf.columns);
  const { beta, negLog10P } = vcf.columns;
  for (let j = 0; j < MARKERS; j++) {
    expect(Math.abs(turned.columns.beta[j]! + beta[j]!)).toBeLessThan(1e-6);
    expect(Math.abs(turned.columns.negLog10P[j]! - negLog10P[j]!)).toBeLessThan(1e-6);
    const exact = mean(present(dosages[inOrder[j]!]!)) / 2;
    expect(Math.abs(vcf.columns.freqA2[j]! - exact)).toBeLessThan(1e-12);
  }
  const best = negLog10P.indexOf(Math.max(...negLog10P));
  expect(inOrder[best]).toBe(9);
});

test('QC describes frequencies by the dosages, and heterozygosity by the nearest calls', async () => {
  const qc = await on('vcf', (_, panel) => qcGenotype({ panel }, CONTEXT));
  const counts = Array<number>(20).fill(0);
  for (const marker of dosages) {
    const p = mean(present(marker)) / 2;
    counts[Math.min(19, Math.floor(40 * Math.min(p, 1 - p)))]!++;
  }
  expect(qc.marker_maf.counts).toEqual(counts);
  const again = await on('matrix', (_, panel) => qcGenotype({ panel }, CONTEXT));
  expect(again).toEqual(qc);
});

test('new individuals of the training genotype under other names get the same values, with reliabilities', async () => {
  const model = await train('vcf');
  const { values, reliability } = await on('vcf', (panel) =>
    on('matrix', async (other) => {
      const renamed = { ...other, samples: other.samples.map((name) => `new ${name}`) };
      const [trait] = (await predict({ model, panel: renamed, training: panel }, CONTEXT)).traits;
      return { values: trait!.gebv, reliability: trait!.reliability };
    }),
  );
  const fit = model.traits[0]!.fit!;
  for (let i = 0; i < N; i++) {
    expect(values[i]!).toBeCloseTo(fit.gebv[i]!, 8);
    expect(reliability[i]!).toBeCloseTo(fit.reliability[i]!, 6);
  }
});

test('the kinship in single precision, which is defined for whole numbers, is refused', async () => {
  const single = on('vcf', (_, panel) =>
    panelKinship({ panel, methods: ['standardized'], maf: 0, callRate: 0, precision: 'single' }, CONTEXT),
  );
  await expect(single).rejects.toMatchObject({ code: 'analysis/single-precision' });
});
