import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { expect, test } from 'vitest';
import { column, invert, type Rows, times, transposed } from '../dense/mixed-model.test-data.ts';
import type { MeansWithErrors } from '../trial-series/read-series.ts';
import { traitsOfMeans } from './means-with-errors.ts';

const LINES = 9;
const PLACES = ['Bonn', 'Kiel', 'Ulm'];

/** Means of some of the lines in each environment, with a full covariance of their errors. */
function means(seed: number): MeansWithErrors[] {
  const random = createRandomStream(seed, 'joined means');
  return PLACES.map((environment, j) => {
    const own = Array.from({ length: LINES }, (_, line) => line).filter(
      (line) => line === 0 || random.uniform() < 0.7 || line % PLACES.length === j,
    );
    const n = own.length;
    const root = own.map(() => own.map(() => random.normal()));
    const product = times(root, transposed(root));
    return {
      ...{ environment, trait: 'Yield', lines: own.map((line) => `L${line}`), fileLines: new Int32Array(n) },
      means: Float64Array.from(own, (line) => 10 * j + line + random.normal()),
      errors: Float64Array.from(own, (_, i) => Math.sqrt((product[i]?.[i] ?? 0) + 0.5)),
      covariance: Float64Array.from({ length: n * n }, (_, at) => {
        const [i, k] = [at % n, Math.floor(at / n)];
        return (product[i]?.[k] ?? 0) + (i === k ? 0.5 : 0);
      }),
    };
  });
}

/**
 * By the definition, with one large covariance: y = line + environment + e, e ~ N(0, Ω). The last environment has no
 * effect of its own, and each mean holds for the average of the environments.
 */
function byDefinition(read: readonly MeansWithErrors[], lines: readonly string[]): { means: Rows; covariance: Rows } {
  const records = read.flatMap(({ lines: own }, j) => own.map((line, i) => ({ j, i, line })));
  const effects = lines.length + read.length - 1;
  const x = records.map(({ j, line }) => {
    const row = Array.from({ length: effects }, () => 0);
    row[lines.indexOf(line)] = 1;
    if (j < read.length - 1) row[lines.length + j] = 1;
    return row;
  });
  const omega = records.map((a) =>
    records.map((b) => {
      const { covariance, lines: own } = read[a.j] ?? { covariance: new Float64Array(), lines: [] };
      return a.j === b.j ? (covariance[a.i + b.i * own.length] ?? 0) : 0;
    }),
  );
  const y = column(records.map(({ j, i }) => read[j]?.means[i] ?? Number.NaN));
  const weighted = times(transposed(x), invert(omega).inverse);
  const variance = invert(times(weighted, x)).inverse;
  const solution = times(variance, times(weighted, y));
  const average = lines.map((_, line) =>
    Array.from({ length: effects }, (_unused, k) => (k === line ? 1 : k >= lines.length ? 1 / read.length : 0)),
  );
  return { means: times(average, solution), covariance: times(times(average, variance), transposed(average)) };
}

test.each([1, 2, 3])(
  'means of all environments, and their covariance, are those of dense least squares (%i)',
  (seed) => {
    const read = means(seed);
    const { table, errors } = traitsOfMeans({ means: read, from: 'covariance' }, 'full');
    const expected = byDefinition(read, table.individuals);
    const own = errors?.traits.get('Yield');
    const covariance = own?.covariance;
    if (covariance === undefined || !('data' in covariance)) throw new TypeError('a full covariance');
    for (const [row] of table.individuals.entries()) {
      expect(table.values[0]?.[row]).toBeCloseTo(expected.means[row]?.[0] ?? Number.NaN, 9);
      for (const [other] of table.individuals.entries()) {
        const [a, b] = [own?.places[row] ?? -1, own?.places[other] ?? -1];
        expect(covariance.data[a + b * covariance.rows]).toBeCloseTo(
          expected.covariance[row]?.[other] ?? Number.NaN,
          9,
        );
      }
    }
  },
);
