export { putResults, withAttempt } from './attempt.ts';
export { type Bundle, makeBundle, sendBundle } from './bundle.ts';
export { byTrait, requireResultKey, requireTraitRow, traitFiles, urlsByTrait } from './by-trait.ts';
export { type ErrorExtra, errorExtraOf, inputGone, ofCancellation, ofFailure } from './error-extra.ts';
export { inProject, registerNamedRunRoutes, withId } from './named-run.routes.ts';
export { type NamedRuns, referenceTo } from './named-run.ts';
export {
  createNamedRun,
  endAsDeleted,
  failNamedRun,
  getNamedRun,
  mailEndOfNamedRun,
  pageOfRuns,
  readNamedRun,
  runEvent,
  runsOnInput,
} from './named-runs.service.ts';
export { createProgressWriter, progressOf } from './progress.ts';
export { provenanceOf } from './provenance.ts';
export { mailEndOfRun, type Outcome, outcomeOfTraits, reasonInWords } from './run-mail.ts';
export { runMetrics } from './run-metrics.ts';
export {
  attachJob,
  cancelRuns,
  failRun,
  findLatestRuns,
  findRequest,
  finishRun,
  hasAttachedJob,
  isCurrentRun,
  isReadByRuns,
  type Run,
  type RunRequestedBy,
  requeueRun,
  setRunParameters,
  takeUpRun,
} from './runs.queries.ts';
export { sendRunMailRegistration } from './send-run-mail.handler.ts';
export { startRun } from './start-run.ts';
export { BIN_DAYS, endRunsOfDeletedProjects, sweepBin } from './sweep-bin.ts';
export { sweepLostRuns } from './sweep-lost-runs.ts';
export { deleteLeftovers, sweepRuns } from './sweep-runs.ts';
export { withWorkDirectory, workRoot } from './work-directory.ts';
