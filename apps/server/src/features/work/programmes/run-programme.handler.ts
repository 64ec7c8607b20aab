import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { simulatedSchemes } from '@heterosis/contracts/work/programmes/programme-optimum';
import { memoryOfReplicate, schemeSizes } from '@heterosis/contracts/work/programmes/programme-sizes';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration, Needs } from '../../../platform/job-queue/job.ts';
import { largestMemoryMb } from '../../../platform/job-queue/workers.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { derivedKey, findFile, findRunFiles, originalKey, panelKeys } from '../../data/files/index.ts';
import { findModel } from '../models/index.ts';
import { oneStep, registerWorkInParts } from '../runs/kind/index.ts';
import { type Division, type PartStep, RunError } from '../runs/work/index.ts';
import { forgetEvaluations } from './evaluations.queries.ts';
import { type FinishedProgramme, type FinishProgrammeInput, valuesName } from './finish-programme.compute.ts';
import {
  type FinishProgrammePayload,
  finishProgrammeJob,
  runProgrammeJob,
  type SimulateReplicatesPayload,
  simulateReplicatesJob,
} from './jobs.ts';
import { HAPLOTYPES_NAME, MAP_NAME, type SimulatedScheme, type TruthInput } from './open-programme.ts';
import {
  FOUNDER_REPORT_NAME,
  type PreparedProgramme,
  type PrepareProgrammeInput,
} from './prepare-programme.compute.ts';
import { programmes } from './programme.kind.ts';
import type { Inputs, Output } from './programme-work.ts';
import { type ProgrammeRow, programmeSelection } from './programmes.queries.ts';
import {
  forgetOtherVersions,
  forgetReplicates,
  insertReplicates,
  listReplicates,
  type ReplicateValues,
  readMeasured,
  readReplicates,
  writeMeasured,
} from './replicates.queries.ts';
import { type Found, nextRound, simulateRound } from './search-rounds.ts';
import type { SimulateReplicatesInput } from './simulate-replicates.compute.ts';

const PREPARE = new URL('./prepare-programme.compute.ts', import.meta.url);
const SIMULATE = new URL('./simulate-replicates.compute.ts', import.meta.url);
const FINISH = new URL('./finish-programme.compute.ts', import.meta.url);

export function programmeJobRegistrations(services: WorkerServices): JobRegistration[] {
  const { db } = services;
  const needs = (row: ProgrammeRow) => needsOf(services, row);
  return registerWorkInParts(
    services,
    programmes,
    { first: runProgrammeJob, part: simulateReplicatesJob, last: finishProgrammeJob },
    {
      needs: { first: needs, part: needs },
      inputs: (row) => inputsOf(services, row),
      begin: (row, inputs, step) => prepare(services, row, inputs, step),
      sizeOf: ({ first, count, total, best }) => ({
        name: best === undefined ? String(first) : `best ${first}`,
        ...{ size: count, total },
      }),
      part: (row, inputs, payload, step) =>
        payload.trials === undefined
          ? simulate(services, row, { inputs, payload, step })
          : simulateRound(services, row, { inputs, trials: payload.trials, step }),
      async finish(row, inputs, { seconds = 0, best }: FinishProgrammePayload, step) {
        if (row.parameters.optimise === undefined) return { output: await finish(services, row, { inputs, step }) };
        const next = await nextRound(services, row, { inputs, step, seconds });
        if ('division' in next) return next;
        if (best === undefined) return { division: await simulateBest(services, row, { inputs, step, ...next }) };
        return { output: await finish(services, row, { inputs, step, ...next }) };
      },
      async store(trx: DatabaseTransaction, row, output: Output) {
        await oneStep.store(trx, programmes, row, output);
        await forgetReplicates(trx, row.id);
        await forgetEvaluations(trx, row.id);
      },
    },
  );

  async function inputsOf({ config }: WorkerServices, row: ProgrammeRow): Promise<Inputs | undefined> {
    const files = await findRunFiles(db, programmeSelection, row);
    const truth = await truthOf(row);
    return (
      files &&
      truth && {
        storage: storageLocation(config),
        panel: panelKeys(files.genotype),
        original: originalKey(row.project_id, files.genotype.id),
        linkageMap: files.linkage_map === undefined ? null : derivedKey(files.linkage_map, 'table'),
        truth,
      }
    );
  }

  async function truthOf({ project_id, model_id, traits, parameters }: ProgrammeRow): Promise<TruthInput | undefined> {
    if (parameters.architecture !== undefined) return { architecture: parameters.architecture };
    const model = model_id === null ? undefined : await findModel(db, project_id, model_id);
    const genotype = model?.genotype_id == null ? undefined : await findFile(db, project_id, model.genotype_id);
    if (model === undefined || genotype === undefined) return undefined;
    const specs = traits.flatMap(
      (trait) => model.trait_rows.find((one) => one.trait === trait)?.result_keys.spec ?? [],
    );
    return { specs, panel: panelKeys(genotype) };
  }
}

