export { failNamedRun, registerWork, registerWorkInParts } from './kind-work.ts';
export { oneStep } from './one-step.ts';
export { runHandlers } from './run-kind.handlers.ts';
export { findNamedRun, inputIdsOf, nameContains, type RowOf, rolesOf, selectionOf } from './run-kind.queries.ts';
export {
  beginStep,
  createNamedRun,
  endAsDeleted,
  getNamedRun,
  readNamedRun,
  repeatRun,
  requireInputs,
} from './run-kind.service.ts';
export { type NamedRunRow, type RunInputs, type RunKindDefinition, referenceTo } from './run-kind.ts';
export { type RunsOnInput, runsOnInput } from './runs-on-input.ts';
