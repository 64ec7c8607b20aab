import type { Matrix } from '@heterosis/linalg/matrix';
import { selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { setThreadCount } from '@heterosis/linalg/threads';
import {
  externalReference,
  hasReference,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { interceptOnly } from '../mixed-model/error-contrasts.ts';
import { fitTraits, type TraitsFit } from './fit-traits.ts';
import { predictTraits } from './predict-traits.ts';
import { createTraitRecords } from './trait-records.ts';

setThreadCount(1);

const WHEAT = new URL('../../reference/wheat-cimmyt/', import.meta.url);
const MICE = externalReference('mice-hs');

function kinshipOf(folder: URL): { samples: string[]; kinship: Matrix } {
  const panel = readReferencePanel(new URL('genotypes.vcf.gz', folder));
  const accumulator = createKinshipAccumulator({
    panelSize: panel.samples.length,
    filter: { maf: 0.05, callRate: 0.9 },
    methods: ['vanraden1'],
  });
  accumulator.add(panel.packed, panel.markerIds.length);
  return { samples: panel.samples, kinship: accumulator.finish().kernels.vanraden1 as Matrix };
}

const wheat = kinshipOf(WHEAT);

const SETS = [
  { set: 'wheat2', table: 'wheat', file: 'phenotypes.csv', traits: ['GY_env1', 'GY_env2'], gemma: -1577.3 },
  { set: 'wheat2b', table: 'wheat2b', file: 'phenotypes.csv', traits: ['GY_env2', 'GY_env5'] },
  { set: 'wheat3', table: 'wheat', file: 'phenotypes.csv', traits: ['GY_env1', 'GY_env2', 'GY_env4'] },
  {
    ...{ set: 'wheat2_missing', table: 'wheat', file: 'multi-trait/wheat2_missing.phenotypes.csv' },
    traits: ['GY_env1', 'GY_env2'],
  },
  {
    ...{ set: 'wheat3_missing', table: 'wheat', file: 'multi-trait/wheat3_missing.phenotypes.csv' },
    traits: ['GY_env1', 'GY_env2', 'GY_env4'],
  },
];

/** Rows of a table that belong to a set. */
function rowsOf(file: string, set: string): Record<string, string>[] {
  const table = readReferenceCsv(new URL(`multi-trait/${file}`, WHEAT));
  return textColumn(table, 'analysis').flatMap((name, row) =>
    name === set ? [Object.fromEntries([...table].map(([column, values]) => [column, values[row]]))] : [],
  );
}

test.each(SETS)(
  '$set: covariances, errors, likelihood and values of an independent program',
  ({ set, table, file, traits, gemma }) => {
    const phenotypes = readReferenceCsv(new URL(file, WHEAT));
    const all = traits.map((trait) => traitOfPanel(phenotypes, trait, wheat.samples));
    const rows = Int32Array.from(wheat.samples.keys()).filter((i) => all.some((values) => !Number.isNaN(values[i])));
    const records = createTraitRecords({
      kinship: selectRowsAndColumns(wheat.kinship, rows, rows),
      values: all.map((values) => Float64Array.from(rows, (i) => values[i])),
      designs: all.map(() => interceptOnly(rows.length)),
    });
    const fit = fitTraits(records);
    expect(fit.isConverged).toBe(true);
    for (const row of rowsOf(`${table}.varcomp.csv`, set)) {
      const [s, r] = [traits.indexOf(row['trait_i']), traits.indexOf(row['trait_j'])];
      const side = row['matrix'] === 'G' ? 'genetic' : 'residual';
      // The bar: 1e-5 relative, of standard errors by the same information too; the likelihood 1e-6.
      expect(fit[side][s][r] / Number(row['estimate'])).toBeCloseTo(1, 5.3);
      expect((fit.standardErrors?.[side][s][r] ?? 0) / Number(row['se_AI'])).toBeCloseTo(1, 5.3);
      expect(fit.logLikelihood).toBeCloseTo(Number(row['logL']), 6.3);
    }
    for (const row of rowsOf(`${table}.correlations.csv`, set)) {
      const [s, r] = [traits.indexOf(row['trait_i']), traits.indexOf(row['trait_j'])];
      const of = { genetic: fit.geneticCorrelation, residual: fit.residualCorrelation }[row['kind']];
      if (of === undefined) continue;
      expect(of[s][r].value / Number(row['estimate'])).toBeCloseTo(1, 5.3);
      expect((of[s][r].se ?? 0) / Number(row['se_AI'])).toBeCloseTo(1, 5.3);
    }
    // GEMMA 0.98.5 adds ½ log|XᵀX| of each trait and prints six digits.
    if (gemma !== undefined) expect(fit.contrastLogLikelihood).toBeCloseTo(gemma, 1.3);
    const everyone = Int32Array.from(wheat.samples.keys());
    const own = Float64Array.from(everyone, (i) => wheat.kinship.data[i * (wheat.kinship.rows + 1)]);
    const across = selectRowsAndColumns(wheat.kinship, rows, everyone);
    const predicted = predictTraits(records, fit.point, across, own);
    const gebv = readReferenceCsv(new URL(`multi-trait/${set}.gebv.csv.gz`, WHEAT));
    for (const [t, trait] of traits.entries()) {
      // 1e-5 of the spread of the values, which are about 0.5.
      const differences = traitOfPanel(gebv, trait, wheat.samples).map((value, i) => value - predicted.values[t][i]);
      expect(Math.max(...differences.map(Math.abs))).toBeLessThan(2e-6);
      if (!gebv.has(`sqrtPEV_${trait}`)) continue;
      const errors = traitOfPanel(gebv, `sqrtPEV_${trait}`, wheat.samples);
      const wrong = errors.map((error, i) => error - Math.sqrt(predicted.errorVariances[t][i]));
      expect(Math.max(...wrong.map(Math.abs))).toBeLessThan(2e-6);
    }
  },
);

const MICE_SETS = [
  {
    ...{ name: 'body mass index and length', first: 1814, traits: ['BMI', 'BodyLength'], logLikelihood: 1829.19597394 },
    genetic: [0.000459967672122, -0.000865908705458, 0.0908013639204],
    residual: [0.00226840882344, -0.014231371028, 0.220668023297],
    errors: [8.91128144398e-5, 0.000819708354974, 0.0132305815315],
    correlation: { value: -0.133986877187, se: 0.116818209017 },
  },
  {
    ...{ name: 'with missing records', first: 600, traits: ['BMI', 'Glucose'], logLikelihood: -363.466790253 },
    genetic: [0.000495228400446, 0.000546055694687, 1.82643366442],
    residual: [0.00251256044847, -0.00217805584301, 5.47762825745],
    errors: [0.000187312196022, 0.00715603717036, 0.551045487301],
    correlation: { value: 0.0181565034943, se: 0.238200568828 },
  },
];

test.skipIf(!hasReference(MICE)).each(MICE_SETS)('mice with sex as a fixed effect, $name', (expected) => {
  const { samples, kinship } = kinshipOf(MICE);
  const phenotypes = readReferenceCsv(new URL('phenotypes.csv', MICE));
  const rowOf = new Map(textColumn(phenotypes, 'sample').map((name, row) => [name, row]));
  const sexes = textColumn(phenotypes, 'Sex');
  const all = expected.traits.map((trait) => traitOfPanel(phenotypes, trait, samples));
  const rows = Int32Array.from({ length: expected.first }, (_, i) => i).filter((i) =>
    all.some((values) => !Number.isNaN(values[i])),
  );
  const n = rows.length;
  const isMale = Float64Array.from(rows, (i) => Number(/^m/i.test(sexes[rowOf.get(samples[i]) ?? -1] ?? '')));
  const design = { rows: n, columns: 2, data: Float64Array.from([...new Float64Array(n).fill(1), ...isMale]) };
  const records = createTraitRecords({
    kinship: selectRowsAndColumns(kinship, rows, rows),
    values: all.map((values) => Float64Array.from(rows, (i) => values[i])),
    designs: [design, design],
  });
  const fit: TraitsFit = fitTraits(records);
  expect(fit.isConverged).toBe(true);
  expect(fit.logLikelihood).toBeCloseTo(expected.logLikelihood, 6.3);
  for (const [k, [s, r]] of (
    [
      [0, 0],
      [1, 0],
      [1, 1],
    ] as const
  ).entries()) {
    expect(fit.genetic[s][r] / expected.genetic[k]).toBeCloseTo(1, 5.3);
    expect(fit.residual[s][r] / expected.residual[k]).toBeCloseTo(1, 5.3);
    expect((fit.standardErrors?.genetic[s][r] ?? 0) / expected.errors[k]).toBeCloseTo(1, 5.3);
  }
  const { value, se } = fit.geneticCorrelation[1][0];
  expect(value / expected.correlation.value).toBeCloseTo(1, 5.3);
  expect((se ?? 0) / expected.correlation.se).toBeCloseTo(1, 5.3);
});
