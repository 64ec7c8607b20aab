import * as z from 'zod';
import { file } from '../../data/files.ts';
import { type Endpoints, get, PROJECT_MEMBER, post } from '../../endpoint.ts';
import {
  createTrialAnalysisBody,
  listTrialAnalysesQuery,
  suspectPlots,
  trialAnalysis,
  trialAnalysisDetail,
  trialFieldQuery,
  trialLine,
  trialMeans,
  trialMeansQuery,
  trialPhenotypeBody,
  trialPlots,
  trialSeries,
  trialSeriesQuery,
  trialStrips,
  trialsQuery,
  trialVariogram,
} from '../../work/trial-analyses.ts';
import { runEndpoints } from './run-endpoints.ts';

export const trialAnalysesApi = {
  ...runEndpoints('trial_analysis', {
    item: trialAnalysis,
    detail: trialAnalysisDetail,
    list: { summary: 'List trial analyses, newest first', query: listTrialAnalysesQuery },
    create: { summary: 'Analyse field trials', body: createTrialAnalysisBody },
  }),
  getTrials: get('/projects/:project_id/trial_analyses/:id/trials', PROJECT_MEMBER, {
    summary: 'The trials of a trait: models, heritabilities, variances, suspicions',
    query: trialsQuery,
    answer: trialStrips,
  }),
  getPlots: get('/projects/:project_id/trial_analyses/:id/plots', PROJECT_MEMBER, {
    summary: 'The plots of a field: values, fitted values, trend and residuals',
    query: trialFieldQuery,
    answer: trialPlots,
  }),
  getVariogram: get('/projects/:project_id/trial_analyses/:id/variogram', PROJECT_MEMBER, {
    summary: 'Semivariances of the residuals of a field by distance',
    query: trialFieldQuery,
    answer: trialVariogram,
  }),
  getMeans: get('/projects/:project_id/trial_analyses/:id/means', PROJECT_MEMBER, {
    summary: 'Means and BLUPs of the lines, page by page',
    query: trialMeansQuery,
    answer: trialMeans,
    table: true,
  }),
  getSeries: get('/projects/:project_id/trial_analyses/:id/series', PROJECT_MEMBER, {
    summary: 'All trials of a trait together: genetic correlations, factors, performance and stability',
    query: trialSeriesQuery,
    answer: trialSeries,
  }),
  getLine: get('/projects/:project_id/trial_analyses/:id/lines/:name', PROJECT_MEMBER, {
    summary: 'A line in every environment',
    params: { name: z.string().min(1).max(255) },
    query: trialSeriesQuery,
    answer: trialLine,
  }),
  getSuspectPlots: get('/projects/:project_id/trials/:id/suspect_plots', PROJECT_MEMBER, {
    summary: 'What the newest analyses of a trial find wrong with its plots',
    description: 'By trait: outliers, suspicions of the map, and plots that were set aside.',
    answer: suspectPlots,
  }),
  makePhenotype: post('/projects/:project_id/trial_analyses/:id/phenotype', PROJECT_MEMBER, {
    summary: 'Make a phenotype file of the means, with their covariance',
    body: trialPhenotypeBody,
    answer: file,
    status: 201,
  }),
} as const satisfies Endpoints;
