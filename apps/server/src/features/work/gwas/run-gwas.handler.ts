import { join } from 'node:path';
import type { ClumpingRule } from '@heterosis/analysis/gwas/clump-hits';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration, Needs } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import type { CovarianceObject } from '../../../platform/object-storage/stored-covariance.ts';
import type { StoredInputs } from '../../../platform/object-storage/stored-panel.ts';
import { covarianceObject, derivedKey, findRunFiles, panelKeys } from '../../data/files/index.ts';
import { needsOf, type RunSizes, weightsOf } from '../matching/index.ts';
import { registerWorkInParts } from '../runs/kind/index.ts';
import type { Division, PartStep } from '../runs/work/index.ts';
import type { FinishGwasInput } from './finish-gwas.compute.ts';
import { gwas } from './gwas.kind.ts';
import { type GwasRow, gwasSelection, parametersOf } from './gwas.queries.ts';
import { KEPT_NAME, LEFT_OUT_NAME, partName, stateName } from './gwas-keys.ts';
import {
  type FinishGwasPayload,
  finishGwasJob,
  runGwasJob,
  type TestGwasMarkersPayload,
  testGwasMarkersJob,
} from './jobs.ts';
import { chunksOf } from './plan-chunks.ts';
import type { PreparedGwasOutput, PrepareGwasInput } from './prepare-gwas.compute.ts';
import { putOutputs, storeOutputs } from './store-gwas.ts';
import type { TestGwasMarkersInput } from './test-gwas-markers.compute.ts';
import type { GwasTraitOutput } from './write-gwas-results.ts';

const PREPARE = new URL('./prepare-gwas.compute.ts', import.meta.url);
const TEST = new URL('./test-gwas-markers.compute.ts', import.meta.url);
const FINISH = new URL('./finish-gwas.compute.ts', import.meta.url);

interface GwasFiles extends StoredInputs {
  /** By which the values weigh; null without weights, and by standard errors. */
  covariance: CovarianceObject | null;
}

export function gwasJobRegistrations(services: WorkerServices): JobRegistration[] {
  const { config, db } = services;
  const needs = async (row: GwasRow): Promise<Needs | undefined> => await needsOfGwas(services, row);
  return registerWorkInParts(
    services,
    gwas,
    { first: runGwasJob, part: testGwasMarkersJob, last: finishGwasJob },
    {
      traits: unfinishedTraits,
      needs: { first: needs, part: needs },
      async inputs(row): Promise<GwasFiles | undefined> {
        const files = await findRunFiles(db, gwasSelection, row);
        return (
          files && {
            storage: storageLocation(config),
            panel: panelKeys(files.genotype),
            phenotype: derivedKey(files.phenotype, 'table'),
            covariance: row.parameters.weights === 'full' ? covarianceObject(files.phenotype, row.traits) : null,
          }
        );
      },
      begin: (row, inputs, step) => prepareGwas(row, inputs, step, config.compute.chunkGflop),
      sizeOf: ({ group, first, count, total }) => ({ name: `${group}-${first}`, size: count, total }),
      part: testMarkers,
      finish: concludeGwas,
      store: (trx, row, outputs, { prefix }) => storeOutputs(trx, prefix, row, outputs),
    },
  );
}

/** Traits without a result, in the requested order. */
const unfinishedTraits = ({ trait_rows }: GwasRow): string[] =>
  trait_rows.filter(({ status }) => status === 'PROCESSING').map(({ trait }) => trait);

/** Room for the mixed model; undefined if a file of it is gone. */
async function needsOfGwas(services: WorkerServices, row: GwasRow): Promise<Needs | undefined> {
  const files = await findRunFiles(services.db, gwasSelection, row);
  if (files === undefined) return undefined;
  const sizes: RunSizes = {
    ...{ ...files, traits: row.traits.length, dominance: row.parameters.dominance ?? false },
    ...{ isFitted: row.test !== 'SCORE', loco: row.parameters.loco ?? false },
    weights: weightsOf(row.parameters),
    residualLines: row.parameters.residual_lines === true,
    ...{ permutations: row.parameters.permutations ?? 0, stepwise: row.parameters.stepwise ?? 0 },
    geneActions: row.parameters.gene_action ?? [],
  };
  const alone = await needsOf(services, 'gwas', sizes);
  if ((row.parameters.multi_trait ?? 'none') === 'none') return alone;
  const together = await needsOf(services, 'gwas', { ...sizes, multiTrait: true });
  return {
    memoryMb: Math.max(alone.memoryMb, together.memoryMb),
    diskMb: alone.diskMb + together.diskMb,
  };
}

