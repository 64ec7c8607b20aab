export type { KindOfRun } from './kind-of-run.ts';
export { registerWait, registerWork, registerWorkInParts } from './kind-work.ts';
export { oneStep } from './one-step.ts';
export { runHandlers } from './run-kind.handlers.ts';
export { findNamedRun, listNamedRuns, type RowOf, rolesOf, selectionOf } from './run-kind.queries.ts';
export {
  beginStep,
  createNamedRun,
  endAsDeleted,
  getNamedRun,
  repeatRun,
  reportNamedRun,
} from './run-kind.service.ts';
export { inputs, type RunKindDefinition } from './run-kind.ts';
export { type RunsOnInput, runsOnInput } from './runs-on-input.ts';
