import { matchCrosses } from '@heterosis/analysis/crossing/match-crosses';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { Page } from '@heterosis/contracts/common';
import {
  type CrossingSimulation,
  type CrossingSimulationDetail,
  type createCrossingSimulationBody,
  type listCrossingSimulationsQuery,
  MAX_PROGENY_OF_RUN,
} from '@heterosis/contracts/crossing-simulations';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { selectionIntensity } from '@heterosis/statgen/crossing/cross-criteria';
import type * as z from 'zod';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { decodeIdCursor } from '../../platform/http/pagination.ts';
import { Problem } from '../../platform/http/problem.ts';
import { readObject } from '../../platform/object-storage/stored-panel.ts';
import { derivedKey, type FileRow, findFile, inputHashes, readSampleNames, requireReadyFile } from '../files/index.ts';
import { noCross, requireModel, trainedTraits } from '../models/index.ts';
import {
  createNamedRun,
  makeBundle,
  type NamedRuns,
  pageOfRuns,
  progressOf,
  provenanceOf,
  type Run,
  type RunRequestedBy,
  reasonInWords,
  referenceTo,
  runsOnInput,
  startRun,
} from '../runs/index.ts';
import {
  type CrossingSimulationRow,
  findCrossingSimulation,
  insertCrossingSimulation,
  listCrossingSimulations as listRows,
  updateCrossingSimulationStatus,
} from './crossing-simulations.queries.ts';
import { crossingMethods } from './methods-paragraph.ts';
import { runCrossingJob } from './run-crossing.job.ts';

/** Shares selected that pages offer. */
const FRACTIONS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5];

const intensitiesWith = (own: number): CrossingSimulationDetail['intensities'] =>
  [...new Set([...FRACTIONS, own])]
    .sort((a, b) => a - b)
    .map((fraction) => ({ fraction, intensity: selectionIntensity(fraction) }));

/** Without a seed of the user's the progeny are still the same every time. */
const DEFAULT_SEED = 1;

export const crossingSimulations: NamedRuns<CrossingSimulationRow, CrossingSimulation, CrossingSimulationDetail> = {
  table: 'crossing_simulations',
  page: 'crossingSimulation',
  kind: 'crossing_simulation',
  noun: 'crossing simulation',
  owner: 'crossing_simulation_id',
  find: findCrossingSimulation,
  toItem: async (_services, row, runs) => toCrossingSimulation(row, runs),

  async toDetail({ storage }, row, runs) {
    const download = async (kind: 'csv' | 'progeny_csv', ending: string) => {
      const key = row.result_keys[kind];
      if (key === undefined) return null;
      return await storage.signGet(key, {
        fileName: `${row.name}_${ending}.csv`,
        contentType: 'text/csv; charset=utf-8',
      });
    };
    return {
      ...toCrossingSimulation(row, runs),
      description: row.description,
      model: referenceTo(row.model_id, row.model_name),
      genotype: referenceTo(row.genotype_id, row.genotype_name),
      crossing_table: referenceTo(row.crossing_table_id, row.crossing_table_name),
      linkage_map: referenceTo(row.linkage_map_id, row.linkage_map_name),
      result_url: await download('csv', 'crosses'),
      progeny_url: await download('progeny_csv', 'progeny'),
      report: row.report,
      intensities: intensitiesWith(row.parameters.selected_fraction),
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: row.seed, parameters: row.parameters }),
    };
  },

  toBundle({ result_keys }, detail) {
    const { id, name, description, traits, report, provenance } = detail;
    const inputs = {
      model: detail.model?.name ?? null,
      genotype: detail.genotype?.name ?? null,
      crossing_table: detail.crossing_table?.name ?? null,
      linkage_map: detail.linkage_map?.name ?? null,
    };
    const results = [
      { name: 'crosses.csv', key: result_keys.csv },
      { name: 'progeny.csv', key: result_keys.progeny_csv },
    ];
    return makeBundle(
      { kind: 'crossing_simulation', id, name, description, traits, inputs, results: report, provenance },
      crossingMethods(detail),
      results.flatMap(({ name: file, key }) => (key === undefined ? [] : [{ name: file, content: { key } }])),
    );
  },

  outcome({ status, report, error_extra }) {
    if (status === 'PROCESSING') return undefined;
    if (error_extra !== null) return { results: [], failures: [reasonInWords(error_extra)] };
    const best = Object.entries(report?.best ?? {}).map(
      ([trait, { cross, usefulness }]) => `${trait}: best cross ${cross}, usefulness ${usefulness.toPrecision(4)}.`,
    );
    return { results: [`${report?.crosses} crosses simulated.`, ...best], failures: [] };
  },

  failUnfinished: (db, { project_id, id }, error) =>
    updateCrossingSimulationStatus(db, project_id, id, { status: 'ERROR', error_extra: error }),

  async restart(services, trx, row, requested) {
    if (row.status !== 'ERROR')
      throw new Problem('runs/not-retryable', 'Only a failed crossing simulation can be repeated.');
    const files = await findInputs(trx, row);
    if (files === undefined)
      throw new Problem(
        'models/input-gone',
        'The model or one of the files was deleted. Create a new crossing simulation.',
      );
    await updateCrossingSimulationStatus(trx, row.project_id, row.id, { status: 'PROCESSING' });
    await enqueue(services, trx, { projectId: row.project_id, id: row.id, files, seed: row.seed, ...requested });
  },
};

