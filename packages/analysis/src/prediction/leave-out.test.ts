import { adjustedMeans } from '@heterosis/file-formats/tables/phenotype/adjusted-means';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { expect, test } from 'vitest';
import { type EvaluateInput, evaluateModels } from './evaluation/evaluate-model.ts';
import { evaluationCsv } from './evaluation/evaluation-figures.ts';
import { leftOutGroups } from './leave-out.ts';
import { openSmallPanel, smallPanel, smallPhenotype } from './small-panel.test-data.ts';
import { trainModel } from './train-model.ts';

const CONTEXT = { threads: 1 };
const small = smallPanel(60, 90, 70);
const panel = openSmallPanel(small);
const phenotype = smallPhenotype(small, 8);
const [y, age] = phenotype.values;

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const sum = (f: (i: number) => number) => a.reduce((total, _, i) => total + f(i), 0);
  return (
    sum((i) => (a[i]! - ma) * (b[i]! - mb)) / Math.sqrt(sum((i) => (a[i]! - ma) ** 2) * sum((i) => (b[i]! - mb) ** 2))
  );
}

/** Values of a model that has not seen some values, from training by the ordinary way. */
async function valuesWithout(isHidden: (i: number) => boolean, dominance: boolean, values = y!): Promise<Float64Array> {
  const hidden = { ...phenotype, values: [values.map((value, i) => (isHidden(i) ? Number.NaN : value)), age!] };
  const model = await trainModel({ panel, phenotype: hidden, traits: ['y'], dominance, maf: 0, callRate: 0 }, CONTEXT);
  const fit = model.traits[0]!.fit!;
  return fit.genotypic?.value ?? fit.gebv;
}

test('each group is predicted from the others, as a loop over models that have not seen it says', async () => {
  const input = { panel, phenotype, traits: ['y'], maf: 0, callRate: 0, leaveOut: 'Origin' };
  const [result] = await evaluateModels(input, CONTEXT);
  const { perFold, points, nFold, nRepetition, summary, meanFoldR } = result!.evaluation!;
  expect([nFold, nRepetition]).toEqual([3, 1]);
  expect(perFold.map(({ group }) => group)).toEqual(['north', 'south', 'west']);
  const { codes } = phenotype.groups[0]!;
  for (const [k, { n, r }] of perFold.entries()) {
    const gebv = await valuesWithout((i) => codes[i] === k, false);
    const members = small.samples.flatMap((_, i) => (codes[i] === k && !Number.isNaN(y![i]!) ? [i] : []));
    expect(n).toBe(members.length);
    expect(r).toBeCloseTo(
      correlation(
        members.map((i) => y![i]!),
        members.map((i) => gebv[i]!),
      ),
      8,
    );
    for (const i of members) {
      const point = points.find(({ individual }) => individual === small.samples[i])!;
      expect(point.fold).toBe(k + 1);
      expect(Math.abs(point.predicted / gebv[i]! - 1)).toBeLessThan(1e-9);
    }
  }
  expect(summary.pearson_r.mean).toBeCloseTo(
    correlation(
      points.map((point) => point.observed),
      points.map((point) => point.predicted),
    ),
    10,
  );
  expect(meanFoldR.mean).toBeCloseTo(
    perFold.reduce((sum, { r }) => sum + r! / 3, 0),
    10,
  );
  const lines = [...evaluationCsv([result!.evaluation!])].join('').split('\n');
  expect(lines[0]).toBe('trait,repetition,fold,n,r,group');
  expect(lines[1]).toMatch(/^y,1,1,\d+,.*,north$/);
});

/** Plots of the panel in three environments, two replicates each, not everybody everywhere. */
function plotsOf(seed: number) {
  const random = createRandomStream(seed, 'plots');
  const individual: number[] = [];
  const cell: number[] = [];
  const value: number[] = [];
  for (const [i, base] of y!.entries()) {
    for (let environment = 0; environment < 3; environment++) {
      if ((i + environment) % 4 === 3 || Number.isNaN(base)) continue;
      for (let replicate = 0; replicate < 2; replicate++) {
        individual.push(i);
        cell.push(2 * environment + replicate);
        value.push(base + 10 * environment + replicate + 3 * random.normal());
      }
    }
  }
  return { individual, cell, value, individualCount: y!.length, cellEnvironment: [0, 0, 1, 1, 2, 2] };
}

test.each([false, true])(
  'each environment is predicted from the means of the others, as a plain loop says (dominance: %s)',
  async (dominance) => {
    const observations = plotsOf(4);
    const table = { ...phenotype, values: [adjustedMeans(observations).values, age!] };
    const plots = { observations: [observations], environments: ['A / 2020', 'B / 2020', 'B / 2021'] };
    const settings = { maf: 0, callRate: 0, dominance };
    const [result] = await evaluateModels(
      { panel, phenotype: table, traits: ['y'], ...settings, leaveOut: 'environment', plots },
      CONTEXT,
    );
    const { perFold, points, summary, accuracy } = result!.evaluation!;
    expect(perFold.map(({ group }) => group)).toEqual(plots.environments);
    expect(accuracy).toBeNull();
    const deviations: [number, number][] = [];
    for (const [k, { n, r }] of perFold.entries()) {
      const inside = observations.cell.map((cell) => observations.cellEnvironment[cell] === k);
      const part = (isIn: boolean) =>
        adjustedMeans({
          ...observations,
          value: observations.value.map((value, row) => (inside[row] === isIn ? value : Number.NaN)),
        }).values;
      const there = part(true);
      const members = small.samples.flatMap((_, i) => (Number.isNaN(there[i]!) ? [] : [i]));
      const predicted = members.map(
        (i) => points.find(({ individual, fold }) => individual === small.samples[i] && fold === k + 1)!.predicted,
      );
      expect(n).toBe(members.length);
      expect(r).toBeCloseTo(
        correlation(
          members.map((i) => there[i]!),
          predicted,
        ),
        8,
      );
      // With dominance p is that of all individuals observed anywhere, not of those of the other environments.
      if (!dominance) {
        const gebv = await valuesWithout(() => false, false, part(false));
        for (const [place, i] of members.entries())
          expect(Math.abs(predicted[place]! / gebv[i]! - 1)).toBeLessThan(1e-9);
      }
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const [mo, mp] = [mean(members.map((i) => there[i]!)), mean(predicted)];
      deviations.push(...members.map((i, place): [number, number] => [there[i]! - mo, predicted[place]! - mp]));
    }
    expect(summary.pearson_r.mean).toBeCloseTo(
      correlation(
        deviations.map(([o]) => o),
        deviations.map(([, p]) => p),
      ),
      8,
    );
  },
);

