import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { sql } from 'kysely';
import type { Services } from '../../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../../platform/job-queue/job.ts';
import { createMadeFile, findFileOfJob, insertVersion, latestVersion } from '../../data/files/index.ts';
import { lockEntry } from '../../people/projects/index.ts';
import { type FileCollectedPayload, fileCollectedJob, SILENCE_SECONDS } from '../jobs.ts';
import { createStoredFiles } from '../stored-files.ts';
import { collectedTable } from './collected-table.ts';

export const fileCollectedRegistration = (services: Services): JobRegistration =>
  registerJob(fileCollectedJob, ({ payload }) => fileCollected(services, payload));

/** A client that never falls silent does not keep its records out of a version for longer than this. */
const MOST_SECONDS = 300;

/**
 * Makes the next version of a file when something was written since the last, and the client is silent. Every write
 * brings a job of its own, so one that comes too early may leave it to the next.
 */
export async function fileCollected(
  services: Services,
  { project_id: projectId, file_id: fileId }: FileCollectedPayload,
  silenceSeconds = SILENCE_SECONDS,
): Promise<void> {
  const { db } = services;
  const file = await findFileOfJob(db, projectId, fileId);
  const { rows } = await sql<{ revision: number; changed_by: string | null }>`
    select revision, changed_by from collections
    where project_id = ${projectId} and file_id = ${fileId} and revision > filed_revision
      and (changed_at <= now() - make_interval(secs => ${silenceSeconds - 1})
        or exists (
          select 1 from file_versions as v join files as f on f.id = v.file_id
          where v.version_of = collections.file_id and f.created_at < now() - make_interval(secs => ${MOST_SECONDS})))
  `.execute(db);
  const [collection] = rows;
  if (collection === undefined || file === undefined) return;
  const { revision, changed_by: createdBy } = collection;
  const records = await createStoredFiles(services).records({ ...file, revision });
  const version = (await latestVersion(db, fileId)) + 1;
  await createMadeFile(
    services,
    { projectId, organizationId: file.organization_id, folderId: file.folder_id, fileType: 'PHENOTYPE', createdBy },
    {
      defaultName: `${withoutEndings(file.name).slice(0, 220) || 'phenotypes'} (records, version ${version}).csv`,
      contentType: 'text/csv',
      description: `Version ${version} of ${file.name}: the file, with what BrAPI clients wrote to its studies.`,
      // What was said to be a value is one in every version; codes for "missing" are not written.
      options: { measured_values: file.meta.options?.measured_values },
      bytes: encoded(collectedTable(records)),
    },
    {
      before: async (trx) => {
        // Two workers may have the same version in hand: the second one finds it filed.
        const isCurrent = await trx
          .updateTable('collections')
          .set({ filed_revision: revision })
          .where('file_id', '=', fileId)
          .where('filed_revision', '<', revision)
          .returning('file_id')
          .executeTakeFirst();
        if (isCurrent === undefined || !(await lockEntry(trx, 'files', projectId, fileId))) throw new FiledAlready();
      },
      after: (trx, id) => insertVersion(trx, { file_id: id, version_of: fileId, version, revision }),
    },
  ).catch((error: unknown) => {
    if (!(error instanceof FiledAlready)) throw error;
  });
}

class FiledAlready extends Error {}

async function* encoded(chunks: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const chunk of chunks) yield encoder.encode(chunk);
}
