import { DOSAGE_UNITS } from '@heterosis/file-formats/genotype/panel/dosages';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { expect, test } from 'vitest';
import { predict } from '../predict.ts';
import { openSmallPanel, type SmallPanel, smallPanel, smallPhenotype } from '../small-panel.test-data.ts';
import { trainModel } from '../train-model.ts';
import type { TrainedModel } from '../trained-model.ts';
import { errorCovariances } from './error-covariances.ts';

const CONTEXT = { threads: 1 };

/** Gauss–Jordan. */
function inverse(matrix: number[][]): number[][] {
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  for (let k = 0; k < rows.length; k++) {
    let pivot = k;
    for (let i = k + 1; i < rows.length; i++) if (Math.abs(rows[i]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    const scale = rows[k]![k]!;
    for (let j = 0; j < rows[k]!.length; j++) rows[k]![j]! /= scale;
    for (let i = 0; i < rows.length; i++) {
      if (i === k) continue;
      const factor = rows[i]![k]!;
      for (let j = 0; j < rows[i]!.length; j++) rows[i]![j]! -= factor * rows[k]![j]!;
    }
  }
  return rows.map((row) => row.slice(matrix.length));
}

const times = (a: number[][], v: readonly number[]) =>
  a.map((row) => row.reduce((sum, value, k) => sum + value * v[k]!, 0));
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, k) => sum + value * b[k]!, 0);

