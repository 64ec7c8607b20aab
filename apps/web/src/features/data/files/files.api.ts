import type {
  checkFileBody,
  convertFileBody,
  DerivationStep,
  FileDetail,
  FileType,
  makeHybridsBody,
  PhenotypeRows,
  phaseFileBody,
  updateFileBody,
} from '@heterosis/contracts/data/files';
import type { createFolderBody, updateFolderBody } from '@heterosis/contracts/data/folders';
import type { Endpoint } from '@heterosis/contracts/endpoint';
import { convertFileApi } from '@heterosis/contracts/endpoints/data/convert-file';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { foldersApi } from '@heterosis/contracts/endpoints/data/folders';
import { hybridsApi } from '@heterosis/contracts/endpoints/work/hybrids';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { pollWhile } from '../../../lib/events/live.ts';
import type { Place } from './check/column-mapping.ts';

const isChecking = (status: string | undefined): boolean => status === 'UPLOADED' || status === 'CHECKING';

/** Files of one folder (`null`: the root), or of the whole project when `folderId` is undefined. */
export const filesQuery = (
  projectId: string,
  options: { folderId?: string | null; types?: readonly FileType[] } = {},
) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'list', options],
    queryFn: ({ signal }) =>
      listAll(
        filesApi.listFiles,
        {
          project_id: projectId,
          query: {
            folder_id: options.folderId,
            root: options.folderId === null ? true : undefined,
            file_type: options.types,
          },
        },
        signal,
      ),
    refetchInterval: (query) => pollWhile(query.state.data?.some((one) => isChecking(one.status)) ?? false),
  });

export const fileQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'detail', fileId],
    queryFn: ({ signal }) => call(filesApi.getFile, { project_id: projectId, file_id: fileId }, { signal }),
    refetchInterval: (query) => pollWhile(isChecking(query.state.data?.status) || isBeingRead(query.state.data)),
  });

/** Whether another file is being made from this one. */
export const isBeingRead = (one: FileDetail | undefined): boolean =>
  one?.derivations.some(({ status }) => status === 'PROCESSING') ?? false;

/** What the last check found; an answer about an earlier check is never shown beside a later one. */
export const fileProblemsQuery = (
  projectId: string,
  { id: fileId, updated_at: at }: Pick<FileDetail, 'id' | 'updated_at'>,
) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'problems', fileId, at],
    queryFn: ({ signal }) => readProblems(projectId, fileId, signal),
  });

/** At most 1,000 are kept, so that they are read at once. */
async function readProblems(projectId: string, fileId: string, signal: AbortSignal) {
  const first = await call(
    filesApi.getProblems,
    { project_id: projectId, file_id: fileId, query: { limit: 500 } },
    { signal },
  );
  if (first.next_cursor === null) return first;
  const rest = await call(
    filesApi.getProblems,
    { project_id: projectId, file_id: fileId, query: { limit: 500, cursor: first.next_cursor } },
    { signal },
  );
  return { ...first, data: [...first.data, ...rest.data] };
}

/** The start of a table, as it is read as a table of this type with its header at this place. */
export const firstRowsQuery = (projectId: string, fileId: string, place: Place & { file_type?: FileType }) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'first-rows', fileId, place],
    queryFn: ({ signal }) =>
      call(filesApi.getFirstRows, { project_id: projectId, file_id: fileId, query: { ...place } }, { signal }),
  });

/** Runs that use a file; it is asked when somebody wants to delete it. */
export const fileUsageQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'usage', fileId],
    queryFn: ({ signal }) => call(filesApi.getFileUsage, { project_id: projectId, file_id: fileId }, { signal }),
    staleTime: 0,
  });

export const fileQcQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'qc', fileId],
    queryFn: ({ signal }) => call(filesApi.getQc, { project_id: projectId, file_id: fileId }, { signal }),
  });

/** The plants of a genotype by their copies at one marker. */
export const markerClassesQuery = (projectId: string, fileId: string, marker: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'marker_classes', fileId, marker],
    queryFn: ({ signal }) =>
      call(filesApi.getMarkerClasses, { project_id: projectId, file_id: fileId, marker }, { signal }),
  });

/** What a conversion to the names of the germplasm list would rename. */
export const canonicalNamesQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'synonyms', fileId],
    queryFn: ({ signal }) =>
      call(convertFileApi.previewConversion, { project_id: projectId, file_id: fileId }, { signal }),
    // The list of germplasm may have changed.
    staleTime: 0,
  });

export const traitMeansQuery = (projectId: string, fileId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'means', fileId, trait],
    queryFn: ({ signal }) =>
      call(filesApi.getMeans, { project_id: projectId, file_id: fileId, query: { trait } }, { signal }),
  });

