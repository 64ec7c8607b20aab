import { createMatrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { nullHeritability } from '../association/null-heritability.ts';
import { prepareGwas, relativeErrors } from '../association/prepare-gwas.ts';
import { type AssociationTest, createMarkerTester, MARKER_FILTERED } from '../association/test-markers.ts';
import { createFixedDesign } from '../genomic-prediction/fixed-effects.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { crossProducts } from './dosage-products.ts';
import { createMarkerEquations, markerKinship } from './marker-equations.ts';
import { createPackedMarkers } from './packed-markers.ts';
import { inbredPanel, relativeDifference } from './small-panel.test-data.ts';
import { createOtherMarkerTester } from './test-other-markers.ts';
import { weighMarkers } from './weighed-markers.ts';

const FILTER = { maf: 0.02, callRate: 0.9 };
const TESTS: readonly AssociationTest[] = ['SCORE', 'WALD', 'LRT'];
const FIGURES = ['statistic', 'beta', 'se', 'h2', 'negLog10P'] as const;

for (const { name, missing, observed, weighed = false } of [
  { name: 'complete calls', missing: 0, observed: 400 },
  { name: 'missing calls', missing: 0.02, observed: 400 },
  { name: 'some individuals', missing: 0, observed: 311 },
  { name: 'known errors of some individuals', missing: 0.02, observed: 311, weighed: true },
]) {
  test(`all markers have the tests of the kinship of some of them: ${name}`, () => {
    const panel = inbredPanel({ n: 400, m: 120, missing, seed: 12 });
    const chosen = Int32Array.from({ length: observed }, (_, i) => Math.floor((i * 400) / observed));
    const individuals = observed === 400 ? null : chosen;
    const selection = { panelSize: panel.n, ...(individuals === null ? {} : { individuals }) };
    const stride = (panel.n + 3) >> 2;
    const column = { values: panel.y.map((_, i) => Math.cos(3 * i)), isFactor: false };
    const { x } = createFixedDesign({ terms: [column], components: null }, chosen);
    const errors = weighed ? Float64Array.from(chosen, (i) => 0.1 + 1.9 * Math.sin(3.7 * i) ** 2) : undefined;
    const relative = relativeErrors(errors, x);
    const packedOf = (part: readonly number[]) => {
      const builder = createPackedMarkers(selection, FILTER);
      for (const j of part) builder.add(panel.packed.subarray(j * stride, (j + 1) * stride), 1);
      const plain = builder.finish();
      return relative === null ? plain : weighMarkers(plain, individuals, relative);
    };
    const everyMarker = Array.from({ length: panel.m }, (_, j) => j);
    const some = everyMarker.filter((j) => j % 3 === 1);
    const traits = [panel.y, panel.y.map((value, i) => value + 20 * Math.sin(7 * i))].map((y) =>
      Float64Array.from(chosen, (i) => y[i]),
    );
    const markers = packedOf(some);
    const kinship = markerKinship(markers, 'standardized');
    const products = crossProducts(markers, individuals);
    const equations = createMarkerEquations({ markers, kinship, individuals, products, x, traits });
    const tester = createOtherMarkerTester({ equations, markers, individuals, x, traits, tests: TESTS });

    const accumulator = createKinshipAccumulator({ ...selection, filter: FILTER, methods: ['standardized'] });
    for (const j of some) accumulator.add(panel.packed.subarray(j * stride, (j + 1) * stride), 1);
    const kernel = accumulator.finish().kernels.standardized;
    if (kernel === undefined) throw new TypeError('no kinship');
    const covariates = createMatrix(observed, 1);
    covariates.data.set(Float64Array.from(chosen, (i) => column.values[i]));
    const state = prepareGwas({ kinship: kernel, traits, principalComponents: 0, covariates, errors });
    const expected = createMarkerTester(state, { ...selection, filter: FILTER, tests: TESTS }).test(
      panel.packed,
      panel.m,
    );
    // In two blocks, as a panel is read.
    const blocks = [everyMarker.slice(0, 50), everyMarker.slice(50)].map((part) => tester.test(packedOf(part)));
    for (const [t, byTest] of expected.traits.entries()) {
      for (const test of TESTS) {
        for (const figure of FIGURES) {
          const own = blocks.flatMap(({ traits: found }) => Array.from(found[t][test]?.[figure] ?? []));
          const theirs = Array.from(byTest[test]?.[figure] ?? []).filter(
            (_, j) => expected.status[j] !== MARKER_FILTERED,
          );
          expect(own.length).toBeGreaterThan(100);
          expect(relativeDifference(own, theirs), `${test} ${figure}`).toBeLessThan(1e-8);
        }
        const heritability = tester.heritabilities[t][test];
        const null0 = nullHeritability(state, state.traits[t], test);
        expect((heritability?.h2 ?? 0) / null0.h2).toBeCloseTo(1, 8);
        expect((heritability?.standardErrors?.h2 ?? 0) / (null0.standardErrors?.h2 ?? 1)).toBeCloseTo(1, 6);
      }
      expect(tester.nulls[t].remlLogLikelihood).toBeCloseTo(state.traits[t].remlLogLikelihood, 7);
      expect(tester.nulls[t].mlLogLikelihood).toBeCloseTo(state.traits[t].mlLogLikelihood, 7);
    }
  });
}
