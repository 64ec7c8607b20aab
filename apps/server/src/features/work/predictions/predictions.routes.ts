import {
  createPredictionBody,
  factorial,
  factorialQuery,
  listPredictionsQuery,
  prediction,
  predictionDetail,
  predictionResults,
  predictionResultsQuery,
} from '@heterosis/contracts/predictions';
import { sql } from 'kysely';
import { requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { COSTLY } from '../../../platform/http/costly.ts';
import { forProjectMembers } from '../../../platform/http/project-routes.ts';
import { nameContains, registerRunKindRoutes, withId } from '../runs/kind/index.ts';
import { getFactorial } from './factorial.service.ts';
import { predictions } from './prediction.kind.ts';
import { getResults } from './prediction-results.service.ts';
import { createPrediction } from './predictions.service.ts';

export const predictionRoutes: FeatureRoutes = (app, services) => {
  registerRunKindRoutes(app, services, predictions, {
    item: prediction,
    detail: predictionDetail,
    list: {
      summary: 'List predictions, newest first',
      query: listPredictionsQuery,
      conditions: ({ model_name, model_genotype_id, model_phenotype_id }) => [
        ...(model_name === undefined ? [] : [nameContains('model', model_name)]),
        ...(model_genotype_id === undefined ? [] : [sql<boolean>`model.genotype_id = ${model_genotype_id}`]),
        ...(model_phenotype_id === undefined ? [] : [sql<boolean>`model.phenotype_id = ${model_phenotype_id}`]),
      ],
    },
    create: {
      summary: 'Predict a genotype with a trained model',
      body: createPredictionBody,
      create: createPrediction,
    },
  });
  app.get(
    '/projects/:project_id/predictions/:id/results',
    {
      config: forProjectMembers,
      schema: {
        summary: 'Predicted values, page by page',
        params: withId,
        querystring: predictionResultsQuery,
        response: { 200: predictionResults },
      },
    },
    async (request) => getResults(services, requireProjectAccess(request), request.params.id, request.query),
  );
  app.get(
    '/projects/:project_id/predictions/:id/factorial',
    {
      config: { ...forProjectMembers, ...COSTLY },
      schema: {
        summary: 'Predicted hybrids by their parents',
        params: withId,
        querystring: factorialQuery,
        response: { 200: factorial },
      },
    },
    async (request) => getFactorial(services, requireProjectAccess(request), request.params.id, request.query),
  );
};
