export { reportOfDecision } from './decision-report.ts';
export { findDecision, listDecisions } from './decisions.queries.ts';
export { decisionRoutes } from './decisions.routes.ts';
export { getDecisionOutcome } from './outcome.service.ts';
export { type LineStage, readStages } from './stages.queries.ts';
