import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { createMatrix, type Matrix } from '@heterosis/statgen/linear-algebra';
import { weighingErrors } from '@heterosis/statgen/mixed-model/weighing-errors';
import { packErrors } from '@heterosis/statgen/mixed-model/whitening';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { describe, expect, test } from 'vitest';
import { prepareGwas } from '../gwas/prepare-gwas.ts';
import { testGwasMarkers } from '../gwas/test-gwas-markers.ts';
import type { ValueErrors } from '../inputs/value-errors.ts';
import { evaluateModels } from '../prediction/evaluation/evaluate-model.ts';
import { openSmallPanel, smallPanel, smallPhenotype } from '../prediction/small-panel.test-data.ts';
import { trainModel } from '../prediction/train-model.ts';
import type { TraitFit } from '../prediction/trained-model.ts';
import { errorsOfCovariances, meanCovarianceCsv, renamedCovariance } from './mean-covariance.ts';

const CONTEXT = { threads: 1 };
const PANEL = smallPanel(60, 90, 80);
const PHENOTYPE = smallPhenotype(PANEL, 12);
const LINES = PHENOTYPE.individuals;
const N = LINES.length;

/** Errors of neighbours go together, and lines have different numbers of plots; then a level that all share. */
function omegaOf(level: number): Matrix {
  const random = createRandomStream(3, 'plots');
  const size = Float64Array.from({ length: N }, () => 0.3 + random.uniform());
  const omega = createMatrix(N, N);
  for (let j = 0; j < N; j++)
    for (let i = 0; i < N; i++)
      omega.data[i + j * N] = size[i] * size[j] * 0.6 ** Math.abs(i - j) * (i === j ? 1.2 : 1) + level;
  return omega;
}

const covarianceOf = (omega: Matrix, lines = LINES) => ({ lines: [...lines], covariance: packErrors(omega) });
const errorsOf = (omega: Matrix): ValueErrors => errorsOfCovariances(PHENOTYPE, new Map([['y', covarianceOf(omega)]]));
const diagonal = (variances: Float64Array): ValueErrors => ({
  from: 'standard errors',
  traits: new Map([['y', { places: Int32Array.from(variances.keys()), covariance: variances }]]),
});

async function fitOf(errors: ValueErrors, more: object = {}): Promise<TraitFit> {
  const input = { panel: openSmallPanel(PANEL), phenotype: PHENOTYPE, traits: ['y'], errors, maf: 0.05, callRate: 0.5 };
  const { traits } = await trainModel({ ...input, ...more }, CONTEXT);
  expect(traits[0]?.error).toBeNull();
  return traits[0]!.fit!;
}

const apart = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
const centred = (values: Float64Array): Float64Array => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
};
const spread = (values: Float64Array): number => Math.max(...values) - Math.min(...values);

/** Of the spread: contrasts of Ω + c·11ᵀ lose the digits of c over the size of the errors, 1e3 here. */
const TOLERANCE = 1e-9;

describe('a level that all means share, as an intercept takes it', () => {
  test.each([
    ['additive', {}],
    ['with residual lines', { residualLines: true }],
    ['with covariates and principal components', { covariates: ['age', 'origin'], principalComponents: 2 }],
    ['dominance', { dominance: true }],
  ])('changes no variance, marker effect or contrast of breeding values (%s)', async (_, more) => {
    const [one, other] = [await fitOf(errorsOf(omegaOf(0)), more), await fitOf(errorsOf(omegaOf(1000)), more)];
    expect(one.variance.additive).toBeGreaterThan(0);
    expect(other.variance.additive / one.variance.additive).toBeCloseTo(1, 8);
    expect(apart(one.additive, other.additive) / spread(one.additive)).toBeLessThan(TOLERANCE);
    expect(apart(centred(one.gebv), centred(other.gebv)) / spread(one.gebv)).toBeLessThan(TOLERANCE);
    expect(other.logLikelihood).toBeCloseTo(one.logLikelihood, 6);
  });

  test('changes no fold of a cross-validation', async () => {
    const input = { panel: openSmallPanel(PANEL), phenotype: PHENOTYPE, traits: ['y'], nFold: 4, nRepetition: 2 };
    const [one, other] = await Promise.all(
      [0, 1000].map((level) => evaluateModels({ ...input, errors: errorsOf(omegaOf(level)) }, CONTEXT)),
    );
    const of = (results: typeof one) => results?.[0]?.evaluation?.perFold.map(({ r }) => r ?? Number.NaN) ?? [];
    expect(of(one)).toHaveLength(8);
    of(one).forEach((r, fold) => expect(of(other)[fold]).toBeCloseTo(r, 7));
  });

  test('changes no test of a marker', async () => {
    const panel = openSmallPanel(PANEL);
    const columnsOf = async (level: number) => {
      const input = { panel: blocksOf(panel), phenotype: PHENOTYPE, traits: ['y'], test: 'WALD' as const };
      const { states, errors } = await prepareGwas({ ...input, errors: errorsOf(omegaOf(level)) }, CONTEXT);
      expect(errors).toEqual([]);
      const range = { first: 0, count: panel.markers.id.length };
      return (await testGwasMarkers(states[0]!, blocksOf(panel), range, CONTEXT))[0]!;
    };
    const [one, other] = [await columnsOf(0), await columnsOf(1000)];
    const tested = [...one.p.keys()].filter((j) => !Number.isNaN(one.p[j]));
    expect(tested.length).toBeGreaterThan(50);
    for (const j of tested) expect(other.p[j]! / one.p[j]!).toBeCloseTo(1, 6);
  });

  // A diagonal of Ω has the level in each error; that of Ω⁻¹ keeps wᵢ(1 − wᵢ/Σw) of each weight, however large it is.
  test('does not hide the genetic variance from standard errors for weights, as it does from those of means', async () => {
    const variances = (omega: Matrix) => Float64Array.from({ length: N }, (_, i) => omega.data[i * (N + 1)]);
    const independent = createMatrix(N, N);
    const own = variances(omegaOf(0));
    for (let i = 0; i < N; i++) independent.data[i * (N + 1)] = own[i];
    const levelled = { ...independent, data: independent.data.map((value) => value + 1000) };
    const weighing = weighingErrors(levelled).map((error) => error ** 2);
    weighing.forEach((variance, i) => expect(variance / own[i]).toBeGreaterThan(1 - 1e-9));
    const plain = await fitOf(diagonal(own));
    const shrunk = await fitOf(diagonal(weighing));
    const hidden = await fitOf(diagonal(variances(levelled)));
    expect(shrunk.variance.additive / plain.variance.additive).toBeGreaterThan(0.9);
    expect(shrunk.variance.additive / plain.variance.additive).toBeLessThan(1.1);
    expect(hidden.variance.additive).toBeLessThan(0.01 * plain.variance.additive);
  });
});

