export { BIN_DAYS, endRunsOfDeletedProjects, sweepBin } from './sweep-bin.ts';
export { sweepLostRuns } from './sweep-lost-runs.ts';
export { sweepRuns } from './sweep-runs.ts';
export { sweepScratch } from './sweep-scratch.ts';
