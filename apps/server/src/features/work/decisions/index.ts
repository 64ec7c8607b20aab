export { reportOfDecision } from './decision-report.ts';
export { listDecisions } from './decisions.queries.ts';
export { decisionRoutes } from './decisions.routes.ts';
export { type LineStage, readStages } from './stages.queries.ts';
