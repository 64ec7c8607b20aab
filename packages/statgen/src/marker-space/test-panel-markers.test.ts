import { createMatrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { nullHeritability } from '../association/null-heritability.ts';
import { prepareGwas, relativeErrors } from '../association/prepare-gwas.ts';
import { type AssociationTest, createMarkerTester } from '../association/test-markers.ts';
import { createFixedDesign } from '../genomic-prediction/fixed-effects.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { crossProducts } from './dosage-products.ts';
import { createMarkerEquations, markerKinship } from './marker-equations.ts';
import { createPackedMarkers } from './packed-markers.ts';
import { inbredPanel, relativeDifference } from './small-panel.test-data.ts';
import { testPanelMarkers } from './test-panel-markers.ts';
import { weighMarkers } from './weighed-markers.ts';

const FILTER = { maf: 0.02, callRate: 0.9 };
const TESTS: readonly AssociationTest[] = ['SCORE', 'WALD', 'LRT'];

for (const { missing, weighed } of [
  { missing: 0, weighed: false },
  { missing: 0.02, weighed: false },
  { missing: 0.02, weighed: true },
]) {
  for (const chromosomes of [0, 5]) {
    const name = `${weighed ? 'with known errors ' : ''}tests in marker space equal those of the kinship`;
    test(`${name}: missing ${missing}, ${chromosomes === 0 ? 'all markers' : 'one chromosome left out'}`, () => {
      const panel = inbredPanel({ n: 400, m: 120, missing, seed: 12 });
      const selection = { panelSize: panel.n };
      const individuals = Int32Array.from({ length: panel.n }, (_, i) => i);
      const other = panel.y.map((value, i) => value + 20 * Math.sin(7 * i));
      const column = { values: panel.y.map((_, i) => Math.cos(3 * i)), isFactor: false };
      const { x } = createFixedDesign({ terms: [column], components: null }, individuals);
      const builder = createPackedMarkers(selection, FILTER);
      builder.add(panel.packed, panel.m);
      const plain = builder.finish();
      const errors = weighed ? panel.y.map((_, i) => 0.1 + 1.9 * Math.sin(3.7 * i) ** 2) : undefined;
      const relative = relativeErrors(errors, x);
      const markers = relative === null ? plain : weighMarkers(plain, null, relative);
      // Every sixth marker has no chromosome: it is tested with the whole kinship, and in that of no chromosome.
      const chromosomeOf = (j: number): number => (j % 6 === 5 ? -1 : j % chromosomes);
      const everyMarker = Array.from({ length: panel.m }, (_, j) => j);
      const on = (chromosome: number): number[] => everyMarker.filter((j) => chromosomeOf(j) === chromosome);
      const groups =
        chromosomes === 0
          ? null
          : [
              { tested: Int32Array.from(on(-1)), leftOut: new Int32Array(0) },
              ...Array.from({ length: chromosomes }, (_, c) => ({
                tested: Int32Array.from(on(c)),
                leftOut: Int32Array.from([...on(c), ...on(-1)]),
              })),
            ];
      const equations = createMarkerEquations({
        markers,
        kinship: markerKinship(markers, 'standardized'),
        individuals: null,
        products: crossProducts(markers, null),
        x,
        traits: [panel.y, other],
      });
      const { centredSquares } = markers;
      const found = testPanelMarkers({ equations, centredSquares, tests: TESTS, groups });
      const covariates = createMatrix(panel.n, 1);
      covariates.data.set(column.values);
      const nullOf = (kept: readonly number[]) => {
        const accumulator = createKinshipAccumulator({ ...selection, filter: FILTER, methods: ['standardized'] });
        const stride = (panel.n + 3) >> 2;
        for (const j of kept) accumulator.add(panel.packed.subarray(j * stride, (j + 1) * stride), 1);
        const { kernels, divisors } = accumulator.finish();
        const kinship = kernels.standardized;
        if (kinship === undefined) throw new TypeError('no kinship');
        // On the scale of the whole: the variances are those of marker effects.
        const factor = (divisors.standardized ?? 0) / equations.kinship.divisor;
        for (let i = 0; i < kinship.data.length; i++) kinship.data[i] *= factor;
        return prepareGwas({ kinship, traits: [panel.y, other], principalComponents: 0, covariates, errors });
      };
      for (let chromosome = groups === null ? 0 : -1; chromosome < Math.max(1, chromosomes); chromosome++) {
        const isWhole = groups === null || chromosome === -1;
        const others = everyMarker.filter((j) => isWhole || (chromosomeOf(j) !== chromosome && chromosomeOf(j) >= 0));
        const state = nullOf(others);
        const tester = createMarkerTester(state, { ...selection, filter: FILTER, tests: TESTS });
        const expected = tester.test(panel.packed, panel.m);
        const chosen = everyMarker.filter((j) => groups === null || chromosomeOf(j) === chromosome);
        for (const [t, tests] of found.traits.entries()) {
          const own = groups === null ? found.nulls[t] : found.groups[chromosome + 1][t];
          for (const h2 of ['scoreH2', 'remlH2', 'mlH2'] as const) {
            expect(own[h2] / state.traits[t][h2], `${h2} ${chromosome}`).toBeCloseTo(1, 8);
          }
          for (const name of TESTS) {
            const [own, theirs] = [tests[name], expected.traits[t][name]];
            if (own === undefined || theirs === undefined) throw new TypeError('not tested');
            for (const figure of ['statistic', 'beta', 'se', 'h2', 'negLog10P'] as const) {
              const pick = (values: ArrayLike<number>) => chosen.map((j) => values[j]);
              expect(
                relativeDifference(pick(own[figure]), pick(theirs[figure])),
                `${name} ${figure} ${chromosome}`,
              ).toBeLessThan(1e-8);
            }
            if (!isWhole) continue;
            const heritability = found.heritabilities[t][name];
            const null0 = nullHeritability(state, state.traits[t], name);
            expect((heritability?.h2 ?? 0) / null0.h2).toBeCloseTo(1, 8);
            expect((heritability?.standardErrors?.h2 ?? 0) / (null0.standardErrors?.h2 ?? 1)).toBeCloseTo(1, 6);
            expect((heritability?.kinshipPve ?? 0) / null0.kinshipPve).toBeCloseTo(1, 8);
          }
        }
      }
    });
  }
}
