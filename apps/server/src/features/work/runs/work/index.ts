export { beginRun } from './begin-run.ts';
export type { Entity } from './entity.ts';
export { type ErrorExtra, RunError } from './error-extra.ts';
export { sendRunMailJob } from './jobs.ts';
export { progressOf } from './progress.ts';
export { runMetrics } from './run-metrics.ts';
export {
  cancelRuns,
  findLatestRuns,
  type Run,
  setRunParameters,
} from './runs.queries.ts';
export { sendRunMailRegistration } from './send-run-mail.handler.ts';
export type { ComputeStep, RunWorkerServices } from './take-up.ts';
export { tellEnd } from './tell-end.ts';
export { type Division, FurtherParts, type PartStep } from './work-in-parts.ts';
export { registerWorkOn } from './work-on.ts';