test('what is observed in the environment left out says nothing to its prediction', async () => {
  const observations = plotsOf(5);
  const table = { ...phenotype, values: [adjustedMeans(observations).values, age!] };
  const predictedIn = async (value: number[]) => {
    const plots = { observations: [{ ...observations, value }], environments: ['A', 'B', 'C'] };
    const [result] = await evaluateModels(
      { panel, phenotype: table, traits: ['y'], leaveOut: 'environment', plots },
      CONTEXT,
    );
    return result!.evaluation!.points.filter(({ fold }) => fold === 2).map(({ predicted }) => predicted);
  };
  const changed = observations.value.map((value, row) =>
    observations.cell[row]! >> 1 === 1 ? 500 - 2 * value : value,
  );
  const before = await predictedIn(observations.value);
  expect(before.length).toBeGreaterThan(20);
  expect(await predictedIn(changed)).toEqual(before);
});

test('a column that varies within an individual, has one group or is unknown is refused with what to do', async () => {
  const groups = [
    {
      ...phenotype.groups[0]!,
      name: 'location',
      origin: 'design' as const,
      groups: [],
      conflict: { individual: 'I1', groups: ['x', 'y'] as [string, string] },
    },
    { ...phenotype.groups[0]!, name: 'all', codes: new Int32Array(60) },
  ];
  const table = { ...phenotype, groups };
  for (const [column, code] of [
    ['location', 'evaluation/group-varies'],
    ['all', 'evaluation/groups'],
    ['famly', 'gwas/unknown-covariate'],
  ]) {
    expect(() => leftOutGroups(small.samples, table, column!, {})).toThrow(expect.objectContaining({ code }));
  }
  const [result] = await evaluateModels(
    {
      panel,
      phenotype: table,
      traits: ['y'],
      leaveOut: 'environment',
      plots: { observations: [{ ...plotsOf(6), cellEnvironment: [0, 0, 0, 0, 0, 0] }], environments: ['A'] },
    },
    CONTEXT,
  );
  expect(result).toMatchObject({ evaluation: null, error: { code: 'evaluation/environments' } });
});

test('accuracy is r over the root of the heritability of the means, or of what the kinship explains, and says which', async () => {
  const input = { panel, traits: ['y'], nFold: 5, nRepetition: 2 };
  const evaluate = async (h2: number | null, more: Partial<EvaluateInput> = {}) => {
    const [result] = await evaluateModels({ ...input, phenotype: { ...phenotype, h2: [h2, null] }, ...more }, CONTEXT);
    return result!.evaluation!;
  };
  const means = await evaluate(0.64);
  const r = means.summary.pearson_r.mean!;
  expect(means.accuracy).toEqual({ value: r / 0.8, h2: 0.64, basis: 'entry-mean', note: null });
  // Cullis' H² comes before that of the entry means, which is an approximation for unbalanced trials.
  const cullisH2 = new Map([['y', 0.36]]);
  expect((await evaluate(0.64, { cullisH2 })).accuracy).toMatchObject({ value: r / 0.6, h2: 0.36, basis: 'cullis' });
  expect((await evaluate(0.64, { cullisH2: new Map([['y', 0]]) })).accuracy).toBeNull();
  // A value beyond 1 is given as it is, with what it means.
  const small = (await evaluate(0.5 * r ** 2)).accuracy!;
  expect(Math.abs(small.value)).toBeCloseTo(Math.SQRT2, 12);
  expect(small.note).toMatch(/^(Above 1|Below −1), which no correlation is/);
  const genomic = await evaluate(null);
  const { variance } = (await trainModel({ panel, phenotype, traits: ['y'] }, CONTEXT)).traits[0]!.fit!;
  expect(genomic.accuracy!.basis).toBe('genomic');
  expect(genomic.accuracy!.h2).toBeCloseTo(variance.kinship_pve, 9);
  expect(genomic.accuracy!.value).toBeCloseTo(genomic.summary.pearson_r.mean! / Math.sqrt(variance.kinship_pve), 8);
  expect((await evaluate(0)).accuracy).toBeNull();
  // The trial knows nothing of covariates: with them only the kinship tells the heritability beside them.
  const beside = { covariates: ['age'], principalComponents: 1 };
  const given = (await trainModel({ panel, phenotype, traits: ['y'], ...beside }, CONTEXT)).traits[0]!.fit!;
  const { accuracy } = await evaluate(0.64, { ...beside, cullisH2 });
  expect(accuracy!.basis).toBe('genomic');
  expect(accuracy!.h2).toBeCloseTo(given.variance.kinship_pve, 8);
});
