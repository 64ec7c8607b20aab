// Both engines on one panel, more individuals than markers: agreement and CPU time. One thread.
import { setThreadCount } from '@heterosis/linalg/threads';
import { prepareGwas } from '../src/association/prepare-gwas.ts';
import { type AssociationTest, createMarkerTester } from '../src/association/test-markers.ts';
import { type AdditiveDominanceFit, fitAdditiveDominance } from '../src/genomic-prediction/additive-dominance.ts';
import { crossValidate } from '../src/genomic-prediction/cross-validate.ts';
import { createFolds } from '../src/genomic-prediction/folds.ts';
import { createMarkerEffectAccumulator } from '../src/genomic-prediction/marker-effects.ts';
import { createRrblupModel } from '../src/genomic-prediction/rrblup.ts';
import { createKinshipAccumulator } from '../src/kinship/accumulate-kinship.ts';
import { markerCrossValidationSteps } from '../src/marker-space/cross-validate-markers.ts';
import { dominanceKinships } from '../src/marker-space/dominance-equations.ts';
import { crossProducts } from '../src/marker-space/dosage-products.ts';
import { fitMarkerDominance, type MarkerDominanceFit } from '../src/marker-space/fit-dominance.ts';
import { createMarkerSpaceModel } from '../src/marker-space/fit-marker-space.ts';
import { createMarkerEquations, markerKinship } from '../src/marker-space/marker-equations.ts';
import { createPackedMarkers } from '../src/marker-space/packed-markers.ts';
import { testPanelMarkers } from '../src/marker-space/test-panel-markers.ts';
import { interceptOnly } from '../src/mixed-model/error-contrasts.ts';
import { useFullSpeed } from './bare-products.ts';
import { secondsOf, simulatePanel } from './simulate-panel.ts';

const n = Number(process.argv[2] ?? 2000);
const m = Number(process.argv[3] ?? 1200);
const core = useFullSpeed();
setThreadCount(1);
const { packed, y } = simulatePanel(n, m, 5, true);
const selection = { panelSize: n };
const filter = { maf: 0.01, callRate: 0.9 };

/** Largest difference over the largest value. */
function difference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let largest = 0;
  let size = 0;
  for (let i = 0; i < expected.length; i++) {
    largest = Math.max(largest, Math.abs(actual[i] - expected[i]));
    size = Math.max(size, Math.abs(expected[i]));
  }
  return largest / size;
}

const line = (what: string, own: number, other: number, differs: Record<string, number>): void => {
  const figures = Object.entries(differs).map(([name, value]) => `${name} ${value.toExponential(0)}`);
  process.stdout.write(
    `${what.padEnd(18)} markers ${own.toFixed(2)} s   individuals ${other.toFixed(2)} s   ${figures.join(', ')}\n`,
  );
};
process.stdout.write(`n = ${n}, m = ${m}, OpenBLAS kernels ${core}, one thread, CPU seconds, relative differences\n`);

const accumulator = createKinshipAccumulator({ ...selection, filter, methods: ['vanraden1', 'standardized'] });
accumulator.add(packed, m);
const { kernels, divisors, scan } = accumulator.finish();
const builder = createPackedMarkers(selection, filter);
builder.add(packed, m);
const markers = builder.finish();
const { vanraden1, standardized } = kernels;
if (vanraden1 === undefined || standardized === undefined) throw new TypeError('no kinship');

let [fits, expected] = [[], undefined] as unknown as [
  ReturnType<ReturnType<typeof createMarkerSpaceModel>['fit']>,
  ReturnType<ReturnType<typeof createRrblupModel>['fit']>,
];
const trainMarkers = secondsOf(() => {
  fits = createMarkerSpaceModel({ markers, method: 'vanraden1' }).fit([y]);
});
const trainIndividuals = secondsOf(() => {
  expected = createRrblupModel(vanraden1).fit(y);
});
const effects = createMarkerEffectAccumulator({
  ...selection,
  method: 'vanraden1',
  kept: scan.kept,
  traits: [
    {
      mean: expected.mean,
      weights: expected.weights,
      additiveScale: expected.varianceAdditive / (divisors.vanraden1 ?? 1),
    },
  ],
});
effects.add(packed, m);
const [{ additive }] = effects.finish();
line('train', trainMarkers, trainIndividuals, {
  variances: difference(
    [fits[0].varianceAdditive, fits[0].varianceResidual],
    [expected.varianceAdditive, expected.varianceResidual],
  ),
  effects: difference(fits[0].effects, additive),
  GEBV: difference(fits[0].gebv, expected.gebv),
  reliability: difference(fits[0].reliability, expected.reliability),
});