/** Prepares the tests, and leaves those that are not finished with it to chunks. */
async function prepareGwas(row: GwasRow, inputs: GwasFiles, step: PartStep, chunkGflop: number) {
  const { parameters } = row;
  const input: PrepareGwasInput = {
    ...inputs,
    directory: step.directory,
    traits: unfinishedTraits(row),
    together: row.traits,
    ...inputsOf(GWAS_OPTIONS, { ...parametersOf(row), seed: row.seed }),
    covariates: (parameters.covariates ?? []).map((name) => ({ name, kind: parameters.covariate_kinds?.[name] })),
    clumping: clumpingOf(row),
    exclusions: parameters.exclusions,
    renames: parameters.renames ?? [],
    chunkGflop,
  };
  const { outputs, groups, markers, leftOut } = await step.run<PrepareGwasInput, PreparedGwasOutput>(PREPARE, input);
  await putOutputs(row, outputs, step);
  if (leftOut !== null) {
    await step.keep(LEFT_OUT_NAME, leftOut.names);
    await step.keep(KEPT_NAME, leftOut.kept);
  }
  for (const [group, { file }] of groups.entries()) await step.keep(stateName(group), file);
  return { output: outputs, division: groups.length === 0 ? null : divide(markers, groups) };
}

/** One job per chunk of markers and group of traits. */
const divide = (
  markers: number,
  groups: readonly { chunkMarkers: number }[],
): Division<TestGwasMarkersPayload, FinishGwasPayload> => ({
  parts: groups.flatMap(({ chunkMarkers }, group) =>
    chunksOf(markers, chunkMarkers).map((range) => ({ group, ...range, total: markers * groups.length })),
  ),
  last: { markers, chunk_markers: groups.map(({ chunkMarkers }) => chunkMarkers) },
});

/** How hits are put together; null where they are not. */
const clumpingOf = ({ parameters: { clumps } }: GwasRow): ClumpingRule | null =>
  clumps === undefined ? null : { p1: clumps.p1, p2: clumps.p2, r2: clumps.r2, bp: 1000 * clumps.kb };

/** Where the first job has stored the places kept; null when nothing was to be left out. */
const keptOf = ({ parameters }: GwasRow, prefix: string): string | null =>
  parameters.exclusions === undefined ? null : `${prefix}${KEPT_NAME}`;

/** Tests one chunk of markers for one group of traits. */
async function testMarkers(
  row: GwasRow,
  { storage, panel }: GwasFiles,
  { group, first, count }: TestGwasMarkersPayload,
  { directory, prefix, run, keep }: PartStep,
): Promise<void> {
  const file = join(directory, 'part');
  await run<TestGwasMarkersInput, null>(TEST, {
    storage,
    panel,
    kept: keptOf(row, prefix),
    state: `${prefix}${stateName(group)}`,
    range: { first, count },
    file,
  });
  await keep(partName(group, first), file);
}

/** Combines the results of the chunks. */
async function concludeGwas(
  row: GwasRow,
  { covariance: _, ...inputs }: GwasFiles,
  { markers, chunk_markers }: FinishGwasPayload,
  step: PartStep,
): Promise<{ output: GwasTraitOutput[] }> {
  const { directory, prefix } = step;
  const outputs = await step.run<FinishGwasInput, GwasTraitOutput[]>(FINISH, {
    ...inputs,
    directory,
    renames: row.parameters.renames ?? [],
    clumping: clumpingOf(row),
    kept: keptOf(row, prefix),
    groups: chunk_markers.map((perChunk, group) => ({
      state: `${prefix}${stateName(group)}`,
      parts: chunksOf(markers, perChunk).map((range) => ({
        ...range,
        key: `${prefix}${partName(group, range.first)}`,
      })),
    })),
  });
  await putOutputs(row, outputs, step);
  return { output: outputs };
}
