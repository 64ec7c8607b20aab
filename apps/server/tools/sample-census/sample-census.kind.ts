import { pageQuery } from '@heterosis/contracts/common';
import { runEndpoints } from '@heterosis/contracts/endpoints/work/run-endpoints';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import { oneStepState } from '@heterosis/contracts/work/runs';
import { sql } from 'kysely';
import * as z from 'zod';
import { findRunFiles, panelKeys, requireReadyFile } from '../../src/features/data/files/index.ts';
import {
  createNamedRun,
  inputs,
  oneStep,
  type RowOf,
  type RunKindDefinition,
  registerWork,
  runHandlers,
  selectionOf,
} from '../../src/features/work/runs/kind/index.ts';
import { provenanceOf } from '../../src/features/work/runs/results/index.ts';
import type { ErrorExtra, Run } from '../../src/features/work/runs/work/index.ts';
import type { WorkerServices } from '../../src/platform/http/app.ts';
import { bind } from '../../src/platform/http/bind.ts';
import { defineJob, type JobRegistration } from '../../src/platform/job-queue/job.ts';
import { storageLocation } from '../../src/platform/object-storage/storage-location.ts';
import type { CensusInput, CensusOutput } from './sample-census.compute.ts';

/**
 * A kind of run that a test adds: it counts the individuals of a genotype file. This folder, a row in the table of
 * kinds, a migration and a line of the wiring are all there is of it. For the types it goes as a prediction, whose
 * columns its table has: the generated types know no table that a test makes.
 */
const KIND = 'sample_census' as RunKind as 'prediction';

const job = defineJob({
  name: 'run-sample-census',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), sample_census_id: z.uuid(), run_id: z.uuid() }),
});

const KEY_FIGURE = sql<string | null>`one.report ->> 'individuals'`;

const selection = selectionOf(KIND, { genotype: 'GENOTYPE' }, (query) =>
  query
    .select('one.status')
    .select(KEY_FIGURE.as('key_figure'))
    .select((one) => [
      one.ref('one.error_extra').$castTo<ErrorExtra | null>().as('error_extra'),
      one.ref('one.report').$castTo<{ individuals: number } | null>().as('report'),
      one.ref('one.result_keys').$castTo<{ csv?: string }>().as('result_keys'),
    ]),
);
type CensusRow = RowOf<typeof selection>;

const item = z.object({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  genotype_name: z.string().nullable(),
  ...oneStepState,
  individuals: z.number().nullable(),
});
const detail = item.extend({ description: z.string().nullable(), genotype: z.unknown(), provenance: z.unknown() });
type CensusItem = z.infer<typeof item>;
type CensusDetail = z.infer<typeof detail>;

const toItem = (row: CensusRow, runs: readonly Run[]): CensusItem => ({
  ...oneStep.item(row, runs),
  genotype_name: row.genotype_name,
  individuals: row.report?.individuals ?? null,
});

const censuses: RunKindDefinition<CensusRow, CensusItem, CensusDetail, 'prediction'> = {
  ...selection,
  firstStep: () => ({ job, step: 'count' }),
  toItem: async (_services, row, runs) => toItem(row, runs),
  toDetail: async (_services, row, runs) => ({
    ...toItem(row, runs),
    description: row.description,
    ...inputs.references(row, 'genotype'),
    provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: {} }),
  }),
  toBundle: (row, { individuals }) => ({
    inputs: { genotype: row.genotype_name },
    results: { individuals },
    provenance: provenanceOf([], { createdBy: row.creator, seed: null, parameters: {} }),
    files: oneStep.files(row, { 'census.csv': 'csv' }),
  }),
  methods: () => 'Individuals were counted.',
  outcome: (row) => oneStep.outcome(row, ({ report }) => [`${report?.individuals} individuals.`]),
  keyFigure: KEY_FIGURE,
  repeat: (services, trx, row, by) => oneStep.repeat(services, trx, censuses, { row, by }),
};

const censusesApi = runEndpoints(KIND, {
  item,
  detail,
  list: {
    summary: 'List censuses, newest first',
    query: pageQuery.extend({ name: z.string().optional(), genotype_id: z.string().optional() }),
  },
  create: {
    summary: 'Count the individuals of a genotype',
    body: z.object({ name: z.string(), genotype_id: z.uuid() }),
  },
});

const routes = bind(censusesApi, {
  ...runHandlers(censuses),
  async createRun({ services, access: { projectId }, principal: { userId } }, { body: { name, genotype_id } }) {
    const genotype = await requireReadyFile(services.db, projectId, genotype_id, 'GENOTYPE');
    return await createNamedRun(services, censuses, {
      project_id: projectId,
      name,
      traits: ['census'],
      seed: 0,
      genotype_id: genotype.id,
      created_by: userId,
    });
  },
});

const COMPUTE = new URL('./sample-census.compute.ts', import.meta.url);

const jobs = (services: WorkerServices): JobRegistration[] => {
  const { config, db } = services;
  const count = registerWork(services, censuses, job, {
    inputs: (row) => findRunFiles(db, selection, row),
    async compute(_row, { genotype }, { directory, run, put }) {
      const { individuals, files } = await run<CensusInput, CensusOutput>(COMPUTE, {
        storage: storageLocation(config),
        fam: panelKeys(genotype).fam,
        directory,
      });
      return { individuals, keys: await put(files) };
    },
    store: (trx, row, { individuals, keys }) =>
      oneStep.store(trx, censuses, row, { report: { individuals }, result_keys: keys }),
  });
  return [count];
};

export const sampleCensus = { definition: censuses, routes: () => routes, jobs };
