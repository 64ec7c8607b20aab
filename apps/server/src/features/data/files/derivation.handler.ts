import { stat } from 'node:fs/promises';
import type { DerivationStep } from '@heterosis/contracts/files';
import { uuidv7 } from 'uuidv7';
import type { ComputePool } from '../../../platform/compute/compute.ts';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Services } from '../../../platform/http/app.ts';
import {
  type JobContext,
  type JobDefinition,
  type JobRegistration,
  registerJob,
} from '../../../platform/job-queue/job.ts';
import { lockEntry } from '../../people/projects/index.ts';
import {
  announceEnd,
  createProgressWriter,
  type ErrorExtra,
  failRun,
  finishRun,
  mailEndOfRun,
  type Outcome,
  ofFailure,
  putResults,
  type Run,
  reasonInWords,
  requeueRun,
  setRunParameters,
  startRun,
  takeUpRun,
  withAttempt,
} from '../../work/runs/index.ts';
import { type DerivationParameters, findDerivations } from './derivation.ts';
import { derivedPrefix, originalKey } from './file-keys.ts';
import type { CheckOptions } from './file-meta.ts';
import { type FileRow, findFileOfJob, insertFile } from './files.queries.ts';
import { freeFileName } from './free-file-name.ts';
import { checkFileJob, type DerivationPayload } from './jobs.ts';

export type DerivationServices = Services & { compute: ComputePool };

/** A file that was made, before it is stored. */
export interface MadeFile {
  path: string;
  contentType: string;
  /** Of the new file: where it comes from. */
  description: string;
  /** How the check reads it. */
  options?: CheckOptions;
  /** What was done, for a mail. */
  result: string;
}

export interface DerivationWork {
  file: FileRow;
  run: Run;
  /** Empty; for the new file. */
  directory: string;
  /** Runs a compute file, with the progress and the cancelling of the run. */
  compute<Input, Output>(compute: URL, input: Input): Promise<Output>;
}

/** A way to make a new file from another: what its feature supplies to the frame below. */
export interface DerivationDefinition {
  job: JobDefinition<DerivationPayload>;
  step: DerivationStep;
  /** Begins a sentence in a mail: `The phasing of the file`. */
  subject: string;
  /** Makes the file, or says why it cannot be made. */
  make(work: DerivationWork): Promise<MadeFile | { error: ErrorExtra }>;
}

/** The job of a derivation: the new file exists once its bytes are stored, and its check begins. */
export const registerDerivation = (services: DerivationServices, definition: DerivationDefinition): JobRegistration =>
  registerJob(
    definition.job,
    (job) => derive(services, definition, job),
    async (payload, failure) => failDerivation(services, definition, payload, ofFailure(failure)),
  );

async function derive(
  services: DerivationServices,
  definition: DerivationDefinition,
  { payload, signal }: JobContext<DerivationPayload>,
): Promise<void> {
  const { db, logger, compute } = services;
  const { project_id: projectId, file_id: fileId, run_id: runId } = payload;
  const attempt = await takeUpRun(db, runId);
  const file = await findFileOfJob(db, projectId, fileId);
  const run = (await findDerivations(db, fileId)).find(({ id }) => id === runId);
  if (attempt === undefined || file === undefined || run === undefined) return;
  const fail = (error: ErrorExtra) => failDerivation(services, definition, payload, error);
  const event = eventOf(file);
  const prefix = derivedPrefix(projectId, fileId, runId, attempt);
  const requeue = () => requeueRun(db, runId, attempt);
  const onProgress = createProgressWriter(db, { runId, attempt, event, traits: [''], logger });
  await withAttempt(services, { prefix, signal, fail, requeue }, async (directory) => {
    const made = await definition.make({
      file,
      run,
      directory,
      compute: (url, input) => compute.run(url, input, { signal, onProgress }),
    });
    if ('error' in made) {
      await fail(made.error);
      return false;
    }
    return await store(services, definition, { file, run, attempt, prefix }, made);
  });
}

interface Attempt {
  file: FileRow & { organization_id: string };
  run: Run;
  attempt: number;
  prefix: string;
}

/** Stores the bytes, and the new file beside the old one; returns whether this attempt was still the current one. */
async function store(
  services: DerivationServices,
  definition: DerivationDefinition,
  { file, run, attempt, prefix }: Attempt,
  { path, contentType, description, options, result }: MadeFile,
): Promise<boolean> {
  const { db, storage } = services;
  const { project_id: projectId, folder_id: folderId } = file;
  const { made } = await putResults(storage, prefix, { made: path });
  if (made === undefined) throw new Error('the new file was not stored');
  const event = eventOf(file);
  return await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'files', projectId, file.id)) || !(await finishRun(trx, run.id, attempt))) return false;
    const parameters = run.parameters as DerivationParameters;
    const id = uuidv7();
    const name = await freeFileName(trx, projectId, folderId, parameters.name);
    const key = originalKey(projectId, id);
    await insertFile(trx, {
      id,
      projectId,
      folderId,
      name,
      fileType: file.file_type,
      status: 'UPLOADED',
      contentType,
      sizeBytes: (await stat(path)).size,
      storageKey: key,
      createdBy: run.requested_by,
      meta: options === undefined ? {} : { options },
      description,
    });
    await setRunParameters(trx, run.id, { ...parameters, made_file_id: id });
    await startRun(services, trx, checkFileJob, {
      project_id: projectId,
      entity_kind: 'file',
      entity_id: id,
      step: 'import',
      requested_by: run.requested_by,
    });
    await tellEnd(services, trx, definition, { file, runId: run.id }, { results: [result], failures: [] });
    await publishEvent(trx, event);
    await publishEvent(trx, { ...event, id });
    await storage.move(made, key);
    return true;
  });
}

const eventOf = (file: FileRow & { organization_id: string }) =>
  ({ type: 'file', id: file.id, project_id: file.project_id, organization_id: file.organization_id }) as const;

async function failDerivation(
  services: Services,
  definition: DerivationDefinition,
  { project_id: projectId, file_id: fileId, run_id: runId }: DerivationPayload,
  error: ErrorExtra,
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    const file = await findFileOfJob(trx, projectId, fileId);
    if (!(await failRun(trx, runId, error)) || file === undefined) return;
    await tellEnd(services, trx, definition, { file, runId }, { results: [], failures: [reasonInWords(error)] });
    await publishEvent(trx, eventOf(file));
  });
}

async function tellEnd(
  services: Services,
  trx: DatabaseTransaction,
  { subject, step }: DerivationDefinition,
  { file, runId }: { file: FileRow & { organization_id: string }; runId: string },
  outcome: Outcome,
): Promise<void> {
  const path = `/projects/${file.project_id}/files/${file.id}`;
  await mailEndOfRun(services, trx, runId, async () => ({ ...outcome, kind: subject, name: file.name, path }));
  const { id, name, project_id: projectId, organization_id: organizationId } = file;
  await announceEnd(services, trx, { ...outcome, key: runId, kind: step, id, name, path, projectId, organizationId });
}
