import { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import { bind } from '../../../platform/http/bind.ts';
import * as closing from './closing.service.ts';
import * as decisions from './decisions.service.ts';
import * as marks from './marks.service.ts';
import { getDecisionOutcome } from './outcome.service.ts';

export const decisionRoutes = bind(decisionsApi, { ...decisions, ...marks, ...closing, getDecisionOutcome });
