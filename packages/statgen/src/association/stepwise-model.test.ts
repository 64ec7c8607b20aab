import { matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { describe, expect, test } from 'vitest';
import { plainTester } from './plain-association.test-data.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { columnOf, matrixOfColumns, NO_FILTER, smallAssociation } from './small-association.test-data.ts';
import { type Cofactor, createCofactorScan, fitCofactors, weakestCofactor } from './stepwise-model.ts';
import { createMarkerTester } from './test-markers.ts';

const WORLD = smallAssociation(120, 80, 2);
const EFFECTS = new Map([
  [7, 4],
  [40, -4],
  [66, 4],
]);
const y = WORLD.y.map((value, i) => {
  let sum = value;
  for (const [j, effect] of EFFECTS) sum += effect * columnOf(WORLD.centred, j)[i];
  return sum;
});
const state = prepareGwas({ kinship: WORLD.kinship, traits: [y], principalComponents: 1 });
const order = state.contrastEigenvalues.length;
const rotatedAll = multiply(matrixOf(WORLD.n, order, state.basis), WORLD.centred, { transposeA: true });
const cofactor = (marker: number): Cofactor => ({ marker, rotated: columnOf(rotatedAll, marker) });
const ALL = Int32Array.from({ length: WORLD.count }, (_, j) => j);

describe('a model with cofactors', () => {
  const markers = [7, 40, 12];
  const model = fitCofactors(state, 0, markers.map(cofactor), WORLD.count);

  test('is generalised least squares with all of them, each beside the others', () => {
    for (const [k, marker] of markers.entries()) {
      const others = markers.filter((other) => other !== marker).map((other) => columnOf(WORLD.centred, other));
      const ones = new Float64Array(WORLD.n).fill(1);
      const plain = plainTester(
        WORLD.kinship,
        y,
        matrixOfColumns([ones, state.axes, ...others]),
      )(columnOf(WORLD.centred, marker)).wald;
      // The plain search bisects to 1e-6 in h².
      expect(model.h2).toBeCloseTo(plain.h2, 5);
      expect(model.cofactors[k].effect).toBeCloseTo(plain.beta, 6);
      expect(model.cofactors[k].se).toBeCloseTo(plain.se, 6);
      expect(model.cofactors[k].pve).toBeCloseTo(plain.statistic / (plain.statistic + WORLD.n), 6);
    }
  });

  test('explains more together than any marker alone, and as much as it when it is the only one', () => {
    expect(model.pve).toBeGreaterThan(Math.max(...model.cofactors.map(({ pve }) => pve)));
    expect(model.pve).toBeLessThan(1);
    const alone = fitCofactors(state, 0, [cofactor(7)], WORLD.count);
    expect(alone.pve).toBeCloseTo(alone.cofactors[0].pve, 12);
    expect(fitCofactors(state, 0, [], WORLD.count).pve).toBe(0);
  });

  test('names its weakest cofactor', () => {
    expect(markers[weakestCofactor(model)]).toBe(12);
  });

  test('has the likelihood of its contrasts, and the criteria that follow from it', () => {
    const nothing = fitCofactors(state, 0, [], WORLD.count);
    // Without cofactors the likelihood of the contrasts is REML.
    expect(nothing.logLikelihood).toBeCloseTo(state.traits[0].remlLogLikelihood, 8);
    expect(nothing.h2).toBeCloseTo(state.traits[0].remlH2, 6);
    expect(nothing.mbic).toBeCloseTo(-2 * nothing.logLikelihood, 10);
    const penalty = 3 * Math.log(order) + 6 * Math.log(WORLD.count / 4);
    expect(model.mbic).toBeCloseTo(-2 * model.logLikelihood + penalty, 10);
    const choices = (80 * 79 * 78) / 6;
    expect(model.ebic).toBeCloseTo(-2 * model.logLikelihood + 3 * Math.log(order) + 2 * Math.log(choices), 10);
    expect(model.logLikelihood).toBeGreaterThan(nothing.logLikelihood);
  });
});

describe('the scan beside cofactors', () => {
  for (const taken of [[], [7], [7, 40]]) {
    test(`finds the marker with the largest score beside ${taken.length}`, () => {
      const columns = taken.map((marker) => columnOf(WORLD.centred, marker));
      const beside =
        taken.length === 0
          ? state
          : prepareGwas({
              ...{ kinship: WORLD.kinship, traits: [y], covariates: matrixOfColumns(columns) },
              principalComponents: matrixOf(WORLD.n, 1, state.axes),
            });
      const model = fitCofactors(state, 0, taken.map(cofactor), WORLD.count);
      expect(model.h2).toBeCloseTo(beside.traits[0].scoreH2, 6);
      const { SCORE: score } = createMarkerTester(beside, {
        panelSize: WORLD.n,
        filter: NO_FILTER,
        tests: ['SCORE'],
      }).test(WORLD.packed, WORLD.count).traits[0];
      const statistics = Array.from(score?.statistic ?? [], (value) => (Number.isNaN(value) ? 0 : value));
      const best = statistics.indexOf(Math.max(...statistics));
      const scan = createCofactorScan(state, 0, taken.map(cofactor), model.h2);
      scan.add(ALL, rotatedAll);
      const strongest = scan.strongest();
      expect(strongest?.marker).toBe(best);
      expect([...EFFECTS.keys()]).toContain(best);
      expect((strongest?.share ?? 0) * (order - taken.length)).toBeCloseTo(statistics[best], 4);
    });
  }

  test('passes over markers that follow from the cofactors', () => {
    const scan = createCofactorScan(state, 0, [cofactor(7), cofactor(40)], 0.3);
    const both = cofactor(7).rotated.map((value, i) => 2 * value - cofactor(40).rotated[i]);
    scan.add(Int32Array.of(7, 99), matrixOfColumns([cofactor(7).rotated, both]));
    expect(scan.strongest()).toBeUndefined();
  });
});
