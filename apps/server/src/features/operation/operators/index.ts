export { listQueueDepths } from './operation.queries.ts';
export { operationRoutes } from './operation.routes.ts';
export {
  changeQuotas,
  findOrganizationToOperate,
  listOperatedMails,
  listOperatedOrganizations,
  listRunsToRepeat,
  type Repeatable,
  repeatFailedMail,
  repeatFailedRun,
} from './operation.service.ts';
export { runMetrics } from './run-metrics.ts';