/** Room for the largest scheme; what no worker has room for takes the largest worker for itself. */
async function needsOf({ db }: WorkerServices, row: ProgrammeRow): Promise<Needs | undefined> {
  const files = await findRunFiles(db, programmeSelection, row);
  if (files === undefined) return undefined;
  const model = row.model_id === null ? undefined : await findModel(db, row.project_id, row.model_id);
  const trained = model?.genotype_id == null ? undefined : await findFile(db, row.project_id, model.genotype_id);
  const founders = row.parameters.founders?.length ?? files.genotype.row_count ?? 0;
  const size = {
    founders,
    loci: files.genotype.column_count ?? 0,
    modelRecords: trained?.row_count ?? 0,
    modelMarkers: trained?.column_count ?? 0,
  };
  const wanted = Math.max(
    ...row.parameters.schemes.map((scheme) => memoryOfReplicate(schemeSizes(scheme, founders), size)),
  );
  return { memoryMb: Math.floor(Math.min(wanted, (await largestMemoryMb(db)) ?? wanted)), diskMb: 0 };
}

/** Reads the founders, simulates the first replicate, and divides those that are missing. */
async function prepare(
  services: WorkerServices,
  row: ProgrammeRow,
  inputs: Inputs,
  step: PartStep,
): Promise<{ output: Output | null; division: Division<SimulateReplicatesPayload, FinishProgrammePayload> | null }> {
  const { storage, panel, original, linkageMap, truth } = inputs;
  const { directory, run, keep } = step;
  const { parameters, seed } = row;
  const { simulated, seconds } = await run<PrepareProgrammeInput, PreparedProgramme>(PREPARE, {
    ...{ storage, panel, original, linkageMap, truth, directory, seed },
    founders: parameters.founders ?? null,
    bpPerCm: parameters.bp_per_cm ?? 1e6,
    missingMapMarkers: parameters.missing_map_markers,
    schemes: parameters.schemes,
  });
  for (const name of [HAPLOTYPES_NAME, MAP_NAME, FOUNDER_REPORT_NAME]) await keep(name, join(directory, name));
  if (parameters.optimise !== undefined) {
    const next = await nextRound(services, row, { inputs, step, seconds: seconds.replicate });
    const division = 'division' in next ? next.division : await simulateBest(services, row, { inputs, step, ...next });
    return { output: null, division };
  }
  return { output: null, division: await divideReplicates(services, row, { simulated, seconds }) };
}

/** Simulates the first replicate of the best numbers that a search has found beside its own, and divides the others. */
async function simulateBest(
  services: WorkerServices,
  row: ProgrammeRow,
  { inputs, step, found }: { inputs: Inputs; step: PartStep; found: Found },
): Promise<Division<SimulateReplicatesPayload, FinishProgrammePayload>> {
  const best = found.optimum.allocations[0]?.numbers;
  if (best === undefined) throw new Error('A search that has ended has an allocation.');
  const began = performance.now();
  const simulated = await runReplicates(row, { inputs, step, best, first: 0, count: 1 });
  const seconds = { opening: 0, replicate: (performance.now() - began) / 1000 };
  return await divideReplicates(services, row, { simulated, seconds, best });
}

/** Keeps the first replicate, and divides those that are missing. */
async function divideReplicates(
  { db }: WorkerServices,
  row: ProgrammeRow,
  its: { simulated: SimulatedScheme[]; seconds: PreparedProgramme['seconds']; best?: number[] },
): Promise<Division<SimulateReplicatesPayload, FinishProgrammePayload>> {
  const { simulated, seconds, best } = its;
  const { parameters } = row;
  requireFewValues(parameters.replicates, simulated);
  await forgetOtherVersions(db, row.id);
  await writeMeasured(
    db,
    row,
    simulated.map(({ keys }) => keys),
  );
  await storeReplicates(db, row, 0, simulated);
  const done = new Set(await listReplicates(db, row.id, simulated.length));
  const named = best === undefined ? {} : { best };
  return {
    parts: divide(parameters.replicates, done, seconds).map((part) => ({ ...part, ...named })),
    last: named,
  };
}

/** What a run may measure: the file of all its values has a line for each. */
const MOST_VALUES = 5_000_000;

