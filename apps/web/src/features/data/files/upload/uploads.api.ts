import type { Upload } from '@heterosis/contracts/data/file-uploads';
import { fileUploadsApi } from '@heterosis/contracts/endpoints/data/file-uploads';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { listAll } from '../../../../lib/api/pages.ts';
import { keys } from '../../../../lib/api/query-keys.ts';
import { idsUnderWay } from './sending/upload-lock.ts';

/** The person's own uploads in parts that are no files yet: sent at the moment, or broken off. */
export const listUnfinished = (projectId: string, signal: AbortSignal): Promise<Upload[]> =>
  listAll(fileUploadsApi.listUploads, { project_id: projectId }, signal);

/** Those that no tab of this browser is sending. */
export const interruptedUploadsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.uploads(projectId), 'interrupted'],
    queryFn: async ({ signal }) => {
      const unfinished = await listUnfinished(projectId, signal);
      const underWay = unfinished.length === 0 ? undefined : await idsUnderWay();
      return unfinished.filter(({ id }) => !underWay?.has(id));
    },
  });

/** Rejects with 404 when it has become a file meanwhile. */
export async function deleteUpload(projectId: string, id: string): Promise<void> {
  await call(fileUploadsApi.cancelUpload, { project_id: projectId, upload_id: id });
}
