export { parentageChecks } from './parentage-check.kind.ts';
export { parentageCheckRoutes } from './parentage-checks.routes.ts';
export { createParentageCheck } from './parentage-checks.service.ts';
export { parentageCheckJobRegistrations } from './run-parentage-check.handler.ts';
