import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';
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
} from '../../work/crossing-simulations.ts';
import { traitQuery } from '../../work/runs.ts';
import { runEndpoints } from './run-endpoints.ts';

export const crossingSimulationsApi = {
  ...runEndpoints('crossing_simulation', {
    item: crossingSimulation,
    detail: crossingSimulationDetail,
    list: { summary: 'List crossing simulations, newest first', query: listCrossingSimulationsQuery },
    create: { summary: 'Evaluate and simulate the crosses of a crossing table', body: createCrossingSimulationBody },
  }),
  getResults: get('/projects/:project_id/crossing_simulations/:id/results', PROJECT_MEMBER, {
    summary: 'Figures of the crosses for one trait, page by page',
    query: crossingResultsQuery,
    answer: crossingResults,
    table: true,
  }),
  getCross: get('/projects/:project_id/crossing_simulations/:id/crosses/:place', PROJECT_MEMBER, {
    summary: 'How the simulated progeny of one cross are distributed',
    query: traitQuery,
    answer: crossDetail,
  }),
  getProgeny: get('/projects/:project_id/crossing_simulations/:id/progeny', PROJECT_MEMBER, {
    summary: 'The best simulated progeny, of all crosses or of one',
    query: progenyQuery,
    answer: progenyList,
  }),
} as const satisfies Endpoints;
