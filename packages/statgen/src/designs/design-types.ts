import type { PlaceModel } from './place-model.ts';

export const DESIGN_NAMES = [
  'crd',
  'rcbd',
  'alpha',
  'row-column',
  'p-rep',
  'augmented',
  'diagonal',
  'split-plot',
  'sparse',
] as const;

export type DesignName = (typeof DESIGN_NAMES)[number];

/** A line that is to be grown. */
export interface DesignEntry {
  name: string;
  /** Plots at each place (`sparse`: places), where entries differ in that. */
  replicates?: number;
  /** Lines of a family are kept apart. */
  family?: string;
}

export interface GridPlace {
  /** From 1. */
  row: number;
  column: number;
}

/** The field of every place, as it lies on the map. */
export interface FieldRequest {
  rows?: number;
  columns?: number;
  /** Cells without a plot. */
  holes: readonly GridPlace[];
  /** Which sides of the field are borders. */
  borders: 'none' | 'rows' | 'columns' | 'all';
  /** Corner of the first plot. */
  start: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';
  /** What is walked along from there. */
  along: 'rows' | 'columns';
  /** Whether every second row is numbered backwards. */
  numbering: 'serpentine' | 'plain';
}

export interface DesignRequest {
  design: DesignName;
  entries: readonly DesignEntry[];
  /** Names among the entries. */
  checks: readonly string[];
  /** Plots of every entry at a place; `p-rep`: of a replicated one; `sparse`: places of every entry. */
  replicates?: number;
  blockSize?: number;
  /** Of `row-column`: what holds every entry once. */
  resolvable: 'rows' | 'columns' | 'both';
  /** Of `split-plot`: treatments of whole plots; empty: the families are the whole plots. */
  mainPlots: readonly string[];
  places: number;
  field: FieldRequest;
  /**
   * Where checks stand in what holds a number of them (the field of `crd`, `diagonal` and `sparse`, blocks of
   * `augmented`, parts of `p-rep`, whole plots, replicates): anywhere, on diagonals where the design has them, evenly
   * apart, or in these cells.
   */
  checkPlaces: 'random' | 'spread' | readonly GridPlace[];
  /** Relationship of the entries of `sparse`, n × n in their order; absent: families, or unrelated. */
  kinship?: Float64Array;
  /** Of `sparse`: variance of plots (and of lines × places) over that of lines, where places are alike. */
  varianceRatio: number;
  /** Of `sparse`: what a series has estimated of the places; absent: they are alike. */
  placeModel?: PlaceModel;
  /** Of `sparse`: what the allocation is chosen by. */
  criterion: 'cdmean' | 'pev';
  seed: number;
  /** How long plots are exchanged, relative to the usual; 0 leaves the random start. */
  effort: number;
}

export type PlotKind = 'entry' | 'check' | 'filler' | 'border';

export interface DesignedPlot {
  /** From 0. */
  place: number;
  /** From 1 in each place, in walking order. */
  number: number;
  /** On the map, from 1. */
  row: number;
  column: number;
  /** From 1; null where the design has none. */
  replicate: number | null;
  /** From 1 within the place; null where the design has none. */
  block: number | null;
  /** Index of the entry; null for fillers and borders. */
  entry: number | null;
  kind: PlotKind;
  /** Treatment of the whole plot; null but for split plots. */
  mainPlot: string | null;
}

/** How often pairs meet: `counts[k]` pairs meet k times. */
export interface Concurrences {
  min: number;
  max: number;
  mean: number;
  counts: number[];
}

/** Figures of the design at one place. */
export interface PlaceFigures {
  rows: number;
  columns: number;
  entries: number;
  plots: number;
  fillers: number;
  /**
   * Average efficiency factor: average variance of a difference of two lines without blocks over that with the blocks
   * of the design, residual variance alike. Null where lines are not connected, or too many to be inverted.
   */
  efficiency: number | null;
  /** What no design of this size exceeds; null where no bound is known. */
  upperBound: number | null;
  /** Of pairs of lines in the blocks (rows, columns) of the design. */
  concurrences: Record<string, Concurrences>;
  /** Pairs of adjacent plots in a row or column. */
  neighbours: { sameEntry: number; sameFamily: number };
  /** Pairs of plots of one line in one row or column of the field. */
  shared: { rows: number; columns: number };
}

/** Figures of the allocation of lines to places. */
export interface AllocationFigures {
  /** Lines at each place, checks apart. */
  lines: number[];
  /** Places that two lines share. */
  lineConcurrences: Concurrences;
  /** Lines that two places share. */
  placeConcurrences: Concurrences;
  /**
   * Mean coefficient of determination of the contrasts of a line with the mean of all (Rincent et al. 2012); null, as
   * the two below, for more than 2,000 lines.
   */
  cdMean: number | null;
  /** Mean prediction error variance of these contrasts, relative to the variance of lines. */
  pevMean: number | null;
  /** √cdMean. */
  expectedAccuracy: number | null;
}

export interface Design {
  plots: DesignedPlot[];
  places: PlaceFigures[];
  /** Null unless lines are allocated to places. */
  allocation: AllocationFigures | null;
}