function requireFewValues(replicates: number, simulated: readonly SimulatedScheme[]): void {
  const each = simulated.reduce((sum, { keys }) => sum + keys.length, 0);
  if (replicates * each <= MOST_VALUES) return;
  throw new RunError({
    code: 'programmes/too-many-values',
    message: `The schemes measure ${groupedNumber(each)} values in each replicate, and a run stores at most ${groupedNumber(MOST_VALUES)}.`,
    action: `Ask for at most ${groupedNumber(Math.max(1, Math.floor(MOST_VALUES / each)))} replicates, or measure fewer stages.`,
  });
}

/** Replicates of a part take about so many seconds, and several times what opening the founders takes. */
const SECONDS_OF_PART = 10;
const TIMES_OPENING = 4;
/** So that several workers have something to do. */
const FEWEST_PARTS = 8;

function divide(
  replicates: number,
  done: ReadonlySet<number>,
  { opening, replicate }: PreparedProgramme['seconds'],
): { first: number; count: number; total: number }[] {
  const missing = Array.from({ length: replicates }, (_, r) => r).filter((r) => !done.has(r));
  const total = missing.length;
  const ofTime = Math.floor(Math.max(SECONDS_OF_PART, TIMES_OPENING * opening) / Math.max(replicate, 1e-3));
  const most = Math.max(1, Math.min(ofTime, Math.ceil(total / FEWEST_PARTS)));
  const parts: { first: number; count: number; total: number }[] = [];
  for (const r of missing) {
    const last = parts.at(-1);
    if (last !== undefined && last.first + last.count === r && last.count < most) last.count++;
    else parts.push({ first: r, count: 1, total });
  }
  return parts;
}

/** Simulates replicates, and stores them at once: what has ended stays, whatever becomes of the others. */
async function simulate(
  { db }: WorkerServices,
  row: ProgrammeRow,
  { inputs, payload, step }: { inputs: Inputs; payload: SimulateReplicatesPayload; step: PartStep },
): Promise<void> {
  const simulated = await runReplicates(row, { inputs, step, ...payload });
  await storeReplicates(db, row, payload.first, simulated);
}

const runReplicates = (
  { parameters, seed }: ProgrammeRow,
  its: { inputs: Inputs; step: PartStep; first: number; count: number; best?: number[] | undefined },
): Promise<SimulatedScheme[]> => {
  const { inputs, step, first, count, best } = its;
  return step.run<SimulateReplicatesInput, SimulatedScheme[]>(SIMULATE, {
    ...{ storage: inputs.storage, truth: inputs.truth, prefix: step.prefix, directory: step.directory },
    ...{ schemes: simulatedSchemes(parameters, best), seed, first, count },
  });
};

async function storeReplicates(
  db: WorkerServices['db'],
  row: ProgrammeRow,
  first: number,
  simulated: readonly SimulatedScheme[],
): Promise<void> {
  const found = simulated.flatMap(({ values }, scheme) =>
    values.map((one, r): ReplicateValues => ({ scheme, replicate: first + r, values: Array.from(one) })),
  );
  await db.transaction().execute(async (trx) => {
    await insertReplicates(trx, row.id, found);
    const { id, project_id, organization_id } = row;
    await publishEvent(trx, { type: 'programme', id, project_id, organization_id });
  });
}

/** Replicates that are read from the database at once. */
const AT_ONCE = 50;

/** Writes the values of all replicates in their order, and makes the results of them. */
async function finish(
  { db }: WorkerServices,
  row: ProgrammeRow,
  { inputs: { storage }, step, found }: { inputs: Inputs; step: PartStep; found?: Found },
): Promise<Output> {
  const { directory, prefix } = step;
  const { replicates } = row.parameters;
  const schemes = simulatedSchemes(row.parameters, found?.optimum.allocations[0]?.numbers);
  const measured = (await readMeasured(db, row)) ?? [];
  for (const [scheme] of schemes.entries()) {
    const file = await open(join(directory, valuesName(scheme)), 'w');
    try {
      for (let first = 0; first < replicates; first += AT_ONCE) {
        for (const values of await readReplicates(db, row.id, { scheme, first, count: AT_ONCE }))
          await file.appendFile(new Uint8Array(Float64Array.from(values).buffer));
      }
    } finally {
      await file.close();
    }
  }
  const { report, files } = await step.run<FinishProgrammeInput, FinishedProgramme>(FINISH, {
    ...{ storage, prefix, directory, measured, replicates },
    names: schemes.map(({ name }) => name),
  });
  const kept = { haplotypes: `${prefix}${HAPLOTYPES_NAME}`, map: `${prefix}${MAP_NAME}` };
  return {
    report: found === undefined ? report : { ...report, optimum: found.optimum },
    result_keys: { ...(await step.put({ ...files, ...found?.files })), ...kept },
  };
}
