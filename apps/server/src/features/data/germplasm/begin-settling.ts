import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Services } from '../../../platform/http/app.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { beginRun } from '../../work/runs/work/index.ts';
import { settleUploadJob } from './jobs.ts';
import { findUploadOfJob, lockUpload, type UploadRow, updateUpload } from './uploads.queries.ts';

export type UploadPlace = Pick<UploadRow, 'id' | 'organization_id' | 'project_id' | 'created_by'>;

/** Tells the other pages of its person that an upload has changed. */
export const publishUpload = (
  trx: DatabaseTransaction,
  { created_by, id, organization_id, project_id }: UploadPlace,
): Promise<void> =>
  publishEvent(trx, { type: 'germplasm_upload', id, organization_id, project_id, user_ids: [created_by] });

/** Has an upload checked, and stored where that is asked for, in the transaction that changes it. */
export async function beginSettling(
  services: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  upload: UploadPlace,
): Promise<void> {
  await beginRun(services, trx, settleUploadJob, {
    ...{ organization_id: upload.organization_id, entity_kind: 'germplasm_upload', entity_id: upload.id },
    step: 'settle',
    by: { requested_by: upload.created_by },
  });
  await publishUpload(trx, upload);
}

/** Checks an upload again for an operator, in the name of its person. */
export async function repeatSettling(
  services: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  { organization_id, id }: Pick<UploadRow, 'organization_id' | 'id'>,
): Promise<void> {
  const isThere = await lockUpload(trx, organization_id, id);
  const upload = isThere ? await findUploadOfJob(trx, organization_id, id) : undefined;
  if (upload === undefined) throw notFound('This upload');
  await updateUpload(trx, upload, { status: 'CHECKING' });
  await beginSettling(services, trx, upload);
}
