import type { TrialPlots, TrialStrips, TrialVariogram } from '@heterosis/contracts/work/trial-analyses';

// What the jobs of an analysis store for each other and for the pages.

/** Names of the files of a trial that the last job reads, by the place of the trial among all. */
export const trialName = (place: number, table: 'record' | 'field' | 'means' | 'covariance' | 'plots'): string =>
  `trial-${place}-${table}`;

/** A field as its page reads it. */
export interface StoredField {
  plots: TrialPlots;
  variogram: TrialVariogram;
}

/** Where the bytes of a trial lie in a file of all; null where the trial was left out. */
export type ByteRange = { offset: number; length: number } | null;

/** The strips of a trait, and where field and covariance of each trial lie in the files of them. */
export interface StoredTrials extends TrialStrips {
  fields: ByteRange[];
  covariances: ByteRange[];
  /** Why the means of all environments could not be joined. */
  notJoined: string | null;
}
