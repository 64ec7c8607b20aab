import { expect, test } from 'vitest';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { principalComponents } from '../kinship/principal-components.ts';
import { inbredPanel, relativeDifference } from '../marker-space/small-panel.test-data.ts';
import { crossValidate, predictParts } from './cross-validate.ts';
import { createFolds } from './folds.ts';
import { predictedRecords } from './prediction-accuracy.ts';
import { createRrblupModel } from './rrblup.ts';

const kinshipOf = (panel: ReturnType<typeof inbredPanel>) => {
  const accumulator = createKinshipAccumulator({
    panelSize: panel.n,
    filter: { maf: 0.05, callRate: 0.9 },
    methods: ['vanraden1'],
  });
  accumulator.add(panel.packed, panel.m);
  const kinship = accumulator.finish().kernels.vanraden1;
  if (kinship === undefined) throw new TypeError('no kinship');
  return kinship;
};

type Options = Parameters<typeof crossValidate>[0];
type Scheme = Required<Pick<Options, 'kinship' | 'y' | 'folds' | 'fixed'>> & Pick<Options, 'sampleSize'>;

/** Every figure and prediction of the folds against a fit of each training part. */
function expectFitsOfParts({ kinship, y, folds, fixed, sampleSize }: Scheme): ReturnType<typeof crossValidate> {
  const n = y.length;
  const found = crossValidate({ kinship, y, folds, fixed, ...(sampleSize === undefined ? {} : { sampleSize }) });
  const plain = predictParts(
    { kinship, fixed },
    found.folds.map(({ repetition, fold }) => {
      const of = (i: number) => folds.assignment[i + (repetition - 1) * n];
      return {
        train: y.map((value, i) => (of(i) === fold || of(i) === 0 ? Number.NaN : value)),
        test: y.map((value, i) => (of(i) === fold ? value : Number.NaN)),
      };
    }),
  );
  for (const [k, fold] of found.folds.entries()) {
    const expected = plain.folds[k];
    for (const figure of ['varianceAdditive', 'varianceResidual', 'mean', 'pearsonR', 'phenotypeR'] as const) {
      expect(relativeDifference([fold[figure]], [expected[figure]]), figure).toBeLessThan(1e-8);
    }
    for (const values of [found.genetic, found.predicted]) {
      const own = values.subarray((fold.repetition - 1) * n, fold.repetition * n);
      const expectedOwn =
        values === found.genetic ? plain.predictions[k].genetic : predictedRecords(plain.predictions[k]);
      const ofFold = own.map((value, i) => (Number.isNaN(expectedOwn[i]) ? Number.NaN : value));
      expect(relativeDifference(ofFold, expectedOwn)).toBeLessThan(1e-10);
    }
  }
  return found;
}

test('folds from inverses of the whole equal a fit of each training part', () => {
  const panel = inbredPanel({ n: 300, m: 400, missing: 0.01, seed: 3 });
  const kinship = kinshipOf(panel);
  const y = panel.y.map((value, i) => (i % 13 === 5 ? Number.NaN : value + 1e4));
  const folds = createFolds({ y, nFold: 5, nRepetition: 2, seed: 4 });
  // Some take no part in the second repetition, and group 3 is in no training part but its own.
  for (let i = 0; i < 40; i++) folds.assignment[i + panel.n] = 0;
  const terms = [
    { values: panel.y.map((_, i) => Math.sin(i)), isFactor: false },
    { values: panel.y.map((_, i) => (folds.assignment[i] === 2 ? 3 : i % 3)), isFactor: true },
  ];
  for (const fixed of [
    { terms: [], components: null },
    { terms, components: principalComponents(kinship, 2) },
  ]) {
    const found = expectFitsOfParts({ kinship, y, folds, fixed });
    const { heritability } = createRrblupModel(kinship, fixed).fit(y);
    expect(found.kinshipPve).toBeCloseTo(heritability.kinshipPve, 8);
  }
});

test('so they do where the search begins with a sample', () => {
  const panel = inbredPanel({ n: 640, m: 500, missing: 0, seed: 5 });
  const folds = createFolds({ y: panel.y, nFold: 5, nRepetition: 1, seed: 6 });
  const fixed = { terms: [], components: null };
  expectFitsOfParts({ kinship: kinshipOf(panel), y: panel.y, folds, fixed, sampleSize: 320 });
});

test('folds of few individuals, whose likelihoods have several maxima, end at the highest', () => {
  // Chosen because a search around the optimum of all individuals ends at a lower one.
  for (const seed of [551, 552, 682, 913]) {
    const panel = inbredPanel({ n: 30, m: 60, missing: 0, seed });
    const y = panel.y.map((_, i) => Math.sin(1e4 * Math.sin(i + 1000 * seed)));
    const folds = createFolds({ y, nFold: 4, nRepetition: 2, seed });
    expectFitsOfParts({ kinship: kinshipOf(panel), y, folds, fixed: { terms: [], components: null } });
  }
});
