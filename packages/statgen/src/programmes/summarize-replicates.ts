import { meanOf } from './statistics.ts';

/** What a value is of. */
export interface ProgrammeKey {
  cycle: number;
  stage: string;
  quantity: string;
}

/** A quantity over replicates. */
export interface ProgrammeRow extends ProgrammeKey {
  mean: number;
  /** Denominator replicates − 1; NaN for one replicate. */
  sd: number;
  /** Standard error of the mean, sd/√replicates. */
  se: number;
  /** Replicates in which the quantity exists. */
  replicates: number;
}

/**
 * Rows over replicates, sorted by cycle and within it in the order of the keys.
 *
 * @param replicates the values of each, in the order of the keys; NaN where a quantity does not exist
 */
export function summarizeReplicates(
  keys: readonly ProgrammeKey[],
  replicates: readonly Float64Array[],
): ProgrammeRow[] {
  const rows = keys.map((key, k) => {
    const values = replicates.map((one) => one[k]).filter((value) => !Number.isNaN(value));
    const n = values.length;
    const mean = meanOf(values);
    const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
    return { ...key, mean, sd, se: sd / Math.sqrt(n), replicates: n };
  });
  return rows.sort((a, b) => a.cycle - b.cycle);
}