/** The files of a crossing simulation by their role. */
export interface CrossingFiles {
  genotype: FileRow;
  crossing_table: FileRow;
  /** Null when distances come from base pairs. */
  linkage_map: FileRow | null;
}

/** Undefined when the model or a file was deleted. */
export async function findInputs(
  db: DatabaseTransaction | Services['db'],
  row: CrossingSimulationRow,
): Promise<CrossingFiles | undefined> {
  const find = async (id: string | null) => (id === null ? undefined : await findFile(db, row.project_id, id));
  const genotype = await find(row.genotype_id);
  const crossingTable = await find(row.crossing_table_id);
  const linkageMap = await find(row.linkage_map_id);
  const isMapGone = row.parameters.bp_per_cm === null && linkageMap === undefined;
  if (row.model_id === null || genotype === undefined || crossingTable === undefined || isMapGone) return undefined;
  return { genotype, crossing_table: crossingTable, linkage_map: linkageMap ?? null };
}

function toCrossingSimulation(row: CrossingSimulationRow, [run]: readonly Run[]): CrossingSimulation {
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    model_id: row.model_id,
    genotype_id: row.genotype_id,
    crossing_table_id: row.crossing_table_id,
    linkage_map_id: row.linkage_map_id,
    model_name: row.model_name,
    genotype_name: row.genotype_name,
    crossing_table_name: row.crossing_table_name,
    linkage_map_name: row.linkage_map_name,
    status: row.status,
    error_extra: row.error_extra,
    progress: row.status === 'PROCESSING' ? progressOf(run) : null,
    traits: row.traits,
    created_by: row.creator,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export async function listCrossingSimulations(
  services: Services,
  { projectId }: ProjectAccess,
  query: z.output<typeof listCrossingSimulationsQuery>,
): Promise<Page<CrossingSimulation>> {
  const rows = await listRows(services.db, projectId, {
    name: query.crossing_simulation_name,
    crossingTableId: query.crossing_table_id,
    genotypeId: query.genotype_id,
    linkageMapId: query.linkage_map_id,
    limit: query.limit,
    after: decodeIdCursor(query.cursor),
  });
  return await pageOfRuns(services, crossingSimulations, rows, query.limit);
}

/** Model and files are checked and the parents found; then the simulation and its job come to be in one transaction. */
export async function createCrossingSimulation(
  services: Services,
  { projectId }: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createCrossingSimulationBody>,
): Promise<CrossingSimulationDetail> {
  const { db } = services;
  const model = await requireModel(db, projectId, body.model_id);
  const traits = requireTrainedTraits(trainedTraits(model), body.traits, 'traits');
  const lowTraits = requireTrainedTraits(traits, body.low_traits, 'low_traits');
  const genotypeId = body.genotype_id ?? model.genotype_id;
  if (genotypeId === null)
    throw new Problem(
      'models/input-gone',
      'The genotype that this model was trained on was deleted. Choose the genotype file of the parents.',
      { invalidParams: [{ name: 'body.genotype_id', reason: 'Choose a genotype file' }] },
    );
  const files: CrossingFiles = {
    genotype: await requireReadyFile(db, projectId, genotypeId, 'GENOTYPE'),
    crossing_table: await requireReadyFile(db, projectId, body.crossing_table_id, 'CROSSING_TABLE'),
    linkage_map:
      body.linkage_map_id == null ? null : await requireReadyFile(db, projectId, body.linkage_map_id, 'LINKAGE_MAP'),
  };
  await requireCrosses(services, files, body);
  const seed = body.seed ?? DEFAULT_SEED;
  return await createNamedRun(services, crossingSimulations, { projectId, name: body.name }, async (trx) => {
    const id = await insertCrossingSimulation(trx, {
      projectId,
      name: body.name,
      traits,
      seed,
      parameters: {
        population: body.population,
        progeny: body.progeny,
        selected_fraction: body.selected_fraction,
        accuracy: body.accuracy,
        low_traits: lowTraits,
        missing_map_markers: body.missing_map_markers,
        bp_per_cm: files.linkage_map === null ? body.bp_per_cm : null,
        ...(body.renames === undefined ? {} : { renames: body.renames }),
      },
      modelId: model.id,
      genotypeId: files.genotype.id,
      crossingTableId: files.crossing_table.id,
      linkageMapId: files.linkage_map?.id ?? null,
      createdBy: principal.userId,
    });
    await enqueue(services, trx, { projectId, id, files, seed, requestedBy: principal.userId });
    return id;
  });
}

/** The wanted traits, each once, or all when none is named; refuses one that the model has not trained. */
function requireTrainedTraits(
  trained: readonly string[],
  wanted: readonly string[] | undefined,
  field: string,
): string[] {
  for (const trait of wanted ?? [])
    if (!trained.includes(trait))
      throw new Problem(
        'crossing/trait-not-trained',
        `The model has no trained trait "${trait}" here. Its traits are ${trained.join(', ')}.`,
        {
          details: { trait, traits: trained },
          invalidParams: [{ name: `body.${field}`, reason: `There is no "${trait}"` }],
        },
      );
  return [...new Set(wanted ?? trained)];
}

/** Refuses a run without a cross whose parents are both genotyped, and one of more progeny than a run may have. */
async function requireCrosses(
  { storage }: Services,
  { genotype, crossing_table }: CrossingFiles,
  { renames, progeny }: z.output<typeof createCrossingSimulationBody>,
): Promise<void> {
  const table = unpackRecord<Cross[]>(await readObject(storage, derivedKey(crossing_table, 'table')));
  const { crosses } = matchCrosses(table, await readSampleNames(storage, genotype), renames);
  if (crosses.length === 0) throw new Problem('match/nothing-in-common', noCross(genotype, crossing_table));
  const total = crosses.reduce((sum, cross) => sum + (cross.progenyCount ?? progeny), 0);
  if (total > MAX_PROGENY_OF_RUN)
    throw new Problem(
      'crossing/too-many-progeny',
      `The ${groupedNumber(crosses.length)} crosses would have ${groupedNumber(total)} progeny, and a run simulates at most ${groupedNumber(MAX_PROGENY_OF_RUN)}. Ask for fewer progeny, or part the crossing table.`,
      { invalidParams: [{ name: 'body.progeny', reason: 'Too many in all' }] },
    );
}

async function enqueue(
  services: Services,
  trx: DatabaseTransaction,
  run: { projectId: string; id: string; files: CrossingFiles; seed: number } & RunRequestedBy,
): Promise<void> {
  const { projectId, id, files, seed, ...requested } = run;
  const { genotype, crossing_table, linkage_map } = files;
  await startRun(services, trx, runCrossingJob, {
    projectId,
    owner: 'crossing_simulation_id',
    ownerId: id,
    kind: 'crossing',
    seed,
    ...requested,
    inputSha256: inputHashes({ genotype, crossing_table, ...(linkage_map === null ? {} : { linkage_map }) }),
  });
}

/** What crossing simulations say when a file goes. */
export const crossingSimulationsOfFiles = runsOnInput(
  crossingSimulations,
  ['genotype_id', 'crossing_table_id', 'linkage_map_id'],
  'An input file',
);

/** And when a model goes. */
export const crossingSimulationsOfModels = runsOnInput(crossingSimulations, ['model_id'], 'The model');
