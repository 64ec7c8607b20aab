import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';

/** A factor of the plots: replicates, blocks, rows. */
export interface PlotFactor {
  /** Name of its variance or effects: `replicates`, `blocks`, `rows`. */
  name: string;
  /** n values, 0 … levels − 1. */
  codes: Int32Array;
  levels: number;
}

export interface PlotCovariate {
  name: string;
  /** n values; NaN = missing. */
  values: Float64Array;
}

/** One trial and trait: n plots, with or without a value. */
export interface TrialPlots {
  lines: string[];
  /** Place in `lines`, one a plot. */
  line: Int32Array;
  /** NaN = no value. */
  values: Float64Array;
  /** Coordinates of one field, finite and no two plots alike; null without. */
  places: { rows: Float64Array; columns: Float64Array } | null;
  /** Fixed factors, covariates of all models, and random factors of the models of blocks. */
  fixed: PlotFactor[];
  covariates: PlotCovariate[];
  random: PlotFactor[];
  /** Rows and columns as factors; of each replicate where they start again in it. Empty without coordinates. */
  grid: PlotFactor[];
  /** Lines that are fixed effects where the others are random; 1 = check, one flag a line. */
  checks: Uint8Array | null;
}

/** Places of the plots that have all that a model needs: a value, and a value of every covariate. */
export function usedPlots({ values, covariates }: TrialPlots): Int32Array {
  const places: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i]) && covariates.every((covariate) => Number.isFinite(covariate.values[i])))
      places.push(i);
  }
  return Int32Array.from(places);
}

/** The levels of a factor that some plots have, numbered in the order of their first plot. */
export function factorOf({ name, codes }: Pick<PlotFactor, 'name' | 'codes'>, used: Int32Array): PlotFactor {
  const known = new Map<number, number>();
  const compact = Int32Array.from(used, (plot) => {
    const code = codes[plot];
    const level = known.get(code) ?? known.size;
    known.set(code, level);
    return level;
  });
  return { name, codes: compact, levels: known.size };
}

/** Indicator columns of the levels, from the `first` on. */
export function indicators({ codes, levels }: PlotFactor, first: number): Matrix {
  const n = codes.length;
  const result = createMatrix(n, Math.max(0, levels - first));
  for (let i = 0; i < n; i++) if (codes[i] >= first) result.data[i + (codes[i] - first) * n] = 1;
  return result;
}

/** True when two factors put the same plots together. */
export function samePartition(a: PlotFactor, b: PlotFactor): boolean {
  if (a.levels !== b.levels) return false;
  const to = new Int32Array(a.levels).fill(-1);
  for (let i = 0; i < a.codes.length; i++) {
    if (to[a.codes[i]] < 0) to[a.codes[i]] = b.codes[i];
    else if (to[a.codes[i]] !== b.codes[i]) return false;
  }
  return true;
}
