export { sweepAllRuns } from './sweep-all-runs.ts';
export { sweepBin } from './sweep-bin.ts';
