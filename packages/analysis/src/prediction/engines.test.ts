import { expect, test } from 'vitest';
import { evaluateModels } from './evaluation/evaluate-model.ts';
import { modelJson, parseModelJson } from './model-file.ts';
import { openSmallPanel, smallPanel, smallPhenotype, withStandardErrors } from './small-panel.test-data.ts';
import { trainModel } from './train-model.ts';

const CONTEXT = { threads: 1 };

/** Largest difference over the largest value. */
function difference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length === 0 && expected.length === 0) return 0;
  const size = Math.max(...Array.from(expected, Math.abs)) || 1;
  return Math.max(...Array.from(expected, (value, i) => Math.abs((actual[i] ?? Number.NaN) - value))) / size;
}

for (const { name, fractions, dominance, hasErrors = false } of [
  { name: '', fractions: false, dominance: false },
  { name: ', with fractional dosages', fractions: true, dominance: false },
  { name: ', with dominance', fractions: false, dominance: true },
  { name: ', with dominance and fractional dosages', fractions: true, dominance: true },
  { name: ', with known errors', fractions: false, dominance: false, hasErrors: true },
  { name: ', with known errors, dominance and fractional dosages', fractions: true, dominance: true, hasErrors: true },
]) {
  test(`a model from the markers is that from the individuals${name}`, async () => {
    const world = smallPanel(150, dominance ? 30 : 60, 30);
    const phenotype = hasErrors ? withStandardErrors(smallPhenotype(world, 3)) : smallPhenotype(world, 3);
    if (fractions) {
      for (const row of world.dosages) {
        for (let j = 0; j < row.length; j += 4)
          row[j] = row[j] === null ? null : Math.abs((row[j] ?? 0) - 0.125 * (j % 3));
      }
    }
    const input = {
      panel: openSmallPanel(world),
      phenotype,
      traits: hasErrors ? ['y'] : ['y', 'age'],
      ...(hasErrors ? { standardErrors: ['se'] } : {}),
      callRate: 0.8,
      dominance,
      principalComponents: 2,
      covariates: ['origin'],
    };
    const [own, other] = [
      await trainModel({ ...input, engine: 'markers' }, CONTEXT),
      await trainModel({ ...input, engine: 'individuals' }, CONTEXT),
    ];
    expect([own.engine?.name, other.engine?.name]).toEqual(['markers', 'individuals']);
    expect(parseModelJson(modelJson(own)).engine?.reason).toBe('the equations of the markers were asked for');
    expect(other.engine?.reason).toBe('the kinship of the individuals was asked for');
    expect(own.markers).toEqual(other.markers);
    for (const [t, { fit }] of own.traits.entries()) {
      const expected = other.traits[t]?.fit;
      if (fit == null || expected == null) throw new TypeError('no fit');
      expect(difference(fit.additive, expected.additive)).toBeLessThan(1e-8);
      expect(fit.dominance === null).toBe(!dominance);
      expect(difference(fit.dominance ?? [], expected.dominance ?? [])).toBeLessThan(1e-8);
      expect(fit.frequencyA2).toEqual(expected.frequencyA2);
      expect(difference(fit.gebv, expected.gebv)).toBeLessThan(1e-8);
      expect(difference(fit.reliability, expected.reliability)).toBeLessThan(1e-8);
      expect(difference(fit.pev ?? [], expected.pev ?? [])).toBeLessThan(1e-8);
      expect(Math.max(...(fit.pev ?? [])) > 0).toBe(fit.variance.additive > 0);
      expect(difference(fit.genotypic?.value ?? [], expected.genotypic?.value ?? [])).toBeLessThan(1e-8);
      expect(difference(fit.genotypic?.reliability ?? [], expected.genotypic?.reliability ?? [])).toBeLessThan(1e-8);
      expect(fit.atBoundary).toEqual(expected.atBoundary);
      expect(fit.variance.kinship_pve).toBeCloseTo(expected.variance.kinship_pve, 8);
      expect(fit.variance.dominance_pve ?? 0).toBeCloseTo(expected.variance.dominance_pve ?? 0, 8);
      expect(fit.logLikelihood).toBeCloseTo(expected.logLikelihood, 7);
      expect(fit.errors).toEqual(expected.errors);
      expect(fit.errors !== undefined).toBe(hasErrors);
    }
    const evaluate = (engine: 'markers' | 'individuals') =>
      evaluateModels({ ...input, traits: ['y'], engine, nFold: 4, nRepetition: 2 }, CONTEXT);
    const [[fromMarkers], [fromIndividuals]] = [await evaluate('markers'), await evaluate('individuals')];
    const [a, b] = [fromMarkers?.evaluation, fromIndividuals?.evaluation];
    if (a == null || b == null) throw new TypeError('no evaluation');
    expect(a.points.length).toBe(b.points.length);
    expect(
      difference(
        a.points.map((p) => p.predicted),
        b.points.map((p) => p.predicted),
      ),
    ).toBeLessThan(1e-8);
    expect(a.accuracy?.h2).toBeCloseTo(b.accuracy?.h2 ?? 0, 8);
    expect(a.engine.name).toBe('markers');
  });
}

test('the equations of the markers say which errors they do not take', async () => {
  const world = smallPanel(60, 20, 34);
  const phenotype = withStandardErrors(smallPhenotype(world, 3));
  const input = { panel: openSmallPanel(world), phenotype, traits: ['y'], callRate: 0.8, engine: 'markers' as const };
  await expect(trainModel({ ...input, standardErrors: ['se'], residualLines: true }, CONTEXT)).rejects.toMatchObject({
    code: 'errors/engine',
    suggestion: 'Leave out --engine markers or --residual-lines.',
  });
  const n = phenotype.individuals.length;
  const covariance = { rows: n, columns: n, data: new Float64Array(n * n) };
  for (let i = 0; i < n; i++) covariance.data[i * (n + 1)] = 1;
  const traits = new Map([['y', { places: Int32Array.from({ length: n }, (_, i) => i), covariance }]]);
  const refused = (from: 'covariance' | 'standard errors') =>
    expect(trainModel({ ...input, errors: { from, traits } }, CONTEXT)).rejects;
  await refused('covariance').toMatchObject({ code: 'errors/engine', suggestion: expect.stringContaining('se.') });
  await refused('standard errors').toMatchObject({
    code: 'errors/engine',
    message: expect.stringContaining('several environments'),
  });
});

test('dominance of inbred lines is refused by both ways for the same reason', async () => {
  const world = smallPanel(60, 20, 33);
  for (const row of world.dosages) for (const [j, dosage] of row.entries()) row[j] = dosage === 1 ? 2 : dosage;
  const input = { panel: openSmallPanel(world), phenotype: smallPhenotype(world, 3), traits: ['y'], callRate: 0.8 };
  const [own, other] = [
    await trainModel({ ...input, dominance: true, engine: 'markers' }, CONTEXT),
    await trainModel({ ...input, dominance: true, engine: 'individuals' }, CONTEXT),
  ];
  expect(own.traits[0]?.error?.code).toBe('analysis/no-heterozygotes');
  expect(own.traits[0]?.error).toEqual(other.traits[0]?.error);
});

test('what fits by neither way is refused with a way out', async () => {
  const world = smallPanel(40, 30, 31);
  const input = { panel: openSmallPanel(world), phenotype: smallPhenotype(world, 3), traits: ['y'] };
  await expect(trainModel({ ...input, memoryMb: 100 }, CONTEXT)).rejects.toMatchObject({
    code: 'analysis/does-not-fit',
    suggestion: expect.stringContaining('Prune the markers'),
  });
});
