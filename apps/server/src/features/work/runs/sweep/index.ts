export { sweepAllRuns } from './sweep-all-runs.ts';
export { BIN_DAYS, sweepBin } from './sweep-bin.ts';
