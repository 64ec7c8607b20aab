// Kinships and fixed effects from their definitions.
import { plainBasis } from '@heterosis/statgen/association/plain-association.test-data';
import { createMatrix, type Matrix } from '@heterosis/statgen/linear-algebra';
import { callRateOf, mafOf } from './leave-out.test-data.ts';
import { dot, type Rows } from './mixed-model.test-data.ts';
import { type DensePanel, type DensePhenotype, indexes } from './world.test-data.ts';

export interface MarkerLimits {
  maf: number;
  callRate: number;
}

/** Markers with at least this allele frequency and call rate and two alleles, among the individuals of the panel. */
export function markersWithin(panel: DensePanel, { maf, callRate }: MarkerLimits): number[] {
  return indexes(panel.markers.length).filter(
    (j) => mafOf(panel, j) > 0 && mafOf(panel, j) >= maf - 1e-12 && callRateOf(panel, j) >= callRate - 1e-12,
  );
}

/** Deviations of dosages from their mean, 0 where a call is missing. */
export function centredDosages({ markers }: DensePanel, j: number): { values: number[]; mean: number } {
  const called = markers[j].dosages.filter((dosage) => dosage !== null);
  const mean = called.reduce((sum, dosage) => sum + dosage, 0) / called.length;
  return { mean, values: markers[j].dosages.map((dosage) => (dosage === null ? 0 : dosage - mean)) };
}

/** VanRaden's first or second kinship of some markers, without a divisor: that is returned beside it. */
export function kinshipSum(
  panel: DensePanel,
  places: readonly number[],
  method: 'vanraden1' | 'standardized',
): { sum: Rows; divisor: number } {
  const n = panel.individuals.length;
  const sum: Rows = indexes(n).map(() => indexes(n).map(() => 0));
  let divisor = method === 'standardized' ? -1 : 0;
  for (const j of places) {
    const { values, mean } = centredDosages(panel, j);
    const variance = mean * (1 - mean / 2);
    divisor += method === 'standardized' ? 1 : variance;
    const scale = method === 'standardized' ? 1 / variance : 1;
    for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) sum[i][k] += scale * values[i] * values[k];
  }
  return { sum, divisor };
}

export function kinshipOf(panel: DensePanel, places: readonly number[], method: 'vanraden1' | 'standardized'): Rows {
  const { sum, divisor } = kinshipSum(panel, places, method);
  return sum.map((row) => row.map((value) => value / divisor));
}

/** Eigenvectors of the largest eigenvalues, as columns. */
export function leadingAxes(kinship: Rows, count: number): number[][] {
  const n = kinship.length;
  const { vectors } = plainBasis(matrixOfColumns(kinship));
  return indexes(count).map((k) => Array.from(vectors.data.subarray((n - 1 - k) * n, (n - k) * n)));
}

/** A covariate of the options: its name, and `:factor` or `:numeric`. */
export function covariateColumns(
  { individuals, columns }: DensePhenotype,
  choice: string,
  names: readonly string[],
): number[][] {
  const [name, kind] = choice.split(':');
  const values = names.map((one) => columns.get(name ?? '')?.[individuals.indexOf(one)] ?? null);
  const isFactor = kind === 'factor' || (kind === undefined && values.some((value) => typeof value === 'string'));
  if (!isFactor) return [values.map(Number)];
  const groups = [...new Set(values)].filter((value) => value !== null).sort();
  return groups.slice(1).map((group) => values.map((value) => Number(value === group)));
}

/** The columns that are independent of those before them. */
export function independent(columns: readonly number[][]): number[][] {
  const kept: number[][] = [];
  const axes: number[][] = [];
  for (const values of columns) {
    const rest = [...values];
    for (let pass = 0; pass < 2; pass++) {
      for (const axis of axes) {
        const part = dot(axis, rest);
        for (const [i, value] of axis.entries()) rest[i] -= part * value;
      }
    }
    const length = Math.sqrt(dot(rest, rest));
    if (length <= 1e-8 * Math.sqrt(dot(values, values))) continue;
    axes.push(rest.map((value) => value / length));
    kept.push(values);
  }
  return kept;
}

export const ones = (n: number): number[] => indexes(n).map(() => 1);

export function matrixOfColumns(columns: readonly (readonly number[])[]): Matrix {
  const matrix = createMatrix(columns[0].length, columns.length);
  for (const [k, values] of columns.entries()) matrix.data.set(values, k * values.length);
  return matrix;
}
