import { parentageChecksApi } from '@heterosis/contracts/endpoints/work/parentage-checks';
import { bind } from '../../../platform/http/bind.ts';
import { runHandlers } from '../runs/kind/index.ts';
import { parentageChecks } from './parentage-check.kind.ts';
import { createParentageCheck, getParentageResults } from './parentage-checks.service.ts';

export const parentageCheckRoutes = bind(parentageChecksApi, {
  ...runHandlers(parentageChecks),
  createRun: createParentageCheck,
  getParentageResults,
});
