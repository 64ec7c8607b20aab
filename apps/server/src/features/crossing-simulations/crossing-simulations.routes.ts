import { page, pathId } from '@heterosis/contracts/common';
import {
  createCrossingSimulationBody,
  crossDetail,
  crossingResults,
  crossingResultsQuery,
  crossingSimulation,
  crossingSimulationDetail,
  listCrossingSimulationsQuery,
  progenyList,
  progenyQuery,
} from '@heterosis/contracts/crossing-simulations';
import { traitQuery } from '@heterosis/contracts/runs';
import { requirePrincipal, requireProjectAccess } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { inProject, registerNamedRunRoutes, withId } from '../runs/index.ts';
import { getCross, getProgeny, getResults } from './crossing-results.service.ts';
import {
  createCrossingSimulation,
  crossingSimulations,
  listCrossingSimulations,
} from './crossing-simulations.service.ts';

const config = { guard: { project: 'MEMBER' } } as const;

export const crossingSimulationRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/projects/:project_id/crossing_simulations',
    {
      config,
      schema: {
        summary: 'List crossing simulations, newest first',
        params: inProject,
        querystring: listCrossingSimulationsQuery,
        response: { 200: page(crossingSimulation) },
      },
    },
    async (request) => listCrossingSimulations(services, requireProjectAccess(request), request.query),
  );
  app.post(
    '/projects/:project_id/crossing_simulations',
    {
      config,
      schema: {
        summary: 'Evaluate and simulate the crosses of a crossing table',
        params: inProject,
        body: createCrossingSimulationBody,
        response: { 201: crossingSimulationDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(
          await createCrossingSimulation(
            services,
            requireProjectAccess(request),
            requirePrincipal(request),
            request.body,
          ),
        ),
  );
  registerNamedRunRoutes(app, services, crossingSimulations, { detail: crossingSimulationDetail });
  app.get(
    '/projects/:project_id/crossing_simulations/:id/results',
    {
      config,
      schema: {
        summary: 'Figures of the crosses for one trait, page by page',
        params: withId,
        querystring: crossingResultsQuery,
        response: { 200: crossingResults },
      },
    },
    async (request) => getResults(services, requireProjectAccess(request), request.params.id, request.query),
  );
  app.get(
    '/projects/:project_id/crossing_simulations/:id/crosses/:place',
    {
      config,
      schema: {
        summary: 'How the simulated progeny of one cross are distributed',
        params: withId.extend({ place: pathId }),
        querystring: traitQuery,
        response: { 200: crossDetail },
      },
    },
    async (request) =>
      getCross(services, requireProjectAccess(request), request.params.id, {
        place: request.params.place,
        ...request.query,
      }),
  );
  app.get(
    '/projects/:project_id/crossing_simulations/:id/progeny',
    {
      config,
      schema: {
        summary: 'The best simulated progeny, of all crosses or of one',
        params: withId,
        querystring: progenyQuery,
        response: { 200: progenyList },
      },
    },
    async (request) => getProgeny(services, requireProjectAccess(request), request.params.id, request.query),
  );
};
