import { stat } from 'node:fs/promises';
import type { DerivationStep } from '@heterosis/contracts/data/files';
import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import type { JobDefinition, JobRegistration } from '../../../../platform/job-queue/job.ts';
import { type Run, registerWorkOn, tellEnd } from '../../../work/runs/work/index.ts';
import { beginCheck } from '../checking/begin-check.ts';
import { endedFile, fileEntity } from '../file-entity.ts';
import { covarianceKey, originalKey } from '../file-keys.ts';
import type { CheckOptions, StoredCovariance } from '../file-meta.ts';
import { type FileOfJob, type FileRow, insertFile } from '../files.queries.ts';
import type { DerivationPayload } from '../jobs.ts';
import { freeFileName } from '../uploading/free-file-name.ts';
import { type DerivationParameters, findDerivations } from './derivation.ts';

/** A file that was made, before it is stored. */
export interface MadeFile {
  path: string;
  contentType: string;
  /** Of the new file: where it comes from. */
  description: string;
  /** How the check reads it. */
  options?: CheckOptions;
  /** Of the means in it. */
  covariance?: { path: string; stored: StoredCovariance };
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
  /** @throws RunError when the file cannot be made */
  make(work: DerivationWork): Promise<MadeFile>;
}

/** The job of a derivation: the new file exists once its bytes are stored, and its check begins. */
export function registerDerivation(services: WorkerServices, definition: DerivationDefinition): JobRegistration {
  const entity = fileEntity((trx, file, { runId }, error) =>
    tellEnd(services, trx, ended(definition, file, runId), { error }),
  );
  return registerWorkOn(services, entity, definition.job, {
    inputs: async ({ id }, { runId }) => (await findDerivations(services.db, id)).find((run) => run.id === runId),
    async compute(file, run, { directory, run: compute, put }) {
      const made = await definition.make({ file, run, directory, compute });
      const { path, covariance } = made;
      const keys = await put({ made: path, ...(covariance === undefined ? {} : { covariance: covariance.path }) });
      return { ...made, id: uuidv7(), run, sizeBytes: (await stat(path)).size, keys };
    },
    outcome: ({ id }) => ({ made_file_id: id }) satisfies Partial<DerivationParameters>,
    store: (trx, file, made) => store(services, trx, definition, { file, made }),
  });
}

/** Stores the new file beside the old one, and starts its check. */
async function store(
  services: WorkerServices,
  trx: DatabaseTransaction,
  definition: DerivationDefinition,
  {
    file,
    made,
  }: {
    file: FileOfJob;
    made: MadeFile & { id: string; run: Run; sizeBytes: number; keys: { made?: string; covariance?: string } };
  },
): Promise<void> {
  const { project_id: projectId, folder_id: folderId, organization_id: organizationId } = file;
  const { id, run, contentType, description, options, covariance, result, sizeBytes, keys } = made;
  const { name } = run.parameters as DerivationParameters;
  const key = originalKey(projectId, id);
  await insertFile(trx, {
    id,
    projectId,
    folderId,
    name: await freeFileName(trx, projectId, folderId, name),
    fileType: file.file_type,
    status: 'UPLOADED',
    contentType,
    sizeBytes,
    storageKey: key,
    createdBy: run.requested_by,
    meta: {
      ...(options === undefined ? {} : { options }),
      ...(covariance === undefined
        ? {}
        : { covariance: covariance.stored, keys: { covariance: covarianceKey(projectId, id) } }),
    },
    description,
  });
  await tellEnd(services, trx, ended(definition, file, run.id), { results: [result], failures: [] });
  await beginCheck(services, trx, { projectId, organizationId, fileId: id, requestedBy: run.requested_by });
  if (keys.covariance !== undefined) await services.storage.move(keys.covariance, covarianceKey(projectId, id));
  await services.storage.move(keys.made ?? '', key);
}

/** The file from which another was to be made, as mails and webhooks name it. */
const ended = ({ subject, step }: DerivationDefinition, file: FileOfJob, runId: string) => ({
  ...endedFile(file, runId),
  subject,
  kind: step,
});
