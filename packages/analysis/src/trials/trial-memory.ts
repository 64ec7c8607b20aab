/** The process with its libraries, its tables and results. */
const BASE_MB = 200;
/** Matrices of all plots in double precision that a model with correlated neighbours holds at once. */
const MATRICES = 8;

/** Memory that all models of a trial take, one after the other, in MB. */
export const trialMemoryMb = (plots: number): number => BASE_MB + (8 * MATRICES * plots ** 2) / 1e6;
