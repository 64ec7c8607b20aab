import { readdirSync } from 'node:fs';
import { type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import {
  externalReference,
  hasReference,
  largestRelativeError,
  numberColumn,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { beforeAll, describe, expect, test } from 'vitest';
import { countCalls } from '../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../genotypes/decode-block.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { createSinglePrecisionAccumulator } from '../kinship/single-precision-kinship.ts';
import { type GwasNull, prepareGwas } from './prepare-gwas.ts';
import { createMarkerTester, type TestColumns } from './test-markers.ts';

/**
 * The files `exact_*` were computed with the kinship of the R package gaston, which accumulates in single precision.
 * This test rebuilds that kinship bit for bit (its trace is stored beside the files with all digits), so only the
 * tests themselves can differ: LRT by 1e-9, SCORE and WALD by 2e-7, the accuracy of the reference's own search for h².
 *
 * `ownKinship` bounds −log₁₀ p computed with our double-precision kinship: the effect of gaston's rounding on the
 * results.
 */
const sets = [
  { data: new URL('../../reference/maize-mdp/', import.meta.url), gwas: 'gwas/', files: 6, ownKinship: 3e-5 },
  { data: new URL('../../reference/wheat-cimmyt/', import.meta.url), gwas: 'gwas/', files: 2, ownKinship: 2e-5 },
  { data: externalReference('rice-44k'), gwas: 'reference/gwas/', files: 4, ownKinship: 3e-3 },
  { data: externalReference('mice-hs'), gwas: 'reference/gwas/', files: 2, ownKinship: 2e-5 },
];

const filter = { maf: 0.05, callRate: 0.9 };
/** Accumulating a kinship of 1,814 individuals in single precision takes a while on a busy machine. */
const PATIENCE = 300_000;

for (const { data, gwas, files, ownKinship } of sets) {
  const name = data.pathname.split('/').at(-2);
  const folder = new URL(gwas, data);
  if (!hasReference(folder)) {
    test.skip(`${name} (not present)`, () => undefined);
    continue;
  }
  const references = readdirSync(folder).flatMap((file) => {
    const [, trait, components] = /^exact_(.+)_pc(\d+)\.csv/.exec(file) ?? [];
    return trait === undefined ? [] : [{ trait, components: Number(components), file: new URL(file, folder) }];
  });
  test(`${name}: every reference file is compared`, () => expect(references).toHaveLength(files));

  for (const [trait, ofTrait = []] of Map.groupBy(references, (reference) => reference.trait)) {
    describe(`${name} ${trait}`, () => {
      let input: Input;
      beforeAll(() => {
        input = readInput(data, trait);
      }, PATIENCE);

      test('the reference rests on the kinship in single precision: the trace is the same to 15 digits', () => {
        const { data: values, rows: n } = input.gastonKinship;
        let trace = 0;
        for (let i = 0; i < n; i++) trace += values[i + i * n];
        const expected = numberColumn(readReferenceCsv(new URL(`gaston_null_${trait}.csv`, folder)), 'trK_n');
        expect(largestRelativeError([trace / n, trace / n], expected, 0)).toBeLessThan(1e-14);
      });

      test.each(ofTrait)('with $components components all three tests equal it', ({ components, file }) => {
        const expected = readExpected(file, input);
        const { state, SCORE, WALD, LRT } = run(input, input.gastonKinship, components, expected.rows);
        expect(absoluteError(SCORE.negLog10P, expected.negLog10PScore)).toBeLessThan(1e-6);
        expect(absoluteError(WALD.negLog10P, expected.negLog10PWald)).toBeLessThan(1e-6);
        expect(absoluteError(LRT.negLog10P, expected.negLog10PLrt)).toBeLessThan(1e-8);
        expect(largestRelativeError(SCORE.statistic, expected.score, 1)).toBeLessThan(1e-6);
        expect(largestRelativeError(LRT.statistic, expected.lrt, 1)).toBeLessThan(1e-10);
        expect(absoluteError(WALD.h2, expected.waldH2)).toBeLessThan(2e-7);
        expect(absoluteError(LRT.h2, expected.lrtH2)).toBeLessThan(2e-7);
        expect(largestRelativeError(WALD.se, expected.se, 0)).toBeLessThan(1e-6);
        // Relative to the effect or to its standard error, whichever is larger: when h² differs by 1e-7, an effect
        // moves by about 1e-7 of its standard error, even when it is near 0.
        const inErrors = (effects: Float64Array): Float64Array => effects.map((effect, i) => effect / expected.se[i]);
        expect(largestRelativeError(inErrors(WALD.beta), inErrors(expected.beta), 1)).toBeLessThan(1e-6);
        // At the reference's own h² this difference vanishes, and every effect agrees to a relative 1e-6.
        const there = effectsAt(state, input, expected.rows, expected.waldH2);
        expect(largestRelativeError(there.beta, expected.beta, 0)).toBeLessThan(1e-6);
        expect(largestRelativeError(there.se, expected.se, 0)).toBeLessThan(1e-12);
      });

      test.each(ofTrait)(
        'with $components components and our own kinship it is as near as gaston rounds',
        ({ components, file }) => {
          const expected = readExpected(file, input);
          const { SCORE, WALD, LRT } = run(input, input.ownKinship, components, expected.rows);
          expect(absoluteError(SCORE.negLog10P, expected.negLog10PScore)).toBeLessThan(ownKinship);
          expect(absoluteError(WALD.negLog10P, expected.negLog10PWald)).toBeLessThan(ownKinship);
          expect(absoluteError(LRT.negLog10P, expected.negLog10PLrt)).toBeLessThan(ownKinship);
        },
      );
    });
  }
}

interface Input {
  packed: Uint8Array;
  markers: number;
  rowOf: Map<string, number>;
  selection: { panelSize: number; individuals: Int32Array };
  y: Float64Array;
  ownKinship: Matrix;
  gastonKinship: Matrix;
}

function readInput(data: URL, trait: string): Input {
  const { samples, markerIds, packed } = readReferencePanel(new URL('genotypes.vcf.gz', data));
  const values = traitOfPanel(readReferenceCsv(new URL('phenotypes.csv', data)), trait, samples);
  const individuals = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const selection = { panelSize: samples.length, individuals };
  const own = createKinshipAccumulator({ ...selection, filter, methods: ['standardized'] });
  own.add(packed, markerIds.length);
  const { kernels, scan } = own.finish();
  const gaston = createSinglePrecisionAccumulator({ ...selection, filter, markersKept: scan.keptCount });
  gaston.add(packed, markerIds.length);
  return {
    packed,
    markers: markerIds.length,
    rowOf: new Map(markerIds.map((id, row) => [id, row])),
    selection,
    y: Float64Array.from(individuals, (i) => values[i]),
    ownKinship: kernels.standardized as Matrix,
    gastonKinship: gaston.finish(),
  };
}

function readExpected(file: URL, { rowOf }: Input) {
  const table = readReferenceCsv(file);
  const negLog = (column: string): Float64Array => numberColumn(table, column).map((p) => -Math.log10(p));
  return {
    /** Row in the panel of each marker of the file. */
    rows: Int32Array.from(textColumn(table, 'id'), (id) => rowOf.get(id) ?? -1),
    negLog10PScore: negLog('p_score'),
    negLog10PWald: negLog('p_wald'),
    negLog10PLrt: negLog('p_lrt'),
    score: numberColumn(table, 'score'),
    lrt: numberColumn(table, 'LRT'),
    waldH2: numberColumn(table, 'wald_h2'),
    lrtH2: numberColumn(table, 'lrt_h2'),
    beta: numberColumn(table, 'wald_beta'),
    se: numberColumn(table, 'wald_sd'),
  };
}

/** All three tests of the markers in `rows`. */
function run({ packed, markers, selection, y }: Input, kinship: Matrix, components: number, rows: Int32Array) {
  const state = prepareGwas({ kinship, traits: [y], principalComponents: components });
  const tester = createMarkerTester(state, { ...selection, filter, tests: ['SCORE', 'WALD', 'LRT'] });
  const { SCORE, WALD, LRT } = tester.test(packed, markers).traits[0];
  const chosen = (columns: TestColumns | undefined) => {
    if (columns === undefined) throw new Error('a test was not run');
    const pick = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row]);
    const { statistic, beta, se, negLog10P, h2 } = columns;
    return {
      statistic: pick(statistic),
      beta: pick(beta),
      se: pick(se),
      negLog10P: pick(negLog10P),
      h2: pick(h2),
    };
  };
  return { state, SCORE: chosen(SCORE), WALD: chosen(WALD), LRT: chosen(LRT) };
}

