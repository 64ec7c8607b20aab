import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Services } from '../../platform/http/app.ts';
import { storageLocation } from '../../platform/object-storage/storage-location.ts';
import type { StoredInputs } from '../../platform/object-storage/stored-panel.ts';
import { derivedKey, findRunFiles, panelKeys } from '../files/index.ts';
import {
  attemptPrefix,
  deleteLeftovers,
  type ErrorExtra,
  errorExtraOf,
  failNamedRun,
  findNamedRun,
  finishRun,
  goneInput,
  hasAttachedJob,
  inputGone,
  isCurrentRun,
  requeueRun,
  tellEndOfNamedRun,
  type WorkReference,
} from '../runs/index.ts';
import { gwas } from './gwas.kind.ts';
import { type GwasResultKind, type GwasRow, gwasSelection, updateGwasTrait } from './gwas.queries.ts';
import { type AttemptPayload, finishGwasJob, type RunPayload } from './run-gwas.job.ts';
import type { GwasTraitOutput } from './write-gwas-results.ts';

/** What a job of a GWAS works with. */
export interface GwasWork {
  row: GwasRow;
  inputs: StoredInputs;
  attempt: number;
  /** Prefix of the keys that this attempt writes. */
  prefix: string;
  /** Traits without a result, in the requested order. */
  traits: string[];
}

const referenceOf = ({ project_id: projectId, gwas_id: id, run_id: runId }: RunPayload): WorkReference => ({
  projectId,
  id,
  runId,
});

/** Deletes what the run has written but no row refers to. */
export const deleteLeftoversOf = (
  services: Services,
  { project_id, gwas_id: entity_id, run_id: id }: RunPayload,
): Promise<void> => deleteLeftovers(services, { id, project_id, entity_kind: 'gwas', entity_id });

/** Ends the run and every trait without a result. */
export async function failGwas(services: Services, payload: RunPayload, error: ErrorExtra): Promise<void> {
  if (await failNamedRun(services, gwas, referenceOf(payload), error)) await deleteLeftoversOf(services, payload);
}

/** Runs `work` unless the run has ended. An error that the input causes ends the run; any other error is thrown. */
export async function withGwasWork(
  services: Services,
  { payload, attempt, signal }: { payload: RunPayload; attempt: number | undefined; signal: AbortSignal },
  work: (work: GwasWork) => Promise<void>,
): Promise<void> {
  const { db, logger } = services;
  const row = await findNamedRun(gwasSelection, db, payload.project_id, payload.gwas_id);
  // Ended, cancelled, taken over or deleted in the meantime: nothing to do.
  if (attempt === undefined || row === undefined) return;
  const files = await findRunFiles(db, gwasSelection, row);
  if (files === undefined) return await failGwas(services, payload, inputGone(goneInput(gwas, row)));
  try {
    await work({
      row,
      attempt,
      inputs: {
        storage: storageLocation(services.config),
        panel: panelKeys(files.genotype),
        phenotype: derivedKey(files.phenotype, 'table'),
      },
      prefix: attemptPrefix(gwas, referenceOf(payload), attempt),
      traits: row.trait_rows.filter(({ status }) => status === 'PROCESSING').map(({ trait }) => trait),
    });
    // Finished, or cancelled or taken over while this job was still writing: delete what no row refers to.
    if (!(await isCurrentRun(db, payload.run_id, attempt))) await deleteLeftoversOf(services, payload);
  } catch (error) {
    const extra = signal.aborted ? undefined : errorExtraOf(error);
    if (extra !== undefined) return await failGwas(services, payload, extra);
    await requeue(services, payload, attempt).catch((reason: unknown) =>
      logger.warn({ err: reason }, 'a run could not be put back'),
    );
    throw error;
  }
}

/** Marks the run as waiting, unless its flow has begun: one chunk is retried while the others continue. */
async function requeue({ db }: Services, { run_id: runId }: RunPayload, attempt: number): Promise<void> {
  if (!(await hasAttachedJob(db, runId, finishGwasJob.name))) await requeueRun(db, runId, attempt);
}

/** The attempt of a job in a flow; undefined if another attempt has taken over. */
export const currentAttempt = async (
  { db }: Services,
  { run_id, attempt }: AttemptPayload,
): Promise<number | undefined> => ((await isCurrentRun(db, run_id, attempt)) ? attempt : undefined);

/** Ends the run: every trait has its results or its error. */
export async function finishGwas(
  services: Services,
  trx: DatabaseTransaction,
  payload: RunPayload,
  attempt: number,
): Promise<void> {
  if (await finishRun(trx, payload.run_id, attempt)) await tellEndOfNamedRun(services, trx, gwas, referenceOf(payload));
}

/** Stores the files of the traits that have a result. */
export async function uploadOutputs(
  { storage }: Services,
  prefix: string,
  row: GwasRow,
  outputs: readonly GwasTraitOutput[],
): Promise<void> {
  for (const { trait, result } of outputs)
    for (const [kind, path] of Object.entries(result?.files ?? {}))
      await storage.putFile(resultKey(prefix, row, trait, kind as GwasResultKind), path);
}

/** Writes the result or the error of each trait. */
export async function storeOutputs(
  trx: DatabaseTransaction,
  prefix: string,
  row: GwasRow,
  outputs: readonly GwasTraitOutput[],
): Promise<void> {
  for (const { trait, error, result } of outputs) {
    if (result === null) {
      await updateGwasTrait(trx, row.id, trait, { status: 'ERROR', error_extra: error as ErrorExtra });
      continue;
    }
    const { summary, chromosomes, files } = result;
    const kinds = Object.keys(files) as GwasResultKind[];
    const keys: Partial<Record<GwasResultKind, string>> = Object.fromEntries(
      kinds.map((kind) => [kind, resultKey(prefix, row, trait, kind)]),
    );
    if (row.parameters.exclusions !== undefined) keys.left_out = leftOutKey(prefix);
    await updateGwasTrait(trx, row.id, trait, { status: 'SUCCESS', summary, chromosomes, result_keys: keys });
  }
}

/** The names left out, for all traits together. */
export const leftOutKey = (prefix: string): string => `${prefix}left_out`;

const resultKey = (prefix: string, row: GwasRow, trait: string, kind: GwasResultKind): string =>
  `${prefix}${row.traits.indexOf(trait)}-${kind}`;
