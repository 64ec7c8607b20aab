import { expect, test } from 'vitest';
import { fitAdditiveDominance } from '../genomic-prediction/additive-dominance.ts';
import { crossValidate } from '../genomic-prediction/cross-validate.ts';
import type { FixedModel } from '../genomic-prediction/fixed-effects.ts';
import { createFolds } from '../genomic-prediction/folds.ts';
import { createMarkerEffectAccumulator } from '../genomic-prediction/marker-effects.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { principalComponents } from '../kinship/principal-components.ts';
import { markerCrossValidationSteps } from './cross-validate-markers.ts';
import { dominanceKinships } from './dominance-equations.ts';
import { fitMarkerDominance, type MarkerDominanceFit } from './fit-dominance.ts';
import { markerSpaceComponents } from './fit-marker-space.ts';
import { createPackedMarkers, type PackedMarkers } from './packed-markers.ts';
import { dominancePanel, relativeDifference, type SmallPanel } from './small-panel.test-data.ts';

const FILTER = { maf: 0.05, callRate: 0.9 };
type Method = 'vanraden1' | 'standardized';

function packedMarkersOf(panel: SmallPanel): PackedMarkers {
  const builder = createPackedMarkers({ panelSize: panel.n }, FILTER);
  builder.add(panel.packed, panel.m);
  return builder.finish();
}

const observedOf = (y: Float64Array): Int32Array => Int32Array.from(y.keys()).filter((i) => !Number.isNaN(y[i]));

interface Wanted {
  method: Method;
  terms: FixedModel['terms'];
  components: number;
}

function kinshipsOf(panel: SmallPanel, method: Method, frequenciesOf: Int32Array) {
  const methods = [method, 'dominance'] as const;
  const accumulator = createKinshipAccumulator({ panelSize: panel.n, frequenciesOf, filter: FILTER, methods });
  accumulator.add(panel.packed, panel.m);
  const { kernels, divisors, scan } = accumulator.finish();
  const [additive, dominance] = [kernels[method], kernels.dominance];
  if (additive === undefined || dominance === undefined) throw new TypeError('no kernel');
  return { additive, dominance, divisors, scan };
}

/** The same model, from n × n kinships. */
function fitByIndividuals(panel: SmallPanel, y: Float64Array, { method, terms, components }: Wanted) {
  const frequenciesOf = observedOf(y);
  const selection = { panelSize: panel.n, frequenciesOf };
  const { additive, dominance, divisors, scan } = kinshipsOf(panel, method, frequenciesOf);
  const fixed = { terms, components: components === 0 ? null : principalComponents(additive, components) };
  const fit = fitAdditiveDominance({ additive, dominance, y, fixed });
  const { structure } = fit;
  const effects = createMarkerEffectAccumulator({
    ...{ ...selection, method, kept: scan.kept },
    traits: [
      {
        mean: fit.mean - (structure?.shift ?? 0),
        weights: fit.weights,
        additiveWeights: fit.weights.map((value, i) => fit.varianceAdditive * value + (structure?.weights[i] ?? 0)),
        additiveScale: 1 / (divisors[method] ?? 0),
        dominanceScale: fit.varianceDominance / (divisors.dominance ?? 0),
      },
    ],
  });
  effects.add(panel.packed, panel.m);
  return { ...fit, effects: effects.finish()[0] };
}

function fitByMarkers(panel: SmallPanel, traits: Float64Array[], wanted: Wanted): MarkerDominanceFit[] {
  const markers = packedMarkersOf(panel);
  const observed = observedOf(traits[0]);
  const kinships = dominanceKinships(markers, wanted.method, observed);
  const components = markerSpaceComponents(markers, kinships.additive, null, wanted.components);
  return fitMarkerDominance({ markers, kinships, fixed: { terms: wanted.terms, components } }, traits);
}

const TOLERANCE = 1e-8;

