import type { Endpoints } from '../../endpoint.ts';
import { STACK_OPTIONS, STACK_OUTPUTS } from '../../options/stacking.ts';
import {
  createStackingPlanBody,
  listStackingPlansQuery,
  stackingPlan,
  stackingPlanDetail,
} from '../../work/stacking-plans.ts';
import type { RunContract } from './run-contract.ts';
import { runEndpoints } from './run-endpoints.ts';

export const stackingPlansApi = {
  ...runEndpoints('stacking_plan', {
    item: stackingPlan,
    detail: stackingPlanDetail,
    list: { summary: 'List stacking plans, newest first', query: listStackingPlansQuery },
    create: { summary: 'Plan how target loci of several donors come into one line', body: createStackingPlanBody },
  }),
} as const satisfies Endpoints;

export const stackingPlansContract: RunContract<typeof stackingPlansApi, typeof STACK_OPTIONS> = {
  endpoints: stackingPlansApi,
  options: STACK_OPTIONS,
  outputs: STACK_OUTPUTS,
  asked: { title: 'Stacking', commands: ['stack'], dialog: 'Stack target loci' },
};
