import { reportsApi } from '@heterosis/contracts/endpoints/work/reports';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import type { RunKindDefinition } from '../runs/kind/index.ts';
import { reportDecision, reportProject, reportTrial } from './reports.service.ts';

/** Reports of what is no run; those of runs are with their kinds. */
export const reportRoutes = (definitions: readonly RunKindDefinition[]): FeatureRoutes =>
  bind(reportsApi, { reportProject, reportTrial, reportDecision }, { definitions });