test('lines are found by name, and those without a value may be there', async () => {
  const omega = omegaOf(0);
  const order = [...LINES.keys()].reverse();
  const turned = createMatrix(N + 1, N + 1);
  for (let i = 0; i <= N; i++) turned.data[i * (N + 2)] = 1;
  for (const [b, j] of order.entries())
    for (const [a, i] of order.entries()) turned.data[a + b * (N + 1)] = omega.data[i + j * N];
  const covariance = covarianceOf(turned, [...order.map((i) => LINES[i]), 'Stranger']);
  const { traits } = errorsOfCovariances(PHENOTYPE, new Map([['y', covariance]]));
  const { places, covariance: found } = traits.get('y')!;
  expect(places[0]).toBe(N - 1);
  expect((found as Matrix).data[places[2] + places[7] * (N + 1)]).toBe(omega.data[2 + 7 * N]);
});

describe('a covariance that does not fit is refused with its code', () => {
  const refusal = (change: (table: PhenotypeTable) => object, lines = LINES) => {
    const covariance = { ...covarianceOf(omegaOf(0)), lines: [...lines] };
    const table = { ...PHENOTYPE, ...change(PHENOTYPE) };
    return () => errorsOfCovariances(table, new Map([['y', covariance]]));
  };
  test('a line with a value that it lacks', () => {
    const first = PHENOTYPE.values[0]!.findIndex((value) => !Number.isNaN(value));
    const lines = LINES.with(first, 'Stranger');
    expect(refusal(() => ({}), lines)).toThrow(expect.objectContaining({ code: 'errors/not-in-covariance' }));
  });
  test('values that are means of several', () => {
    const several = ({ reductions }: PhenotypeTable) => ({ reductions: reductions.map(() => 'mean') });
    expect(refusal(several)).toThrow(expect.objectContaining({ code: 'errors/of-plots' }));
  });
  test('one that is not positive definite', async () => {
    const omega = omegaOf(0);
    omega.data[2 + 3 * N] = 10;
    omega.data[3 + 2 * N] = 10;
    const input = { panel: openSmallPanel(PANEL), phenotype: PHENOTYPE, traits: ['y'], errors: errorsOf(omega) };
    const { traits } = await trainModel({ ...input, maf: 0.05, callRate: 0.5 }, CONTEXT);
    expect(traits[0]).toMatchObject({ fit: null, error: { code: 'analysis/errors-not-positive-definite' } });
  });
});

test('the table is that of the command line, in full precision', () => {
  const omega = omegaOf(0.1);
  const text = [...meanCovarianceCsv({ environment: 'all', trait: 'y', withHeader: true }, covarianceOf(omega))].join(
    '',
  );
  const rows = text.trimEnd().split('\n');
  expect(rows[0]).toBe('environment,trait,line1,line2,covariance');
  expect(rows).toHaveLength(1 + (N * (N + 1)) / 2);
  expect(rows[5]).toBe(`all,y,${LINES[2]},${LINES[1]},${omega.data[2 + N]}`);
  expect(rows[6]).toBe(`all,y,${LINES[2]},${LINES[2]},${omega.data[2 + 2 * N]}`);
});

test.each(['whole', 'variances'])(
  'a covariance takes other names, and leaves out a line whose name another takes: %s',
  (kind) => {
    const omega = { rows: 3, columns: 3, data: Float64Array.of(4, 1, 2, 1, 5, 3, 2, 3, 6) };
    const covariance = kind === 'whole' ? packErrors(omega) : Float64Array.of(4, 5, 6);
    const given = { lines: ['Mo17', 'missouri-17', 'b73'], covariance };
    expect(renamedCovariance(given, new Map([['b73', 'B73']]))).toEqual({
      lines: ['Mo17', 'missouri-17', 'B73'],
      covariance,
    });
    const renames = new Map([
      ['b73', 'B73'],
      ['missouri-17', 'Mo17'],
    ]);
    expect(renamedCovariance(given, renames)).toEqual({
      lines: ['Mo17', 'B73'],
      covariance: kind === 'whole' ? Float64Array.of(5, 3, 6) : Float64Array.of(5, 6),
    });
  },
);