function expectSame(fit: MarkerDominanceFit, expected: ReturnType<typeof fitByIndividuals>): void {
  expect(fit.boundary).toEqual(expected.boundary);
  expect(fit.converged).toBe(true);
  const figures = ['n', 'mean', 'varianceAdditive', 'varianceDominance', 'varianceResidual', 'logLikelihood'] as const;
  for (const figure of figures) {
    expect(relativeDifference([fit[figure]], [expected[figure]]), figure).toBeLessThan(TOLERANCE);
  }
  const vectors = [
    'breedingValue',
    'dominanceDeviation',
    'genotypicValue',
    'reliability',
    'genotypicReliability',
  ] as const;
  for (const vector of vectors) {
    expect(relativeDifference(fit[vector], expected[vector]), vector).toBeLessThan(TOLERANCE);
  }
  const { additive, dominance, frequencyA2, intercept } = expected.effects;
  expect(relativeDifference(fit.effects.additive, additive)).toBeLessThan(TOLERANCE);
  expect(relativeDifference(fit.effects.dominance, dominance ?? [])).toBeLessThan(TOLERANCE);
  expect(relativeDifference(fit.effects.frequencyA2, frequencyA2 ?? [])).toBeLessThan(1e-14);
  expect(relativeDifference([fit.effects.intercept], [intercept])).toBeLessThan(TOLERANCE);
  for (const [k, effect] of expected.fixed.entries()) {
    // The sign of a principal component is arbitrary.
    expect(Math.abs(fit.fixed[k].estimate / effect.estimate)).toBeCloseTo(1, 7);
    expect(fit.fixed[k].standardError / effect.standardError).toBeCloseTo(1, 7);
  }
  const errors = expected.heritability.standardErrors;
  if (errors === null) expect(fit.heritability.standardErrors).toBeNull();
  for (const figure of ['additive', 'dominance', 'residual', 'h2', 'H2', 'kinshipPve', 'dominancePve'] as const) {
    if (errors === null) continue;
    expect((fit.heritability.standardErrors?.[figure] ?? 0) / (errors[figure] ?? 1), figure).toBeCloseTo(1, 6);
  }
}

for (const { name, missing, method, components } of [
  { name: 'complete calls', missing: 0, method: 'vanraden1', components: 0 },
  { name: 'missing calls', missing: 0.02, method: 'vanraden1', components: 0 },
  { name: 'complete calls, standardized, principal components', missing: 0, method: 'standardized', components: 2 },
  { name: 'missing calls, standardized, principal components', missing: 0.03, method: 'standardized', components: 3 },
] as const) {
  test(`a model with dominance from the markers is that of the kinships: ${name}`, () => {
    const panel = dominancePanel({ n: 400, m: 60, missing, seed: 5 });
    // Some are not observed, so that p is not that of all; two columns are fixed effects.
    const y = panel.y.map((value, i) => (i % 11 === 3 ? Number.NaN : value));
    const terms = [
      { values: panel.y.map((_, i) => Math.sin(i)), isFactor: false },
      { values: panel.y.map((_, i) => i % 3), isFactor: true },
    ];
    const wanted = { method, terms, components };
    const other = y.map((value, i) => value + 30 * Math.cos(5 * i));
    const traits = [other, y];
    for (const [t, fit] of fitByMarkers(panel, traits, wanted).entries()) {
      expectSame(fit, fitByIndividuals(panel, traits[t], wanted));
    }
  });
}

const PLAIN: Wanted = { method: 'vanraden1', terms: [], components: 0 };

test('variances at 0 and a kinship without variation end as with the kinships', () => {
  const panel = dominancePanel({ n: 240, m: 30, missing: 0, seed: 8 });
  const found = new Set<string>();
  for (let seed = 0; seed < 10; seed++) {
    const y = panel.y.map((value, i) => (seed % 3 === 0 ? value : 0) + 40 * Math.sin(1e4 * Math.sin(i + 1000 * seed)));
    const expected = fitByIndividuals(panel, y, PLAIN);
    const [fit] = fitByMarkers(panel, [y], PLAIN);
    expect(fit.boundary).toEqual(expected.boundary);
    expect(fit.logLikelihood).toBeCloseTo(expected.logLikelihood, 7);
    expect(relativeDifference(fit.genotypicValue, expected.genotypicValue)).toBeLessThan(1e-7);
    expect(fit.varianceAdditive).toBeCloseTo(expected.varianceAdditive, 6);
    expect(fit.varianceDominance).toBeCloseTo(expected.varianceDominance, 6);
    for (const component of fit.boundary) found.add(component);
  }
  expect([...found].sort()).toEqual(['additive-zero', 'dominance-zero']);
});

test('a trait that the markers explain completely has no residual variance, as with the kinships', () => {
  const panel = dominancePanel({ n: 240, m: 30, missing: 0, seed: 12 });
  const markers = packedMarkersOf(panel);
  const dosages = new Float64Array(panel.n * markers.m);
  const coding = { centre: new Float64Array(markers.m), scale: new Float64Array(markers.m).fill(1) };
  markers.decode(null, { first: 0, count: panel.n }, { first: 0, count: markers.m }, coding, dosages);
  const y = Float64Array.from({ length: panel.n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < markers.m; j++) sum += Math.sin(j) * dosages[i + j * panel.n];
    return sum;
  });
  const expected = fitByIndividuals(panel, y, PLAIN);
  const [fit] = fitByMarkers(panel, [y], PLAIN);
  expect(expected.boundary).toContain('residual-zero');
  expect(fit.boundary).toEqual(expected.boundary);
  expect(relativeDifference(fit.genotypicValue, expected.genotypicValue)).toBeLessThan(1e-6);
});

