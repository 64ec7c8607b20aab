import * as z from 'zod';
import { page, pageQuery } from '../../common.ts';
import { file } from '../../data/files.ts';
import {
  judgedObservations,
  keepBody,
  listObservationsQuery,
  observationsOfTrait,
  plotHistory,
  recordedObservations,
  recordObservationsBody,
  setAsideBody,
  settleConflictsBody,
  settleStagedBody,
  stagedObservations,
  trialCompleteness,
  trialConflicts,
} from '../../data/trial-observations.ts';
import {
  createTrialsBody,
  entriesReading,
  exportMiappeQuery,
  listTrialsQuery,
  matchEntriesBody,
  matchedEntries,
  openFileBody,
  replaceLayoutBody,
  swapPlotsBody,
  trial,
  trialEvent,
  trialPlots,
  trials,
  updateTrialBody,
} from '../../data/trials.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';

export const trialsApi = {
  listTrials: get('/projects/:project_id/trials', PROJECT_MEMBER, {
    summary: 'Trials, the newest first',
    query: listTrialsQuery,
    answer: page(trial),
  }),
  createTrials: post('/projects/:project_id/trials', PROJECT_MEMBER, {
    summary: 'Lay out trials, one a place',
    description: 'All or none. Lines are found in the germplasm list by their names and synonyms.',
    body: createTrialsBody,
    answer: trials,
    status: 201,
  }),
  matchEntries: post('/projects/:project_id/trials/match_entries', PROJECT_MEMBER, {
    summary: 'Which entries the germplasm list lacks, before a trial of them is saved',
    description: 'Names are compared as when a trial is saved. Nothing is stored.',
    body: matchEntriesBody,
    answer: matchedEntries,
    readOnly: true,
    perMinute: 300,
  }),
  readEntries: post('/projects/:project_id/trials/read_entries', PROJECT_MEMBER, {
    summary: 'Read the entries of a table, without storing them',
    description:
      'The bytes of a CSV, TSV or XLSX file with a column of names and optionally of replicates and families, at most 5 MB.',
    takes: ['application/octet-stream'],
    answer: entriesReading,
    readOnly: true,
    costly: true,
  }),
  openFile: post('/projects/:project_id/trials/from_file', PROJECT_MEMBER, {
    summary: 'Open a phenotype file as trials, one an environment',
    description: 'All or none. Its values become observations of the trials; the file stays as it is.',
    body: openFileBody,
    answer: trials,
    status: 201,
  }),
  exportMiappe: get('/projects/:project_id/trials/miappe', PROJECT_MEMBER, {
    summary: 'All trials as MIAPPE 1.1',
    description:
      'A zip archive with its sections, as a workbook (`miappe.xlsx`) or as ISA-Tab, and a table of the values of each trial.',
    query: exportMiappeQuery,
    media: ['application/zip'],
    costly: true,
    head: false,
  }),
  getTrial: get('/projects/:project_id/trials/:id', PROJECT_MEMBER, {
    summary: 'One trial',
    answer: trial,
  }),
  updateTrial: put('/projects/:project_id/trials/:id', PROJECT_MEMBER, {
    summary: 'Rename a trial, or change its dates, traits or state',
    description: 'A layout is fixed once the trial is SOWN. A trial with values is not drafted again.',
    body: updateTrialBody,
    answer: trial,
  }),
  deleteTrial: del('/projects/:project_id/trials/:id', PROJECT_MEMBER, {
    summary: 'Move a trial with its values to the bin for 30 days',
  }),
  getPlots: get('/projects/:project_id/trials/:id/plots', PROJECT_MEMBER, {
    summary: 'The plots of a trial, as columns',
    answer: trialPlots,
  }),
  replaceLayout: put('/projects/:project_id/trials/:id/layout', PROJECT_MEMBER, {
    summary: 'Lay out a DRAFT trial anew',
    body: replaceLayoutBody,
    answer: trial,
  }),
  swapPlots: post('/projects/:project_id/trials/:id/swaps', PROJECT_MEMBER, {
    summary: 'Swap what stands on two plots, or take a swap back',
    body: swapPlotsBody,
    answer: trialEvent,
    status: 201,
  }),
  listTrialEvents: get('/projects/:project_id/trials/:id/events', PROJECT_MEMBER, {
    summary: 'What happened to a trial, the latest first',
    query: pageQuery,
    answer: page(trialEvent),
  }),
  listObservations: get('/projects/:project_id/trials/:id/observations', PROJECT_MEMBER, {
    summary: 'The values of a trait, as columns',
    query: listObservationsQuery,
    answer: observationsOfTrait,
  }),
  recordObservations: post('/projects/:project_id/trials/:id/observations', PROJECT_MEMBER, {
    summary: 'Record values of plots',
    description:
      'All or none, each once: a request that is sent again stores nothing twice. The first value of a DRAFT fixes its layout: it is SOWN. Refused values are listed in details.errors.',
    body: recordObservationsBody,
    answer: recordedObservations,
  }),
  getPlotHistory: get('/projects/:project_id/trials/:id/plots/:plot/observations', PROJECT_MEMBER, {
    summary: 'All that was ever observed on a plot',
    params: { plot: z.coerce.number().int().min(1).max(10_000_000) },
    answer: plotHistory,
  }),
  setAsideObservations: post('/projects/:project_id/trials/:id/observations/set_aside', PROJECT_MEMBER, {
    summary: 'Set values aside, with a reason',
    body: setAsideBody,
    answer: judgedObservations,
  }),
  keepObservations: post('/projects/:project_id/trials/:id/observations/keep', PROJECT_MEMBER, {
    summary: 'Keep values that were set aside',
    body: keepBody,
    answer: judgedObservations,
  }),
  getCompleteness: get('/projects/:project_id/trials/:id/completeness', PROJECT_MEMBER, {
    summary: 'How much of a trial is collected, by trait, day and collector',
    answer: trialCompleteness,
  }),
  listConflicts: get('/projects/:project_id/trials/:id/conflicts', PROJECT_MEMBER, {
    summary: 'Plots with several values of one trait',
    answer: trialConflicts,
  }),
  settleConflicts: post('/projects/:project_id/trials/:id/conflicts/settle', PROJECT_MEMBER, {
    summary: 'Say which of several values counts',
    body: settleConflictsBody,
    answer: judgedObservations,
  }),
  listStaged: get('/projects/:project_id/trials/:id/staged', PROJECT_MEMBER, {
    summary: 'Values that BrAPI clients sent and that wait to be accepted',
    answer: stagedObservations,
  }),
  settleStaged: post('/projects/:project_id/trials/:id/staged/settle', PROJECT_MEMBER, {
    summary: 'Accept or decline values that wait',
    description: 'All or none. Those that were settled before stay as they are.',
    body: settleStagedBody,
    answer: judgedObservations,
  }),
  freezeTrial: post('/projects/:project_id/trials/:id/freeze', PROJECT_MEMBER, {
    summary: 'Make the values that count now a version of the phenotype file of the trial',
    description:
      'Analyses rest on it. Where nothing has changed since the last version, that one is the answer. A plot with several different values of a trait has none in the file.',
    answer: file,
    status: 201,
  }),
} as const satisfies Endpoints;