/** Generalised least squares for each marker at a fixed h², without a search. */
function effectsAt(state: GwasNull, { packed, markers, selection }: Input, rows: Int32Array, h2: Float64Array) {
  const d = state.contrastEigenvalues;
  const order = d.length;
  const [{ rotated: y }] = state.traits;
  const block = new Float64Array(state.n * rows.length);
  decodeBlock(packed, markers, selection, rows, centredValues(countCalls(packed, markers, selection)), block);
  const basis = matrixOf(state.n, order, state.basis);
  const g = multiply(basis, matrixOf(state.n, rows.length, block), { transposeA: true }).data;
  const beta = new Float64Array(rows.length);
  const se = new Float64Array(rows.length);
  for (let j = 0; j < rows.length; j++) {
    let gy = 0;
    let gg = 0;
    let yy = 0;
    for (let i = 0; i < order; i++) {
      const weight = 1 / (1 + h2[j] * (d[i] - 1));
      const marker = g[i + j * order];
      gy += marker * y[i] * weight;
      gg += marker * marker * weight;
      yy += y[i] * y[i] * weight;
    }
    beta[j] = gy / gg;
    se[j] = Math.sqrt((yy - gy ** 2 / gg) / (order - 1) / gg);
  }
  return { beta, se };
}

/** Largest |actual − expected|; a NaN on one side only counts as infinite. */
function absoluteError(actual: Float64Array, expected: Float64Array): number {
  return actual.reduce((largest, value, i) => {
    const error = Math.abs(value - expected[i]);
    return Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(largest, error);
  }, 0);
}
