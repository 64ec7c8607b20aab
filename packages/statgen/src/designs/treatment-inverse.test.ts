import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { Spread } from './spread.ts';
import { type PlotModel, TreatmentInverse } from './treatment-inverse.ts';

/** Lines in `r` plots each, with two factors of random levels. */
function randomModel(seed: number, lines: number, r: number): PlotModel {
  const random = createRandomStream(seed, 'treatment inverse');
  const lineOf = Int32Array.from(random.shuffle(Array.from({ length: lines * r }, (_, i) => i % lines)));
  const factor = (levels: number) => Int32Array.from(lineOf, (_, plot) => plot % levels);
  return { lines, lineOf, factors: [factor(3), Int32Array.from(lineOf, (_, plot) => Math.floor(plot / 4))] };
}

const model = fc.record({
  seed: fc.nat(1000),
  lines: fc.integer({ min: 3, max: 9 }),
  r: fc.integer({ min: 2, max: 4 }),
});

test.each([
  ['fixed factors', {}],
  ['random factors', { factorRatio: 0.7 }],
] as const)('an exchange changes the criterion of %s by what it was said to', (_, kind) => {
  let compared = 0;
  fc.assert(
    fc.property(model, ({ seed, lines, r }) => {
      const random = createRandomStream(seed, 'exchange');
      const plain = randomModel(seed, lines, r);
      const own: PlotModel = { ...plain, ...kind };
      const inverse = new TreatmentInverse(own);
      for (let k = 0; k < 5; k++) {
        const [a, b] = [random.nextInt(own.lineOf.length), random.nextInt(own.lineOf.length)];
        const before = inverse.criterion();
        const change = inverse.change(a, b);
        if (change === Number.POSITIVE_INFINITY) continue;
        inverse.exchange(a, b);
        const afresh = new TreatmentInverse({ ...own, lineOf: own.lineOf.slice() }).criterion();
        // Lines that are not connected have variances of up to 1e3 by the ridge, and lose six digits in their squares.
        const tolerance = afresh + before < 100 ? 1e-9 : 1e-5 * (afresh + before);
        expect(Math.abs(inverse.criterion() - afresh)).toBeLessThan(tolerance);
        expect(Math.abs(before + change - afresh)).toBeLessThan(tolerance);
        if (afresh + before < 100) compared++;
      }
    }),
    { numRuns: someOf(60), seed: 11 },
  );
  expect(compared).toBeGreaterThan(50);
});

test('the change of the penalty is that of pairs counted afresh', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 6 }), (seed, rows, columns) => {
      const random = createRandomStream(seed, 'spread');
      const plots = rows * columns;
      const lines = Math.ceil(plots / 2);
      const lineOf = Int32Array.from(
        random.shuffle(Array.from({ length: plots }, (_, i) => (i === 0 ? -1 : i % lines))),
      );
      const spreadModel = {
        ...{ lines, lineOf },
        row: Int32Array.from(lineOf, (_, plot) => Math.floor(plot / columns)),
        column: Int32Array.from(lineOf, (_, plot) => plot % columns),
        familyOf: Int32Array.from({ length: lines }, (_, line) => (line % 3) - 1),
        block: Int32Array.from(lineOf, (_, plot) => plot % 2),
      };
      const weights = { neighbour: 3, shared: 0.7, familyNeighbour: 0.4, familyBlock: 0.1 };
      const spread = new Spread(spreadModel, weights);
      for (let k = 0; k < 10; k++) {
        const [a, b] = [random.nextInt(plots), random.nextInt(plots)];
        const before = plainPenalty(spreadModel, weights);
        const change = spread.change(a, b);
        [lineOf[a], lineOf[b]] = [lineOf[b], lineOf[a]];
        spread.exchanged(a, b);
        expect(before + change).toBeCloseTo(plainPenalty(spreadModel, weights), 10);
      }
    }),
    { numRuns: someOf(60), seed: 12 },
  );
});

/** Every pair of plots looked at. */
function plainPenalty(
  { lineOf, row, column, familyOf, block }: Record<'lineOf' | 'row' | 'column' | 'familyOf' | 'block', Int32Array>,
  weights: { neighbour: number; shared: number; familyNeighbour: number; familyBlock: number },
): number {
  let sum = 0;
  for (let a = 0; a < lineOf.length; a++) {
    for (let b = 0; b < a; b++) {
      if (lineOf[a] < 0 || lineOf[b] < 0) continue;
      const isBeside = Math.abs(row[a] - row[b]) + Math.abs(column[a] - column[b]) === 1;
      const isSame = lineOf[a] === lineOf[b];
      const isFamily = familyOf[lineOf[a]] >= 0 && familyOf[lineOf[a]] === familyOf[lineOf[b]];
      if (isSame && isBeside) sum += weights.neighbour;
      if (isSame && row[a] === row[b]) sum += weights.shared;
      if (isSame && column[a] === column[b]) sum += weights.shared;
      if (isFamily && isBeside) sum += weights.familyNeighbour;
      if (isFamily && block[a] === block[b]) sum += weights.familyBlock;
    }
  }
  return sum;
}
