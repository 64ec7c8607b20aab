import type { Matrix } from '@heterosis/linalg/matrix';
import { setThreadCount } from '@heterosis/linalg/threads';
import {
  hasReference,
  largestRelativeError,
  numberColumn,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { describe, expect, test } from 'vitest';
import { createKinshipAccumulator, positionsOf } from '../kinship/accumulate-kinship.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { singlePrecisionKinship } from './single-precision-kinship.test-data.ts';
import { createMarkerTester } from './test-markers.ts';

const REPOSITORY = new URL('../../reference/', import.meta.url);
const BESIDE = new URL('../../../../../shared/data/', import.meta.url);
const filter = { maf: 0.05, callRate: 0.9 };

/**
 * The references appear to rest on a kinship in single precision: one rebuilt that way brings most of them within 1e-6. `sameKinship`
 * bounds −log₁₀ p, effects and errors with such a kinship (rebuilt up to the order of some roundings, which grow with the
 * number of markers); it is left out where rebuilding takes half a minute. `ownKinship` bounds −log₁₀ p with our kinship in
 * double precision.
 */
const sets = [
  { data: new URL('maize-mdp/', REPOSITORY), trait: 'EarHT', sameKinship: 1e-6, ownKinship: 2e-5 },
  { data: new URL('maize-mdp/', REPOSITORY), trait: 'dpoll', sameKinship: 1e-6, ownKinship: 4e-5 },
  { data: new URL('maize-mdp/', REPOSITORY), trait: 'EarDia', sameKinship: 2e-6, ownKinship: 4e-5 },
  { data: new URL('wheat-cimmyt/', REPOSITORY), trait: 'GY_env1', sameKinship: 1e-6, ownKinship: 2e-5 },
  { data: new URL('rice-44k/', BESIDE), trait: 'Plant.height', sameKinship: 3e-6, ownKinship: 4e-3 },
  { data: new URL('rice-44k/', BESIDE), trait: 'Flowering.time.at.Arkansas', sameKinship: 3e-6, ownKinship: 1e-3 },
  { data: new URL('mice-hs/', BESIDE), trait: 'BMI', sameKinship: undefined, ownKinship: 2e-5 },
];

// Small matrices beside another test process: two threads a process would wait for each other.
setThreadCount(1);

for (const { data, trait, sameKinship, ownKinship } of sets) {
  const results = data.href.startsWith(REPOSITORY.href) ? 'gwas/' : 'reference/gwas/';
  const name = data.pathname.split('/').at(-2);
  describe.skipIf(!hasReference(data))(`${name} ${trait}${hasReference(data) ? '' : ' (not present)'}`, () => {
    test('all three tests equal the exact reference, with 0 and 3 principal components', () => {
      const panel = readReferencePanel(new URL('genotypes.vcf.gz', data));
      const markers = panel.markerIds.length;
      const values = traitOfPanel(readReferenceCsv(new URL('phenotypes.csv', data)), trait, panel.samples);
      const individuals = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
      const y = Float64Array.from(individuals, (i) => values[i]);
      const selection = { panelSize: panel.samples.length, individuals };
      const accumulator = createKinshipAccumulator({ ...selection, filter, methods: ['standardized'] });
      accumulator.add(panel.packed, markers);
      const { kernels, scan } = accumulator.finish();
      const rowOf = new Map(panel.markerIds.map((id, row) => [id, row]));
      for (const components of [0, 3]) {
        const file = new URL(`${results}exact_${trait}_pc${components}.csv`, data);
        const expected = readReferenceCsv(hasReference(file) ? file : new URL(`${file.href}.gz`));
        const rows = textColumn(expected, 'id').map((id) => rowOf.get(id) as number);
        const run = (kinship: Matrix) => {
          const state = prepareGwas({ kinship, traits: [y], principalComponents: components });
          const tester = createMarkerTester(state, { ...selection, filter, tests: ['SCORE', 'WALD', 'LRT'] });
          return tester.test(panel.packed, markers).traits[0];
        };
        const picked = (column: Float64Array | undefined) =>
          Float64Array.from(rows, (row) => (column as Float64Array)[row]);
        const negLog = (column: string) => numberColumn(expected, column).map((p) => -Math.log10(p));
        const columns = [
          ['SCORE', 'p_score'],
          ['WALD', 'p_wald'],
          ['LRT', 'p_lrt'],
        ] as const;
        const own = run(kernels.standardized as Matrix);
        for (const [kind, column] of columns) {
          // With a floor of 1 this is the absolute difference for p > 0.1, the relative one beyond.
          expect(largestRelativeError(picked(own[kind]?.negLog10P), negLog(column), 1)).toBeLessThan(ownKinship);
        }
        if (sameKinship === undefined) continue;
        const same = run(singlePrecisionKinship(panel.packed, markers, selection, positionsOf(scan.kept)));
        for (const [kind, column] of columns) {
          expect(largestRelativeError(picked(same[kind]?.negLog10P), negLog(column), 1)).toBeLessThan(sameKinship);
        }
        const se = numberColumn(expected, 'wald_sd');
        expect(largestRelativeError(picked(same.WALD?.se), se, 0)).toBeLessThan(sameKinship);
        // Relative to its standard error: an effect near 0 is a difference of large numbers in both programs.
        const scaled = (values: Float64Array) => values.map((value, i) => value / se[i]);
        const beta = scaled(numberColumn(expected, 'wald_beta'));
        expect(largestRelativeError(scaled(picked(same.WALD?.beta)), beta, 1)).toBeLessThan(2 * sameKinship);
        const statistic = picked(same.SCORE?.statistic);
        expect(largestRelativeError(statistic, numberColumn(expected, 'score'), 1)).toBeLessThan(2 * sameKinship);
      }
    });
  });
}