/** Codes of one marker for training and candidates together, and what it adds to the divisor, by the definitions. */
function codesOf(training: (number | null)[], candidates: (number | null)[], base: (number | null)[], method: string) {
  const mean = (values: (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const p = mean(base) / 2;
  const average = mean(training);
  // A dosage between two calls lies on the line between their codes.
  const heterozygotes = (g: number) => 1 - Math.abs(1 - g);
  const heterozygous = mean(training.map((g) => (g === null ? null : heterozygotes(g))));
  const variance = 2 * p * (1 - p);
  const code = (g: number | null): number => {
    if (method === 'dominance')
      return (g === null ? heterozygous : heterozygotes(g)) + (2 * p - 1) * (g ?? average) - 2 * p * p;
    return ((g ?? average) - 2 * p) / (method === 'standardized' ? Math.sqrt(variance) : 1);
  };
  return {
    codes: [...training, ...candidates].map(code),
    divisor: method === 'standardized' ? 1 : method === 'dominance' ? variance ** 2 : variance,
  };
}

/**
 * 1 − PEV/var(g) of every candidate as it is defined, and the covariance of the errors of breeding values, from dense
 * kinships of training and candidates and V⁻¹.
 */
function denseErrors(model: TrainedModel, training: SmallPanel, candidates: SmallPanel) {
  const { fit } = model.traits[0]!;
  const { dominance, kinship } = model.settings;
  const observed = training.samples.flatMap((_, i) => (Number.isNaN(fit!.observed[i]!) ? [] : [i]));
  const n = training.samples.length;
  const kernels = (dominance ? [kinship, 'dominance'] : [kinship]).map((method) => {
    const columns = model.markers.id.map((id) => {
      const j = training.markers.findIndex((marker) => marker.id === id);
      const k = candidates.markers.findIndex((marker) => marker.id === id);
      const all = training.dosages.map((row) => row[j]!);
      return codesOf(
        all,
        candidates.dosages.map((row) => (k < 0 ? null : row[k]!)),
        dominance ? observed.map((i) => all[i]!) : all,
        method,
      );
    });
    const sum = columns.reduce((total, { divisor }) => total + divisor, 0);
    const divisor = method === 'standardized' ? sum - 1 : sum;
    return (i: number, k: number) => columns.reduce((total, { codes }) => total + codes[i]! * codes[k]!, 0) / divisor;
  });
  const variances = [fit!.variance.additive, fit!.variance.dominance ?? 0];
  const covariance = (i: number, k: number, components: number) =>
    kernels.slice(0, components).reduce((sum, kernel, c) => sum + variances[c]! * kernel(i, k), 0);
  const v = observed.map((i) => observed.map((k) => covariance(i, k, 2) + (i === k ? fit!.variance.residual : 0)));
  const vInverse = inverse(v);
  const ones = times(
    vInverse,
    observed.map(() => 1),
  );
  const total = ones.reduce((sum, value) => sum + value, 0);
  const explained = (k: number, l: number, components: number) => {
    const [c, d] = [k, l].map((one) => observed.map((i) => covariance(i, n + one, components)));
    return dot(c!, times(vInverse, d!)) - (dot(ones, c!) * dot(ones, d!)) / total;
  };
  const places = [...candidates.samples.keys()];
  return {
    reliabilities: [1, 2]
      .slice(0, kernels.length)
      .map((components) => places.map((k) => explained(k, k, components) / covariance(n + k, n + k, components))),
    errors: places.map((k) => places.map((l) => covariance(n + k, n + l, 1) - explained(k, l, 1))),
  };
}

const exchanged = (panel: SmallPanel): SmallPanel => ({
  ...panel,
  markers: panel.markers.map((marker, j) => (j % 3 === 0 ? { ...marker, a1: marker.a2, a2: marker.a1 } : marker)),
  dosages: panel.dosages.map((row) => row.map((g, j) => (g !== null && j % 3 === 0 ? 2 - g : g))),
});
/** Two of three markers with dosages between the calls. */
const uncertain = (panel: SmallPanel, seed: number): SmallPanel => {
  const random = createRandomStream(seed, 'uncertain');
  return {
    ...panel,
    dosages: panel.dosages.map((row) =>
      row.map((g, j) => {
        const off = Math.round(0.45 * random.uniform() * DOSAGE_UNITS) / DOSAGE_UNITS;
        return g === null || j % 3 === 1 ? g : g === 2 ? g - off : g + off;
      }),
    ),
  };
};
const shuffled = (panel: SmallPanel): SmallPanel => ({
  ...panel,
  markers: panel.markers.toReversed(),
  dosages: panel.dosages.map((row) => row.toReversed()),
});
const without = (panel: SmallPanel, every: number): SmallPanel => ({
  ...panel,
  markers: panel.markers.filter((_, j) => j % every !== 0),
  dosages: panel.dosages.map((row) => row.filter((_, j) => j % every !== 0)),
});

test.each([
  { kinship: 'vanraden1', dominance: false, seed: 10 },
  { kinship: 'standardized', dominance: false, seed: 20 },
  { kinship: 'vanraden1', dominance: true, seed: 30 },
  { kinship: 'standardized', dominance: true, seed: 40 },
  { kinship: 'vanraden1', dominance: false, seed: 70, fractional: true },
  { kinship: 'standardized', dominance: true, seed: 80, fractional: true },
] as const)(
  'reliabilities of new candidates equal 1 − PEV/var(g) from dense matrices (%o)',
  async ({ kinship, dominance, seed, ...more }) => {
    const asRead = (one: SmallPanel, place: number) => ('fractional' in more ? uncertain(one, seed + place) : one);
    // More markers than are decoded at a time.
    const training = asRead(smallPanel(36, 600, seed), 0);
    const candidates = asRead(smallPanel(9, 600, seed + 1, 'C'), 1);
    const panel = openSmallPanel(training);
    const model = await trainModel(
      { panel, phenotype: smallPhenotype(training, seed), traits: ['y'], kinship, dominance },
      CONTEXT,
    );
    const { reliabilities, errors } = denseErrors(model, training, without(candidates, 4));
    const [breeding, genotypic] = reliabilities;
    const size = Math.max(...errors.map((row, k) => row[k]!));
    for (const change of [(one: SmallPanel) => one, exchanged, shuffled]) {
      const changed = openSmallPanel(change(without(candidates, 4)));
      const [covariance] = (await errorCovariances({ model, training: panel, panel: changed }, CONTEXT)) ?? [];
      const predicted = await predict({ model, panel: changed, training: panel }, CONTEXT);
      const [trait] = predicted.traits;
      expect(predicted.report.without_reliability).toBe(0);
      for (const [i, expected] of breeding!.entries())
        expect(Math.abs(trait!.reliability[i]! - expected)).toBeLessThan(1e-8);
      for (const [i, row] of errors.entries()) {
        expect(Math.abs(trait!.pev[i]! - row[i]!) / size).toBeLessThan(1e-8);
        for (const [j, expected] of row.entries())
          expect(Math.abs(covariance!.data[i + j * row.length]! - expected) / size).toBeLessThan(1e-8);
      }
      for (const [i, expected] of (genotypic ?? []).entries())
        expect(Math.abs(trait!.genotypic!.reliability[i]! - expected)).toBeLessThan(1e-8);
      expect(trait!.genotypic === null).toBe(!dominance);
    }
  },
);

test.each([false, true])(
  'a candidate with the genotype of a training individual has its reliability, with covariates too (dominance: %s)',
  async (dominance) => {
    const training = smallPanel(40, 80, 50);
    const panel = openSmallPanel(training);
    const settings = { dominance, covariates: ['age', 'origin'], principalComponents: 2, maf: 0.1 };
    const model = await trainModel(
      { panel, phenotype: smallPhenotype(training, 3), traits: ['y'], ...settings },
      CONTEXT,
    );
    const fit = model.traits[0]!.fit!;
    const renamed = openSmallPanel({ ...training, samples: training.samples.map((name) => `copy of ${name}`) });
    // The training genotype with other individuals in front and other markers between.
    const wider = smallPanel(3, 80, 51, 'X');
    const whole = openSmallPanel({
      ...training,
      samples: [...wider.samples, ...training.samples],
      dosages: [...wider.dosages, ...training.dosages],
    });
    for (const given of [panel, whole]) {
      const { traits } = await predict({ model, panel: renamed, training: given }, CONTEXT);
      for (let i = 0; i < 40; i++) {
        expect(Math.abs(traits[0]!.reliability[i]! - fit.reliability[i]!)).toBeLessThan(1e-8);
        expect(Math.abs(traits[0]!.pev[i]! - fit.pev![i]!)).toBeLessThan(1e-8 * (fit.pev![i]! + 1));
        if (dominance) {
          const difference = traits[0]!.genotypic!.reliability[i]! - fit.genotypic!.reliability[i]!;
          expect(Math.abs(difference)).toBeLessThan(1e-8);
        }
      }
    }
  },
);

test('the unit of the trait does not matter, and another genotype is refused', async () => {
  const training = smallPanel(30, 60, 60);
  const panel = openSmallPanel(training);
  const phenotype = smallPhenotype(training, 5);
  const candidates = openSmallPanel(smallPanel(5, 60, 61, 'C'));
  const reliabilityIn = async (unit: number) => {
    const [y, age] = phenotype.values;
    const scaled = { ...phenotype, values: [y!.map((value) => value * unit), age!] };
    const model = await trainModel({ panel, phenotype: scaled, traits: ['y'] }, CONTEXT);
    return {
      model,
      values: (await predict({ model, panel: candidates, training: panel }, CONTEXT)).traits[0]!.reliability,
    };
  };
  const { model, values } = await reliabilityIn(1);
  expect(Math.max(...values)).toBeGreaterThan(0.05);
  for (const unit of [1e100, 1e-100]) {
    for (const [i, value] of (await reliabilityIn(unit)).values.entries())
      expect(Math.abs(value - values[i]!)).toBeLessThan(1e-7);
  }
  const fewer = { ...training, samples: training.samples.slice(1), dosages: training.dosages.slice(1) };
  const other = {
    ...training,
    dosages: training.dosages.map((row, i) => (i === 3 ? row.map((g) => (g === null ? 1 : 2 - g)) : row)),
  };
  for (const [wrong, reason] of [
    [fewer, '"I1"'],
    [other, 'another allele frequency'],
    [without(training, 5), 'lacks'],
  ] as const) {
    await expect(predict({ model, panel: candidates, training: openSmallPanel(wrong) }, CONTEXT)).rejects.toMatchObject(
      {
        code: 'predictions/not-the-training-genotype',
        message: expect.stringContaining(reason),
      },
    );
  }
});
