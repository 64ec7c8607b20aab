import { stat } from 'node:fs/promises';
import type { PhaseResult } from '@heterosis/analysis/phasing/phase';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { uuidv7 } from 'uuidv7';
import type { ComputePool } from '../../platform/compute/compute.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Services } from '../../platform/http/app.ts';
import { type JobContext, type JobRegistration, registerJob } from '../../platform/job-queue/job.ts';
import { storageLocation } from '../../platform/object-storage/storage-location.ts';
import { freeName, lockEntry } from '../projects/index.ts';
import {
  createProgressWriter,
  type ErrorExtra,
  failRun,
  finishRun,
  inputGone,
  mailEndOfRun,
  type Outcome,
  ofFailure,
  putResults,
  reasonInWords,
  requeueRun,
  setRunParameters,
  startRun,
  takeUpRun,
  withAttempt,
} from '../runs/index.ts';
import { checkFileJob } from './check-file.job.ts';
import { derivedKey, panelKeys } from './file-content.service.ts';
import { derivedPrefix, originalKey } from './file-keys.ts';
import { type FileRow, findFile, findFileOfJob, insertFile, isFileNameTaken } from './files.queries.ts';
import type { PhaseFileInput, PhaseFileOutput } from './phase-file.compute.ts';
import { type PhaseFilePayload, phaseFileJob } from './phase-file.job.ts';
import { findPhasing, type PhasingParameters } from './phasing.ts';

type PhaseFileServices = Services & { compute: ComputePool };

const COMPUTE = new URL('./phase-file.compute.ts', import.meta.url);

export const phaseFileRegistration = (services: PhaseFileServices): JobRegistration =>
  registerJob(
    phaseFileJob,
    (job) => handlePhaseFile(services, job),
    async (payload, failure) => failPhasing(services, payload, ofFailure(failure)),
  );

/** Creates the phased file once its bytes are stored, and enqueues its check. */
async function handlePhaseFile(
  services: PhaseFileServices,
  { payload, signal }: JobContext<PhaseFilePayload>,
): Promise<void> {
  const { config, db, logger, storage, compute } = services;
  const { project_id: projectId, file_id: fileId, run_id: runId } = payload;
  const attempt = await takeUpRun(db, runId);
  const file = await findFileOfJob(db, projectId, fileId);
  const run = await findPhasing(db, fileId);
  if (attempt === undefined || file === undefined || run === undefined) return;
  const parameters = run.parameters as PhasingParameters;
  const fail = (error: ErrorExtra) => failPhasing(services, payload, error);
  const { linkage_map_id } = parameters;
  const map = linkage_map_id === null ? null : await findFile(db, projectId, linkage_map_id);
  if (map === undefined) return await fail(inputGone('The linkage map'));
  const event = eventOf(file);
  const prefix = derivedPrefix(projectId, fileId, runId, attempt);
  const requeue = () => requeueRun(db, runId, attempt);
  await withAttempt(services, { prefix, signal, fail, requeue }, async (directory) => {
    const { result, path } = await compute.run<PhaseFileInput, PhaseFileOutput>(
      COMPUTE,
      {
        storage: storageLocation(config),
        panel: panelKeys(file),
        linkageMap: map === null ? null : derivedKey(map, 'table'),
        seed: run.seed ?? 1,
        memoryMb: config.compute.memoryMb,
        directory,
      },
      { signal, onProgress: createProgressWriter(db, { runId, attempt, event, traits: [''], logger }) },
    );
    const { phased } = await putResults(storage, prefix, { phased: path });
    if (phased === undefined) throw new Error('the phased file was not stored');
    return await db.transaction().execute(async (trx) => {
      if (!(await lockEntry(trx, 'files', projectId, fileId)) || !(await finishRun(trx, runId, attempt))) return false;
      const id = uuidv7();
      const name = await freeName(parameters.name, {
        hasEnding: true,
        mark: (k) => ` (${k + 1})`,
        isTaken: (candidate) => isFileNameTaken(trx, projectId, file.folder_id, candidate, null),
      });
      const key = originalKey(projectId, id);
      await insertFile(trx, {
        id,
        projectId,
        folderId: file.folder_id,
        name,
        fileType: 'GENOTYPE',
        status: 'UPLOADED',
        contentType: 'application/gzip',
        sizeBytes: (await stat(path)).size,
        storageKey: key,
        createdBy: run.requested_by,
        meta: {},
        description: describe(file, map, run.seed ?? 1, result),
      });
      await setRunParameters(trx, runId, { ...parameters, phased_file_id: id });
      await startRun(services, trx, checkFileJob, {
        project_id: projectId,
        entity_kind: 'file',
        entity_id: id,
        step: 'import',
        requested_by: run.requested_by,
      });
      await mailEndOfPhasing(services, trx, { file, runId }, { results: [inWords(result)], failures: [] });
      await publishEvent(trx, event);
      await publishEvent(trx, { ...event, id });
      await storage.move(phased, key);
      return true;
    });
  });
}

const eventOf = (file: FileRow & { organization_id: string }) =>
  ({ type: 'file', id: file.id, project_id: file.project_id, organization_id: file.organization_id }) as const;

async function failPhasing(
  services: Services,
  { project_id: projectId, file_id: fileId, run_id: runId }: PhaseFilePayload,
  error: ErrorExtra,
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    const file = await findFileOfJob(trx, projectId, fileId);
    if (!(await failRun(trx, runId, error)) || file === undefined) return;
    await mailEndOfPhasing(services, trx, { file, runId }, { results: [], failures: [reasonInWords(error)] });
    await publishEvent(trx, eventOf(file));
  });
}

async function mailEndOfPhasing(
  services: Services,
  trx: DatabaseTransaction,
  { file, runId }: { file: FileRow; runId: string },
  outcome: Outcome,
): Promise<void> {
  const path = `/projects/${file.project_id}/files/${file.id}`;
  await mailEndOfRun(services, trx, runId, async () => ({
    ...outcome,
    kind: 'The phasing of the file',
    name: file.name,
    path,
  }));
}

function inWords({ phasedBy, heterozygousCalls, filledCalls }: PhaseResult): string {
  if (phasedBy === 'homozygous') return 'Nothing was heterozygous: the calls are written as they are, and phased.';
  return `${groupedNumber(heterozygousCalls)} heterozygous calls phased and ${groupedNumber(filledCalls)} missing calls filled by Beagle.`;
}

/** The description of the phased file: where it comes from. */
function describe(file: FileRow, map: FileRow | null, seed: number, result: PhaseResult): string {
  const distances = map === null ? '1 cM per Mb' : `the linkage map ${map.name}`;
  const how = result.phasedBy === 'homozygous' ? '' : ` Distances from ${distances}, seed ${seed}.`;
  const warnings = result.report.problems.map(({ message }) => message).join(' ');
  return `Phased from ${file.name}. ${inWords(result)}${how} ${warnings}`.trim();
}
