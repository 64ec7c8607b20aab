import { pathId } from '@heterosis/contracts/common';
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
import { requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers } from '../../../platform/http/project-routes.ts';
import { nameContains, registerRunKindRoutes, withId } from '../runs/kind/index.ts';
import { getCross, getProgeny, getResults } from './crossing-results.service.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import { createCrossingSimulation } from './crossing-simulations.service.ts';

export const crossingSimulationRoutes: FeatureRoutes = (app, services) => {
  registerRunKindRoutes(app, services, crossingSimulations, {
    item: crossingSimulation,
    detail: crossingSimulationDetail,
    list: {
      summary: 'List crossing simulations, newest first',
      query: listCrossingSimulationsQuery,
      conditions: ({ crossing_simulation_name: name }) => (name === undefined ? [] : [nameContains('one', name)]),
    },
    create: {
      summary: 'Evaluate and simulate the crosses of a crossing table',
      body: createCrossingSimulationBody,
      create: createCrossingSimulation,
    },
  });
  app.get(
    '/projects/:project_id/crossing_simulations/:id/results',
    {
      config: forProjectMembers,
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
      config: forProjectMembers,
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
      config: forProjectMembers,
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