/** The panel with individuals and markers in another order. */
function reordered(panel: SmallPanel, individuals: Int32Array, markers: Int32Array): SmallPanel {
  const stride = (panel.n + 3) >> 2;
  const packed = new Uint8Array(panel.packed.length);
  for (const [to, from] of markers.entries()) {
    for (const [place, i] of individuals.entries()) {
      const call = (panel.packed[from * stride + (i >> 2)] >> (2 * (i & 3))) & 3;
      packed[to * stride + (place >> 2)] |= call << (2 * (place & 3));
    }
  }
  return { ...panel, packed, y: Float64Array.from(individuals, (i) => panel.y[i]) };
}

test('the order of individuals and markers changes nothing, and a trait in another unit only its unit', () => {
  const panel = dominancePanel({ n: 300, m: 40, missing: 0.02, seed: 31 });
  const y = panel.y.map((value, i) => (i % 7 === 2 ? Number.NaN : value));
  const [fit] = fitByMarkers(panel, [y], PLAIN);
  const individuals = Int32Array.from({ length: panel.n }, (_, i) => (i * 77 + 5) % panel.n);
  const order = Int32Array.from({ length: panel.m }, (_, j) => (j * 13 + 2) % panel.m);
  const [other] = fitByMarkers(
    reordered(panel, individuals, order),
    [Float64Array.from(individuals, (i) => y[i])],
    PLAIN,
  );
  const moved = (values: Float64Array): Float64Array => Float64Array.from(individuals, (i) => values[i]);
  const turned = (values: Float64Array): Float64Array => Float64Array.from(order, (j) => values[j]);
  expect(fit.effects.dominance.length).toBe(panel.m);
  expect(relativeDifference([other.varianceDominance], [fit.varianceDominance])).toBeLessThan(TOLERANCE);
  expect(relativeDifference(other.genotypicValue, moved(fit.genotypicValue))).toBeLessThan(TOLERANCE);
  expect(relativeDifference(other.genotypicReliability, moved(fit.genotypicReliability))).toBeLessThan(TOLERANCE);
  expect(relativeDifference(other.effects.additive, turned(fit.effects.additive))).toBeLessThan(TOLERANCE);
  expect(relativeDifference(other.effects.dominance, turned(fit.effects.dominance))).toBeLessThan(TOLERANCE);
  const [scaled] = fitByMarkers(panel, [y.map((value) => 1e3 * value - 5e4)], PLAIN);
  expect(scaled.varianceDominance / 1e6 / fit.varianceDominance).toBeCloseTo(1, 8);
  expect(
    relativeDifference(
      scaled.effects.dominance,
      fit.effects.dominance.map((value) => 1e3 * value),
    ),
  ).toBeLessThan(TOLERANCE);
  expect(relativeDifference(scaled.reliability, fit.reliability)).toBeLessThan(TOLERANCE);
});

test('values are the sum of the effects over the calls', () => {
  const panel = dominancePanel({ n: 200, m: 30, missing: 0, seed: 41 });
  const markers = packedMarkersOf(panel);
  const [fit] = fitByMarkers(panel, [panel.y], PLAIN);
  const { intercept, additive, dominance } = fit.effects;
  const stride = (panel.n + 3) >> 2;
  const kept = Array.from(markers.scan.kept.keys()).filter((j) => markers.scan.kept[j] === 1);
  const values = Float64Array.from({ length: panel.n }, (_, i) =>
    kept.reduce((sum, j, place) => {
      const call = (panel.packed[j * stride + (i >> 2)] >> (2 * (i & 3))) & 3;
      return sum + (call === 3 ? 2 : call === 2 ? 1 : 0) * additive[place] + (call === 2 ? dominance[place] : 0);
    }, intercept),
  );
  expect(relativeDifference(values, fit.genotypicValue)).toBeLessThan(1e-10);
});

/** The panel with further markers at which everybody is heterozygous but those chosen, who have other calls. */
function withHeterozygotes(panel: SmallPanel, count: number, others: Record<number, 'missing' | 'homozygous'> = {}) {
  const stride = (panel.n + 3) >> 2;
  const packed = new Uint8Array((panel.m + count) * stride).fill(0b10_10_10_10);
  packed.set(panel.packed);
  for (let j = panel.m; j < panel.m + count; j++) {
    for (const [i, call] of Object.entries(others)) {
      const [at, shift] = [j * stride + (Number(i) >> 2), 2 * (Number(i) & 3)];
      packed[at] = (packed[at] & ~(3 << shift)) | ((call === 'missing' ? 1 : 3) << shift);
    }
  }
  return { ...panel, packed, m: panel.m + count };
}

