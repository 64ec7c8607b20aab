import { modelsApi } from '@heterosis/contracts/endpoints/work/models';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import { type RunsOnInput, runHandlers } from '../runs/kind/index.ts';
import { models } from './model.kind.ts';
import * as results from './model-results.service.ts';
import { createModel } from './models.service.ts';

/** `consumers` are the kinds of run that take models as inputs. */
export const modelRoutes = (consumers: readonly RunsOnInput[]): FeatureRoutes =>
  bind(modelsApi, {
    ...runHandlers(models, {
      // Results made with the model are kept; runs that still need it end with an error that says why.
      endConsumers: async ({ services, access }, trx, id) => {
        const stopped = [];
        for (const kind of consumers) stopped.push(...(await kind.endRunsOf(services, trx, access.projectId, id)));
        return stopped;
      },
    }),
    createRun: createModel,
    ...results,
  });
