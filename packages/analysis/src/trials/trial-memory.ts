/** The process with its libraries, its tables and results. */
const BASE_MB = 120;
/**
 * Matrices of all plots in double precision that a model with correlated neighbours holds at once: all models of 2,000
 * plots and 1,000 lines took 340 MB.
 */
const MATRICES = 8;

/** Memory that all models of a trial take, one after the other, in MB. */
export const trialMemoryMb = (plots: number): number => BASE_MB + (8 * MATRICES * plots ** 2) / 1e6;