test('a marker at which everybody is heterozygous has no part in dominance, in both engines', () => {
  const panel = dominancePanel({ n: 160, m: 40, missing: 0.02, seed: 33 });
  const y = panel.y.map((value, i) => (i % 17 === 2 ? Number.NaN : value));
  for (const method of ['vanraden1', 'standardized'] as const) {
    const wanted = { method, terms: [], components: 0 };
    const without = fitByIndividuals(panel, y, wanted);
    const more = withHeterozygotes(panel, 4, { 3: 'missing', 9: 'missing' });
    const kinships = kinshipsOf(more, method, observedOf(y));
    const expected = kinshipsOf(panel, method, observedOf(y));
    expect(kinships.dominance.data).toEqual(expected.dominance.data);
    expect(kinships.divisors.dominance).toBe(expected.divisors.dominance);
    for (const fit of [fitByIndividuals(more, y, wanted), ...fitByMarkers(more, [y], wanted)]) {
      // The additive kinship counts these markers in its divisor, as other programs do: σ²a goes with it.
      for (const figure of ['varianceDominance', 'varianceResidual', 'logLikelihood'] as const) {
        expect(relativeDifference([fit[figure]], [without[figure]]), figure).toBeLessThan(1e-7);
      }
      for (const vector of ['breedingValue', 'genotypicValue', 'reliability', 'genotypicReliability'] as const) {
        expect(relativeDifference(fit[vector], without[vector]), vector).toBeLessThan(1e-7);
      }
      expect([...(fit.effects.dominance ?? []).slice(-4)]).toEqual([0, 0, 0, 0]);
    }
    // Candidates that are homozygous there get nothing from it either.
    const ofCandidates = withHeterozygotes(panel, 3, { 2: 'homozygous', 19: 'homozygous' });
    const [fit] = fitByMarkers(ofCandidates, [y], wanted);
    expectSame(fit, fitByIndividuals(ofCandidates, y, wanted));
    expect(relativeDifference(fit.dominanceDeviation, without.dominanceDeviation)).toBeLessThan(1e-6);
  }
});

test('without other heterozygotes there is nothing to learn dominance from', () => {
  const panel = dominancePanel({ n: 40, m: 6, missing: 0, seed: 34 });
  const homozygous = { ...panel, packed: panel.packed.map((byte) => byte | ((byte & 0b10_10_10_10) >> 1)) };
  const everybody = Int32Array.from({ length: 40 }, (_, i) => i);
  for (const [one, hasHeterozygotes] of [
    [homozygous, false],
    [withHeterozygotes(homozygous, 2), false],
    [withHeterozygotes(homozygous, 2, { 4: 'homozygous' }), true],
  ] as const) {
    const options = { panelSize: 40, filter: FILTER, methods: ['dominance'] as const };
    const accumulator = createKinshipAccumulator(options);
    accumulator.add(one.packed, one.m);
    expect(accumulator.finish().hasHeterozygotes).toBe(hasHeterozygotes);
    const found = dominanceKinships(packedMarkersOf(one), 'vanraden1', everybody).hasHeterozygotes;
    expect(found).toBe(hasHeterozygotes);
  }
});

test('cross-validation with dominance in marker space equals that of the kinships', () => {
  for (const missing of [0, 0.02]) {
    const panel = dominancePanel({ n: 300, m: 40, missing, seed: 21 });
    const y = panel.y.map((value, i) => (i % 17 === 2 ? Number.NaN : value));
    const { additive, dominance } = kinshipsOf(panel, 'vanraden1', observedOf(y));
    const folds = createFolds({ y, nFold: 4, nRepetition: 2, seed: 9 });
    const fixed = { terms: [{ values: y.map((_, i) => i % 4), isFactor: true }], components: null };
    const expected = crossValidate({ kinship: additive, dominance, y, folds, fixed });
    const markers = packedMarkersOf(panel);
    const steps = markerCrossValidationSteps({ markers, method: 'vanraden1', dominance: true, y, folds, fixed });
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(relativeDifference(step.value.predicted, expected.predicted)).toBeLessThan(TOLERANCE);
    const [whole] = fitByMarkers(panel, [y], { ...PLAIN, terms: fixed.terms });
    const { kinshipPve, dominancePve } = whole.heritability;
    expect(step.value.kinshipPve).toBeCloseTo(kinshipPve + (dominancePve ?? 0), 8);
    for (const [k, fold] of expected.folds.entries()) {
      expect(step.value.folds[k]?.varianceAdditive).toBeCloseTo(fold.varianceAdditive, 6);
      expect(step.value.folds[k]?.varianceDominance).toBeCloseTo(fold.varianceDominance, 6);
      expect(step.value.folds[k]?.pearsonR).toBeCloseTo(fold.pearsonR, 8);
    }
  }
});
