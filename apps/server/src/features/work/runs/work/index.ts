export { beginRun } from './begin-run.ts';
export type { Entity } from './entity.ts';
export { type ErrorExtra, ofCancellation, RunError } from './error-extra.ts';
export { progressOf } from './progress.ts';
export {
  cancelRuns,
  findLatestRuns,
  type Run,
} from './runs.queries.ts';
export { sendRunMailRegistration } from './send-run-mail.handler.ts';
export { tellEnd } from './tell-end.ts';
export type { Division, PartStep } from './work-in-parts.ts';
export { registerWorkOn } from './work-on.ts';