const tests: readonly AssociationTest[] = ['SCORE', 'WALD', 'LRT'];
let tested: ReturnType<typeof testPanelMarkers> | undefined;
const gwasMarkers = secondsOf(() => {
  const equations = createMarkerEquations({
    ...{ markers, individuals: null, x: interceptOnly(n), traits: [y] },
    kinship: markerKinship(markers, 'standardized'),
    products: crossProducts(markers, null),
  });
  tested = testPanelMarkers({ equations, centredSquares: markers.centredSquares, tests });
});
let columns: ReturnType<ReturnType<typeof createMarkerTester>['test']> | undefined;
const gwasIndividuals = secondsOf(() => {
  const state = prepareGwas({ kinship: standardized, traits: [y], principalComponents: 0 });
  columns = createMarkerTester(state, { ...selection, filter, tests }).test(packed, m);
});
line(
  'SCORE, WALD, LRT',
  gwasMarkers,
  gwasIndividuals,
  Object.fromEntries(
    tests.map((test) => [
      test,
      difference(
        tested?.traits[0][test]?.statistic ?? [],
        Array.from(columns?.traits[0][test]?.statistic ?? []).filter((value) => !Number.isNaN(value)),
      ),
    ]),
  ),
);

const folds = createFolds({ y, nFold: 5, nRepetition: 1, seed: 1 });
const own: { predicted: ArrayLike<number> } = { predicted: [] };
const cvMarkers = secondsOf(() => {
  const steps = markerCrossValidationSteps({ markers, method: 'vanraden1', y, folds });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  own.predicted = step.value.predicted;
});
let byKinship: Float64Array = new Float64Array(0);
const cvIndividuals = secondsOf(() => {
  byKinship = crossValidate({ kinship: vanraden1, y, folds }).predicted;
});
line('5 folds', cvMarkers, cvIndividuals, { predictions: difference(own.predicted, byKinship) });

// Dominance: 2m columns, so fewer markers.
const fewer = Math.floor(Number(process.argv[4] ?? m / 3));
const smaller = createPackedMarkers(selection, filter);
smaller.add(packed, fewer);
const dominanceMarkers = smaller.finish();
const found = {} as { fit: MarkerDominanceFit; other: AdditiveDominanceFit };
const dominanceByMarkers = secondsOf(() => {
  const kinships = dominanceKinships(dominanceMarkers, 'vanraden1', null);
  found.fit = fitMarkerDominance({ markers: dominanceMarkers, kinships }, [y])[0];
});
const both = createKinshipAccumulator({ ...selection, filter, methods: ['vanraden1', 'dominance'] });
const dominanceByIndividuals = secondsOf(() => {
  both.add(packed, fewer);
  const { vanraden1: additive, dominance } = both.finish().kernels;
  if (additive === undefined || dominance === undefined) throw new TypeError('no kinship');
  found.other = fitAdditiveDominance({ additive, dominance, y });
});
const { fit, other } = found;
const variancesOf = (one: AdditiveDominanceFit | MarkerDominanceFit) => [
  one.varianceAdditive,
  one.varianceDominance,
  one.varianceResidual,
];
line(`dominance, ${fewer}`, dominanceByMarkers, dominanceByIndividuals, {
  variances: difference(variancesOf(fit), variancesOf(other)),
  values: difference(fit.genotypicValue, other.genotypicValue),
  reliability: difference(fit.genotypicReliability, other.genotypicReliability),
});
process.stdout.write(
  `${fit.iterations} and ${other.iterations} iterations, at 0: ${fit.boundary.join(', ') || 'none'}\n`,
);