const PHENOTYPE_PAGE = 500;

interface PhenotypeRowsOptions {
  sort: string | undefined;
  search: string;
}

export const phenotypeRowsQuery = (projectId: string, fileId: string, { sort, search }: PhenotypeRowsOptions) =>
  infiniteQueryOptions({
    queryKey: [...keys.files(projectId), 'rows', fileId, { sort, search }],
    queryFn: ({ pageParam, signal }) =>
      call(
        filesApi.getRows,
        {
          project_id: projectId,
          file_id: fileId,
          query: { sort, search: search || undefined, limit: PHENOTYPE_PAGE, cursor: pageParam },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });

/** Every individual of a phenotype file. */
export const allPhenotypeRowsQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'rows', fileId, 'whole'],
    queryFn: async ({ signal }) => {
      const pages: PhenotypeRows[] = [];
      do {
        const query = { limit: PHENOTYPE_PAGE, cursor: pages.at(-1)?.next_cursor ?? undefined };
        pages.push(await call(filesApi.getRows, { project_id: projectId, file_id: fileId, query }, { signal }));
      } while (pages.at(-1)?.next_cursor != null);
      return { traits: pages[0]?.traits ?? [], rows: pages.flatMap(({ data }) => data) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Folders inside a folder; `null` is the root. */
export const foldersQuery = (projectId: string, folderId: string | null) =>
  queryOptions({
    queryKey: [...keys.folders(projectId), 'list', folderId],
    queryFn: ({ signal }) =>
      listAll(
        foldersApi.listFolders,
        { project_id: projectId, query: folderId === null ? { root: true } : { folder_id: folderId } },
        signal,
      ),
  });

export const folderQuery = (projectId: string, folderId: string) =>
  queryOptions({
    queryKey: [...keys.folders(projectId), 'detail', folderId],
    queryFn: ({ signal }) => call(foldersApi.getFolder, { project_id: projectId, folder_id: folderId }, { signal }),
  });

export function useFolderMutations(projectId: string) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: keys.folders(projectId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createFolderBody>) =>
        call(foldersApi.createFolder, { project_id: projectId, body }),
      onSuccess: refresh,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateFolderBody> & { id: string }) =>
        call(foldersApi.updateFolder, { project_id: projectId, folder_id: id, body }),
      onSuccess: refresh,
    }),
    remove: useMutation({
      mutationFn: (id: string) =>
        queryClient.end(id, () => call(foldersApi.deleteFolder, { project_id: projectId, folder_id: id })),
      onSuccess: refresh,
    }),
  };
}

const CANCEL = {
  phase: filesApi.cancelPhasing,
  hybrids: hybridsApi.cancelHybrids,
  convert: convertFileApi.cancelConversion,
} as const satisfies Record<DerivationStep, Endpoint>;

export function useFileMutations(projectId: string) {
  const client = useQueryClient();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: keys.files(projectId) });
    await client.invalidateQueries({ queryKey: keys.overview(projectId) });
  };
  return {
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateFileBody> & { id: string }) =>
        call(filesApi.updateFile, { project_id: projectId, file_id: id, body }),
      onSuccess: refresh,
    }),
    check: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof checkFileBody> & { id: string }) =>
        call(filesApi.checkFile, { project_id: projectId, file_id: id, body }),
      onSuccess: refresh,
    }),
    phase: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof phaseFileBody> & { id: string }) =>
        call(filesApi.phaseFile, { project_id: projectId, file_id: id, body }),
      onSuccess: refresh,
    }),
    convert: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof convertFileBody> & { id: string }) =>
        call(convertFileApi.convertFile, { project_id: projectId, file_id: id, body }),
      onSuccess: refresh,
    }),
    makeHybrids: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof makeHybridsBody> & { id: string }) =>
        call(hybridsApi.makeHybrids, { project_id: projectId, file_id: id, body }),
      onSuccess: refresh,
    }),
    cancelDerivation: useMutation({
      mutationFn: ({ id, step }: { id: string; step: DerivationStep }) =>
        call(CANCEL[step], { project_id: projectId, file_id: id }),
      onSuccess: refresh,
    }),
    remove: useMutation({
      mutationFn: ({ id, cascade }: { id: string; cascade?: boolean }) =>
        queryClient.end(id, () =>
          call(filesApi.deleteFile, {
            project_id: projectId,
            file_id: id,
            query: { cascade: cascade ? 'true' : undefined },
          }),
        ),
      onSuccess: refresh,
    }),
  };
}
