import type { Matrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { crossValidate } from '../genomic-prediction/cross-validate.ts';
import type { FixedModel } from '../genomic-prediction/fixed-effects.ts';
import { createFolds } from '../genomic-prediction/folds.ts';
import { type KnownErrors, predictWithKnownErrors } from '../genomic-prediction/known-errors.ts';
import { createMarkerEffectAccumulator } from '../genomic-prediction/marker-effects.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { principalComponents } from '../kinship/principal-components.ts';
import { markerCrossValidationSteps } from './cross-validate-markers.ts';
import { dominanceKinships } from './dominance-equations.ts';
import { createMarkerSpaceModel, markerSpaceComponents } from './fit-marker-space.ts';
import { fitWeighedMarkers, type WeighedModel } from './fit-weighed-markers.ts';
import { markerKinship } from './marker-equations.ts';
import { createPackedMarkers, type PackedMarkers } from './packed-markers.ts';
import { dominancePanel, inbredPanel, relativeDifference, type SmallPanel } from './small-panel.test-data.ts';

const FILTER = { maf: 0.05, callRate: 0.9 };

const independent = (variances: Float64Array): KnownErrors => ({
  among: (individuals) => Float64Array.from(individuals, (i) => variances[i]),
  residualLines: false,
});

/** Error variances that differ by a factor of up to 20, of the size of the residual of the panels. */
const unequal = (n: number, size: number): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => size * (0.1 + 1.9 * Math.sin(3.7 * i) ** 2));

const packed = (panel: SmallPanel): PackedMarkers => {
  const builder = createPackedMarkers({ panelSize: panel.n }, FILTER);
  builder.add(panel.packed, panel.m);
  return builder.finish();
};

interface Case {
  name: string;
  n: number;
  m: number;
  missing: number;
  dominance: boolean;
  /** Whether nobody is heterozygous. */
  inbred?: boolean;
  method: 'vanraden1' | 'standardized';
}

const CASES: Case[] = [
  { name: 'more individuals', n: 300, m: 80, missing: 0, dominance: false, method: 'vanraden1' },
  { name: 'more individuals, missing calls', n: 300, m: 80, missing: 0.02, dominance: false, method: 'standardized' },
  { name: 'inbred lines', n: 200, m: 80, missing: 0, dominance: false, method: 'standardized', inbred: true },
  { name: 'more markers', n: 70, m: 160, missing: 0.02, dominance: false, method: 'vanraden1' },
  { name: 'dominance', n: 260, m: 50, missing: 0.02, dominance: true, method: 'vanraden1' },
  { name: 'dominance, more columns', n: 90, m: 80, missing: 0, dominance: true, method: 'standardized' },
];

function worldOf({ n, m, missing, dominance, method, inbred = false }: Case) {
  const panel = (dominance ? dominancePanel : inbredPanel)({ n, m, missing, seed: 41 });
  // Of the two-bit calls 00, 01 (missing), 10 (heterozygous) and 11, where the first bit is set the other is too.
  if (inbred) for (const [at, byte] of panel.packed.entries()) panel.packed[at] = byte | ((byte & 0xaa) >> 1);
  const y = panel.y.map((value, i) => (i % 11 === 3 ? Number.NaN : value));
  const markers = packed(panel);
  const observed = Int32Array.from(y.keys()).filter((i) => !Number.isNaN(y[i]));
  const kinships = dominance ? dominanceKinships(markers, method, observed) : null;
  const accumulator = createKinshipAccumulator({
    ...{ panelSize: panel.n, filter: FILTER, methods: dominance ? [method, 'dominance'] : [method] },
    ...(dominance ? { frequenciesOf: observed } : {}),
  });
  accumulator.add(panel.packed, panel.m);
  const kinship = accumulator.finish();
  const kernel = kinship.kernels[method];
  if (kernel === undefined) throw new TypeError('no kernel');
  const terms = [
    { values: panel.y.map((_, i) => Math.sin(i)), isFactor: false },
    { values: panel.y.map((_, i) => i % 3), isFactor: true },
  ];
  const additive = kinships?.additive ?? markerKinship(markers, method);
  return { panel, y, markers, kinships, kinship, kernel, terms, additive, observed };
}

