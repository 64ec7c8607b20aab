import { programmePlansApi } from '@heterosis/contracts/endpoints/work/programme-plans';
import { bind } from '../../../platform/http/bind.ts';
import { getPlanOutcome } from './plan-outcome.service.ts';
import * as plans from './programme-plans.service.ts';
import { keepStepList } from './step-lists.service.ts';

export const programmePlanRoutes = bind(programmePlansApi, { ...plans, keepStepList, getPlanOutcome });
