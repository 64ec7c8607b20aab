export { announceEnd } from './ending/announce-end.ts';
export { type ErrorExtra, errorExtraOf, inputGone, ofCancellation, ofFailure } from './ending/error-extra.ts';
export { mailEndOfRun, type Outcome, outcomeOfTraits, reasonInWords } from './ending/run-mail.ts';
export { sendRunMailRegistration } from './ending/send-run-mail.handler.ts';
export { sendRunMailJob } from './jobs.ts';
export {
  csvUrl,
  itemOfOneStep,
  outcomeOfOneStep,
  restartOneStep,
  resultFiles,
  storeOneStep,
} from './kinds/one-step.ts';
export {
  findNamedRun,
  inputIdsOf,
  nameContains,
  type RowOf,
  rolesOf,
  selectionOf,
} from './kinds/run-kind.queries.ts';
export { registerRunKindRoutes, withId } from './kinds/run-kind.routes.ts';
export {
  createNamedRun,
  endAsDeleted,
  failNamedRun,
  getNamedRun,
  goneInput,
  readNamedRun,
  requireInputs,
  restartRun,
  runEvent,
  startStep,
  tellEndOfNamedRun,
  type WorkReference,
} from './kinds/run-kind.service.ts';
export {
  type IndividualValue,
  type NamedRunRow,
  type RunInputs,
  type RunKindDefinition,
  referenceTo,
} from './kinds/run-kind.ts';
export { type RunsOnInput, runsOnInput } from './kinds/runs-on-input.ts';
export { type Division, type PartStep, registerWorkInParts } from './kinds/work-in-parts.ts';
export { type RunWorkerServices, registerWork } from './kinds/work-on-run.ts';
export { type Bundle, makeBundle, sendBundle } from './results/bundle.ts';
export {
  byTrait,
  failedTraits,
  itemOfTraits,
  requireResultKey,
  requireTraitRow,
  traitFiles,
  urlsByTrait,
} from './results/by-trait.ts';
export { leftOutFile, leftOutInWords, leftOutOfRun } from './results/left-out.ts';
export { provenanceOf } from './results/provenance.ts';
export { BIN_DAYS, endRunsOfDeletedProjects, sweepBin } from './sweeping/sweep-bin.ts';
export { sweepLostRuns } from './sweeping/sweep-lost-runs.ts';
export { deleteLeftovers, sweepRuns } from './sweeping/sweep-runs.ts';
export { sweepScratch } from './sweeping/sweep-scratch.ts';
export { putResults, withAttempt } from './working/attempt.ts';
export { createProgressWriter, progressOf } from './working/progress.ts';
export { runMetrics } from './working/run-metrics.ts';
export {
  attachJob,
  cancelRuns,
  failRun,
  findLatestRuns,
  findOrganizationOfProject,
  findRequest,
  finishRun,
  hasAttachedJob,
  isCurrentRun,
  type Run,
  type RunRequestedBy,
  requeueRun,
  setRunParameters,
  showAwaited,
  takeUpRun,
} from './working/runs.queries.ts';
export { enqueueRun, startRun } from './working/start-run.ts';
export { withWorkDirectory, workRoot } from './working/work-directory.ts';