for (const given of CASES) {
  test(`values with known errors: markers give the model of the individuals (${given.name})`, () => {
    const { panel, y, markers, kinships, kinship, kernel, terms, additive, observed } = worldOf(given);
    const errors = independent(unequal(panel.n, 60));
    const dominance: Matrix | null = given.dominance ? (kinship.kernels.dominance ?? null) : null;
    for (const components of [0, 2]) {
      const ofKernel: FixedModel = {
        terms,
        components: components === 0 ? null : principalComponents(kernel, components),
      };
      const fixed: FixedModel = { terms, components: markerSpaceComponents(markers, additive, null, components) };
      const expected = predictWithKnownErrors({ additive: kernel, dominance, y, errors, fixed: ofKernel });
      const fit = fitWeighedMarkers({ markers, additive, dominance: kinships, y, errors, fixed });
      expect(fit.atBoundary).toEqual(expected.atBoundary);
      expect(fit.varianceAdditive).toBeGreaterThan(0);
      for (const figure of ['n', 'mean', 'varianceAdditive', 'varianceResidual', 'logLikelihood'] as const) {
        expect(relativeDifference([fit[figure]], [expected[figure]]), figure).toBeLessThan(1e-9);
      }
      expect(relativeDifference([fit.varianceDominance ?? 1], [expected.varianceDominance ?? 1])).toBeLessThan(1e-8);
      expect(relativeDifference(fit.breedingValue, expected.breedingValue)).toBeLessThan(1e-9);
      expect(relativeDifference(fit.reliability, expected.reliability)).toBeLessThan(1e-8);
      expect(fit.genotypic === null).toBe(!given.dominance);
      if (fit.genotypic !== null && expected.genotypic !== null) {
        expect(relativeDifference(fit.genotypic.value, expected.genotypic.value)).toBeLessThan(1e-8);
        expect(relativeDifference(fit.genotypic.reliability, expected.genotypic.reliability)).toBeLessThan(1e-8);
      }
      for (const figure of ['h2', 'H2', 'kinshipPve', 'dominancePve'] as const) {
        const [own, other] = [fit.heritability[figure] ?? 1, expected.heritability[figure] ?? 1];
        expect(own / other, figure).toBeCloseTo(1, 8);
      }
      expect(fit.heritability.standardErrors).not.toBeNull();
      for (const figure of ['additive', 'residual', 'h2', 'kinshipPve'] as const) {
        const own = fit.heritability.standardErrors?.[figure] ?? Number.NaN;
        expect(own - (expected.heritability.standardErrors?.[figure] ?? 0), figure).toBeCloseTo(0, 7);
      }
      for (const [k, effect] of fit.fixed.entries()) {
        // The sign of a principal component is free.
        expect(Math.abs(effect.estimate / expected.fixed[k].estimate)).toBeCloseTo(1, 7);
        expect(effect.standardError / expected.fixed[k].standardError).toBeCloseTo(1, 8);
      }
      const accumulated = createMarkerEffectAccumulator({
        ...{ panelSize: panel.n, method: given.method, kept: kinship.scan.kept },
        ...(given.dominance ? { frequenciesOf: observed } : {}),
        traits: [
          {
            weights: expected.weights,
            mean: expected.mean - (expected.structure?.shift ?? 0),
            additiveWeights: expected.weights.map(
              (value, i) => expected.varianceAdditive * value + (expected.structure?.weights[i] ?? 0),
            ),
            additiveScale: 1 / (kinship.divisors[given.method] ?? 0),
            ...(given.dominance
              ? { dominanceScale: (expected.varianceDominance ?? 0) / (kinship.divisors.dominance ?? 0) }
              : {}),
          },
        ],
      });
      accumulated.add(panel.packed, panel.m);
      const [effects] = accumulated.finish();
      expect(relativeDifference(fit.effects.additive, effects.additive)).toBeLessThan(1e-8);
      if (given.dominance) {
        expect(relativeDifference(fit.effects.dominance ?? [], effects.dominance ?? [])).toBeLessThan(1e-8);
      }
      expect(relativeDifference([fit.effects.intercept], [effects.intercept])).toBeLessThan(1e-8);
    }
  });

  test(`values with known errors: so does cross-validation (${given.name})`, () => {
    const { panel, y, markers, kinship, kernel, terms } = worldOf(given);
    const errors = independent(unequal(panel.n, 60));
    const dominance = given.dominance ? kinship.kernels.dominance : undefined;
    const fixed = { terms, components: null };
    const folds = createFolds({ y, nFold: 4, nRepetition: 1, seed: 9 });
    const expected = crossValidate({
      ...{ kinship: kernel, y, folds, fixed, errors },
      ...(dominance === undefined ? {} : { dominance }),
    });
    const steps = markerCrossValidationSteps({
      ...{ markers, method: given.method, dominance: given.dominance, y, folds, fixed, errors },
    });
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(relativeDifference(step.value.predicted, expected.predicted)).toBeLessThan(1e-8);
    const whole = predictWithKnownErrors({ additive: kernel, dominance: dominance ?? null, y, errors, fixed });
    const share = whole.heritability.kinshipPve + (whole.heritability.dominancePve ?? 0);
    expect((step.value.kinshipPve ?? 0) / share).toBeCloseTo(1, 8);
    for (const [k, fold] of expected.folds.entries()) {
      expect((step.value.folds[k]?.varianceAdditive ?? 0) / fold.varianceAdditive).toBeCloseTo(1, 8);
      expect((step.value.folds[k]?.varianceResidual ?? 0) / fold.varianceResidual).toBeCloseTo(1, 10);
      expect(step.value.folds[k]?.pearsonR).toBeCloseTo(fold.pearsonR, 8);
    }
  });
}

