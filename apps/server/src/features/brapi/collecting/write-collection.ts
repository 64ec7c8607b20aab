import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { lockEntry } from '../../people/projects/index.ts';
import { fileCollectedJob, SILENCE_SECONDS } from '../jobs.ts';
import type { PhenotypeStudy } from '../studies.ts';
import { lockCollection, raiseRevision } from './collected.queries.ts';
import { requireWriting } from './write-access.ts';

export type CollectingServices = Pick<Services, 'db' | 'jobs'>;

/**
 * Writes to the files of some studies in one transaction, for a person who may. `write` is called for each file with
 * its collection locked, and returns whether it changed anything; then the next version is made of it later.
 */
export async function collect(
  services: CollectingServices,
  principal: Principal,
  studies: readonly PhenotypeStudy[],
  write: (trx: DatabaseTransaction, fileId: string) => Promise<boolean>,
): Promise<void> {
  for (const projectId of new Set(studies.map(({ project }) => project.id)))
    await requireWriting(services, principal, projectId);
  // In one order, so that two requests do not wait for each other.
  const sorted = [...studies].sort((a, b) => (a.file.id < b.file.id ? -1 : 1));
  await services.db.transaction().execute(async (trx) => {
    for (const { file, project } of sorted) {
      if (!(await lockEntry(trx, 'files', project.id, file.id))) throw notFound('This study');
      await lockCollection(trx, file);
      if (!(await write(trx, file.id))) continue;
      await raiseRevision(trx, file.id, principal.userId);
      await services.jobs.enqueue(
        trx,
        fileCollectedJob,
        { project_id: project.id, file_id: file.id },
        { organizationId: project.organization_id, personId: principal.userId, delaySeconds: SILENCE_SECONDS },
      );
      await publishEvent(trx, {
        type: 'file',
        id: file.id,
        project_id: project.id,
        organization_id: project.organization_id,
      });
    }
  });
}
