import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { beginRun } from '../../work/runs/work/index.ts';
import { settleUploadJob } from './jobs.ts';
import { lockUpload, type UploadKey, updateUpload } from './uploads.queries.ts';

/** Has an upload checked, and stored where that is asked for, in the transaction that changes it. */
export const beginSettling = (
  services: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  { organization_id, id }: UploadKey,
  requestedBy: string | null,
): Promise<void> =>
  beginRun(services, trx, settleUploadJob, {
    ...{ organization_id, entity_kind: 'germplasm_upload', entity_id: id, step: 'settle' },
    by: { requested_by: requestedBy },
  });

/** Checks an upload again for an operator, in the name of the person who had asked for it. */
export async function repeatSettling(
  services: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  { requested_by, ...upload }: UploadKey & { requested_by: string | null },
): Promise<void> {
  if (!(await lockUpload(trx, upload.organization_id, upload.id))) throw notFound('This upload');
  await updateUpload(trx, upload, { status: 'CHECKING' });
  await beginSettling(services, trx, upload, requested_by);
}
