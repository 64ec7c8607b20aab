import { expect, test } from 'vitest';
import { crossValidate } from '../genomic-prediction/cross-validate.ts';
import { createFolds } from '../genomic-prediction/folds.ts';
import { createMarkerEffectAccumulator } from '../genomic-prediction/marker-effects.ts';
import { createRrblupModel } from '../genomic-prediction/rrblup.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { principalComponents } from '../kinship/principal-components.ts';
import { type MarkerCrossValidationOptions, markerCrossValidationSteps } from './cross-validate-markers.ts';
import { createMarkerSpaceModel, markerSpaceComponents } from './fit-marker-space.ts';
import { markerKinship } from './marker-equations.ts';
import { createPackedMarkers } from './packed-markers.ts';
import { inbredPanel, relativeDifference, type SmallPanel } from './small-panel.test-data.ts';

const FILTER = { maf: 0.05, callRate: 0.9 };

for (const { name, missing, method } of [
  { name: 'complete calls', missing: 0, method: 'vanraden1' },
  { name: 'missing calls', missing: 0.02, method: 'vanraden1' },
  { name: 'complete calls, standardized', missing: 0, method: 'standardized' },
] as const) {
  test(`marker space gives the same model as the kinship of the individuals: ${name}`, () => {
    const panel = inbredPanel({ n: 400, m: 120, missing, seed: 5 });
    // Some are not observed, two columns are fixed effects.
    const y = panel.y.map((value, i) => (i % 11 === 3 ? Number.NaN : value));
    const fixed = {
      terms: [
        { values: panel.y.map((_, i) => Math.sin(i)), isFactor: false },
        { values: panel.y.map((_, i) => i % 3), isFactor: true },
      ],
      components: null,
    };
    const selection = { panelSize: panel.n };
    const accumulator = createKinshipAccumulator({ ...selection, filter: FILTER, methods: [method] });
    accumulator.add(panel.packed, panel.m);
    const kinship = accumulator.finish();
    const kernel = kinship.kernels[method];
    const builder = createPackedMarkers(selection, FILTER);
    builder.add(panel.packed, panel.m);
    const markers = builder.finish();
    expect(markers.m).toBe(kinship.scan.keptCount);
    expect(markers.isWhole).toBe(missing === 0);
    if (kernel === undefined) throw new TypeError('no kernel');
    for (const components of [0, 2]) {
      const expectedComponents = components === 0 ? null : principalComponents(kernel, components);
      const own = markerSpaceComponents(markers, markerKinship(markers, method), null, components);
      if (expectedComponents !== null && own !== null) {
        expect(relativeDifference(own.eigenvalues, expectedComponents.eigenvalues)).toBeLessThan(1e-10);
      }
      const expected = createRrblupModel(kernel, { ...fixed, components: expectedComponents }).fit(y);
      // A second trait of the same individuals shares the factorisations and changes nothing.
      const other = y.map((value, i) => value + 3 * Math.cos(5 * i));
      const [, fit] = createMarkerSpaceModel({ markers, method, fixed: { ...fixed, components: own } }).fit([other, y]);
      expect(fit.boundary).toBe('none');
      for (const figure of ['n', 'mean', 'varianceAdditive', 'varianceResidual', 'logLikelihood'] as const) {
        expect(relativeDifference([fit[figure]], [expected[figure]]), figure).toBeLessThan(1e-8);
      }
      expect(relativeDifference(fit.gebv, expected.gebv)).toBeLessThan(1e-8);
      expect(relativeDifference(fit.reliability, expected.reliability)).toBeLessThan(1e-8);
      for (const figure of ['additive', 'residual', 'h2', 'kinshipPve'] as const) {
        const error = fit.heritability.standardErrors?.[figure] ?? Number.NaN;
        expect(error / (expected.heritability.standardErrors?.[figure] ?? 0), figure).toBeCloseTo(1, 7);
      }
      for (const [k, effect] of fit.fixed.entries()) {
        const other = expected.fixed[k];
        expect(Math.abs(effect.estimate) / Math.abs(other.estimate)).toBeCloseTo(1, 7);
        expect(effect.standardError / other.standardError).toBeCloseTo(1, 7);
      }
      const effects = createMarkerEffectAccumulator({
        ...selection,
        method,
        kept: kinship.scan.kept,
        traits: [
          {
            weights: expected.weights,
            ...(expected.structure === null
              ? { mean: expected.mean, additiveScale: expected.varianceAdditive / (kinship.divisors[method] ?? 0) }
              : {
                  mean: expected.mean - expected.structure.shift,
                  additiveWeights: expected.weights.map(
                    (value, i) => expected.varianceAdditive * value + (expected.structure?.weights[i] ?? 0),
                  ),
                  additiveScale: 1 / (kinship.divisors[method] ?? 0),
                }),
          },
        ],
      });
      effects.add(panel.packed, panel.m);
      const [{ additive, intercept }] = effects.finish();
      expect(relativeDifference(fit.effects, additive)).toBeLessThan(1e-8);
      expect(relativeDifference([fit.intercept], [intercept])).toBeLessThan(1e-8);
    }
  });
}