test('errors of the residual variance give the model without errors', () => {
  const { panel, y, markers, terms, additive } = worldOf(CASES[0]);
  const fixed = { terms, components: null };
  const [plain] = createMarkerSpaceModel({ markers, method: 'vanraden1', fixed }).fit([y]);
  const errors = independent(new Float64Array(panel.n).fill(plain.varianceResidual));
  const fit = fitWeighedMarkers({ markers, additive, dominance: null, y, errors, fixed });
  expect(relativeDifference([fit.varianceAdditive], [plain.varianceAdditive])).toBeLessThan(1e-10);
  expect(relativeDifference([fit.logLikelihood], [plain.logLikelihood])).toBeLessThan(1e-12);
  expect(relativeDifference(fit.breedingValue, plain.gebv)).toBeLessThan(1e-10);
  expect(relativeDifference(fit.effects.additive, plain.effects)).toBeLessThan(1e-10);
  expect(relativeDifference(fit.reliability, plain.reliability)).toBeLessThan(1e-10);
});

test('errors as large as the variation leave no genetic variance, by either way', () => {
  const { panel, y, markers, terms, additive, kernel } = worldOf(CASES[1]);
  const fixed = { terms, components: null };
  const errors = independent(unequal(panel.n, 1e5));
  const model: WeighedModel = { markers, additive, dominance: null, y, errors, fixed };
  const fit = fitWeighedMarkers(model);
  const expected = predictWithKnownErrors({ additive: kernel, dominance: null, y, errors, fixed });
  expect([fit.atBoundary, expected.atBoundary]).toEqual([['additive'], ['additive']]);
  expect(relativeDifference([fit.logLikelihood], [expected.logLikelihood])).toBeLessThan(1e-11);
  expect(relativeDifference(fit.breedingValue, expected.breedingValue)).toBeLessThan(1e-11);
  expect(fit.reliability.every((value) => value === 0)).toBe(true);
});

test('correlated errors and residual lines are refused', () => {
  const { panel, y, markers, additive } = worldOf(CASES[0]);
  const lines = { ...independent(unequal(panel.n, 60)), residualLines: true };
  expect(() => fitWeighedMarkers({ markers, additive, dominance: null, y, errors: lines })).toThrow(TypeError);
});
