import type { PackageImport } from '@heterosis/contracts/data/data-packages';
import { dataPackagesApi } from '@heterosis/contracts/endpoints/operation/data-packages';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { keepTrying, sendFor } from '../../data/files/index.ts';

const keyOf = (projectId: string) => [...keys.project(projectId), 'package-imports'] as const;

/** While one is under way it is asked for every so many milliseconds: its progress has no event of its own. */
const POLL_MS = 1_000;

/** The latest imports of data packages. */
export const packageImportsQuery = (projectId: string) =>
  queryOptions({
    queryKey: keyOf(projectId),
    queryFn: ({ signal }) =>
      call(dataPackagesApi.listPackageImports, { project_id: projectId, query: { limit: 5 } }, { signal }),
    refetchInterval: (query) =>
      query.state.data?.data.some(({ finished_at }) => finished_at === null) === true ? POLL_MS : false,
  });

/** Sends a package and starts its import. */
export function useSendPackage(projectId: string) {
  const client = useQueryClient();
  return async (file: File, signal: AbortSignal, onSent: (bytes: number) => void): Promise<PackageImport> => {
    const patience = { signal, onPause: () => {} };
    const started = await sendFor(
      { projectId, folderId: null, fileType: null, name: file.name, file },
      { ...patience, onStage: () => {}, onBegun: () => {}, onSent },
      (uploadId) =>
        keepTrying(
          () =>
            call(
              dataPackagesApi.startPackageImport,
              { project_id: projectId, body: { upload_id: uploadId, name: file.name } },
              { signal },
            ),
          patience,
        ),
    );
    await client.invalidateQueries({ queryKey: keyOf(projectId) });
    return started;
  };
}

/** Stops an import; nothing of it stays. */
export function useCancelImport(projectId: string) {
  const client = useQueryClient();
  return async (id: string): Promise<void> => {
    await call(dataPackagesApi.cancelPackageImport, { project_id: projectId, id });
    await client.invalidateQueries({ queryKey: keyOf(projectId) });
  };
}