/** Cross-validation in marker space and by the kinship of the individuals. */
function bothEngines(panel: SmallPanel, options: Pick<MarkerCrossValidationOptions, 'y' | 'folds' | 'fixed'>) {
  const accumulator = createKinshipAccumulator({ panelSize: panel.n, filter: FILTER, methods: ['vanraden1'] });
  accumulator.add(panel.packed, panel.m);
  const kinship = accumulator.finish().kernels.vanraden1;
  const builder = createPackedMarkers({ panelSize: panel.n }, FILTER);
  builder.add(panel.packed, panel.m);
  if (kinship === undefined) throw new TypeError('no kinship');
  const steps = markerCrossValidationSteps({ markers: builder.finish(), method: 'vanraden1', ...options });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return { found: step.value, expected: crossValidate({ kinship, ...options }) };
}

test('cross-validation in marker space equals that of the kinship', () => {
  for (const missing of [0, 0.02]) {
    const panel = inbredPanel({ n: 400, m: 120, missing, seed: 21 });
    const y = panel.y.map((value, i) => (i % 17 === 2 ? Number.NaN : value));
    const folds = createFolds({ y, nFold: 4, nRepetition: 2, seed: 9 });
    const fixed = { terms: [{ values: y.map((_, i) => i % 4), isFactor: true }], components: null };
    const { found, expected } = bothEngines(panel, { y, folds, fixed });
    expect(relativeDifference(found.predicted, expected.predicted)).toBeLessThan(1e-8);
    expect(found.kinshipPve).toBeCloseTo(expected.kinshipPve ?? 0, 8);
    for (const [k, fold] of expected.folds.entries()) {
      expect(found.folds[k]?.varianceAdditive).toBeCloseTo(fold.varianceAdditive, 7);
      expect(found.folds[k]?.pearsonR).toBeCloseTo(fold.pearsonR, 8);
    }
  }
});

test('so it does where likelihoods of few individuals have several maxima', () => {
  for (const seed of [551, 552, 682, 913]) {
    const panel = inbredPanel({ n: 30, m: 60, missing: 0, seed });
    const y = panel.y.map((_, i) => Math.sin(1e4 * Math.sin(i + 1000 * seed)));
    const folds = createFolds({ y, nFold: 4, nRepetition: 2, seed });
    const { found, expected } = bothEngines(panel, { y, folds });
    for (const [k, fold] of expected.folds.entries())
      expect(found.folds[k]?.varianceAdditive, `seed ${seed}, fold ${k + 1}`).toBeCloseTo(fold.varianceAdditive, 5);
  }
});

test('a trait without genetic variance ends at the boundary, as with the kinship', () => {
  const panel = inbredPanel({ n: 200, m: 40, missing: 0, seed: 8 });
  const builder = createPackedMarkers({ panelSize: panel.n }, FILTER);
  builder.add(panel.packed, panel.m);
  const accumulator = createKinshipAccumulator({ panelSize: panel.n, filter: FILTER, methods: ['vanraden1'] });
  accumulator.add(panel.packed, panel.m);
  const kernel = accumulator.finish().kernels.vanraden1;
  if (kernel === undefined) throw new TypeError('no kernel');
  const model = createRrblupModel(kernel);
  const other = createMarkerSpaceModel({ markers: builder.finish(), method: 'vanraden1' });
  let atZero = 0;
  for (let seed = 0; seed < 6; seed++) {
    const y = panel.y.map((_, i) => Math.sin(1e4 * Math.sin(i + 1000 * seed)));
    const [expected, [fit]] = [model.fit(y), other.fit([y])];
    expect(fit.boundary).toBe(expected.boundary);
    expect(fit.logLikelihood).toBeCloseTo(expected.logLikelihood, 7);
    expect(relativeDifference(fit.gebv, expected.gebv)).toBeLessThan(1e-7);
    atZero += Number(fit.boundary === 'genetic-zero');
  }
  expect(atZero).toBeGreaterThan(0);
});
