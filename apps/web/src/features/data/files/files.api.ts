import { traitMeans } from '@heterosis/contracts/adjusted-means';
import {
  canonicalNames,
  type checkFileBody,
  convertedFile,
  type convertFileBody,
  type FileDetail,
  type FileType,
  file,
  fileDetail,
  fileProblems,
  fileUsage,
  type makeHybridsBody,
  type PhenotypeRows,
  type phaseFileBody,
  phenotypeRows,
  type updateFileBody,
} from '@heterosis/contracts/files';
import { fileQc } from '@heterosis/contracts/files-qc';
import { type createFolderBody, folder, folderDetail, type updateFolderBody } from '@heterosis/contracts/folders';
import { firstRows } from '@heterosis/contracts/table-mapping';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
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
      listAll(file, `/projects/${projectId}/files`, {
        query: {
          folder_id: options.folderId,
          root: options.folderId === null ? true : undefined,
          file_type: options.types,
        },
        signal,
      }),
    refetchInterval: (query) => pollWhile(query.state.data?.some((one) => isChecking(one.status)) ?? false),
  });

export const fileQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'detail', fileId],
    queryFn: ({ signal }) => api.get(fileDetail, `/projects/${projectId}/files/${fileId}`, { signal }),
    refetchInterval: (query) => pollWhile(isChecking(query.state.data?.status) || isBeingRead(query.state.data)),
  });

/** Whether another file is being made from this one. */
export const isBeingRead = (one: FileDetail | undefined): boolean =>
  one?.derivations.some(({ status }) => status === 'PROCESSING') ?? false;

export const fileProblemsQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'problems', fileId],
    queryFn: ({ signal }) => readProblems(projectId, fileId, signal),
  });

/** At most 1,000 are kept, so that they are read at once. */
async function readProblems(projectId: string, fileId: string, signal: AbortSignal) {
  const first = await api.get(fileProblems, `/projects/${projectId}/files/${fileId}/problems`, {
    query: { limit: 500 },
    signal,
  });
  if (first.next_cursor === null) return first;
  const rest = await api.get(fileProblems, `/projects/${projectId}/files/${fileId}/problems`, {
    query: { limit: 500, cursor: first.next_cursor },
    signal,
  });
  return { ...first, data: [...first.data, ...rest.data] };
}

/** The start of a table, as it is read as a table of this type with its header at this place. */
export const firstRowsQuery = (projectId: string, fileId: string, place: Place & { file_type?: FileType }) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'first-rows', fileId, place],
    queryFn: ({ signal }) =>
      api.get(firstRows, `/projects/${projectId}/files/${fileId}/first_rows`, { query: { ...place }, signal }),
  });

/** Runs that use a file; it is asked when somebody wants to delete it. */
export const fileUsageQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'usage', fileId],
    queryFn: ({ signal }) => api.get(fileUsage, `/projects/${projectId}/files/${fileId}/usage`, { signal }),
    staleTime: 0,
  });

export const fileQcQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'qc', fileId],
    queryFn: ({ signal }) => api.get(fileQc, `/projects/${projectId}/files/${fileId}/qc`, { signal }),
  });

/** What a conversion to the names of the germplasm list would rename. */
export const canonicalNamesQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'synonyms', fileId],
    queryFn: ({ signal }) => api.get(canonicalNames, `/projects/${projectId}/files/${fileId}/synonyms`, { signal }),
    // The list of germplasm may have changed.
    staleTime: 0,
  });

export const traitMeansQuery = (projectId: string, fileId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.files(projectId), 'means', fileId, trait],
    queryFn: ({ signal }) =>
      api.get(traitMeans, `/projects/${projectId}/files/${fileId}/means`, { query: { trait }, signal }),
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
      api.get(phenotypeRows, `/projects/${projectId}/files/${fileId}/rows`, {
        query: { sort, search: search || undefined, limit: PHENOTYPE_PAGE, cursor: pageParam },
        signal,
      }),
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
        pages.push(await api.get(phenotypeRows, `/projects/${projectId}/files/${fileId}/rows`, { query, signal }));
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
      listAll(folder, `/projects/${projectId}/folders`, {
        query: folderId === null ? { root: true } : { folder_id: folderId },
        signal,
      }),
  });

export const folderQuery = (projectId: string, folderId: string) =>
  queryOptions({
    queryKey: [...keys.folders(projectId), 'detail', folderId],
    queryFn: ({ signal }) => api.get(folderDetail, `/projects/${projectId}/folders/${folderId}`, { signal }),
  });

export function useFolderMutations(projectId: string) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: keys.folders(projectId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createFolderBody>) =>
        api.post(folderDetail, `/projects/${projectId}/folders`, body),
      onSuccess: refresh,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateFolderBody> & { id: string }) =>
        api.put(folderDetail, `/projects/${projectId}/folders/${id}`, body),
      onSuccess: refresh,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.delete(`/projects/${projectId}/folders/${id}`),
      onSuccess: refresh,
    }),
  };
}

export function useFileMutations(projectId: string) {
  const client = useQueryClient();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: keys.files(projectId) });
    await client.invalidateQueries({ queryKey: keys.overview(projectId) });
  };
  return {
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateFileBody> & { id: string }) =>
        api.put(fileDetail, `/projects/${projectId}/files/${id}`, body),
      onSuccess: refresh,
    }),
    check: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof checkFileBody> & { id: string }) =>
        api.post(fileDetail, `/projects/${projectId}/files/${id}/check`, body),
      onSuccess: refresh,
    }),
    phase: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof phaseFileBody> & { id: string }) =>
        api.post(fileDetail, `/projects/${projectId}/files/${id}/phasing`, body),
      onSuccess: refresh,
    }),
    convert: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof convertFileBody> & { id: string }) =>
        api.post(convertedFile, `/projects/${projectId}/files/${id}/synonyms`, body),
      onSuccess: refresh,
    }),
    makeHybrids: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof makeHybridsBody> & { id: string }) =>
        api.post(fileDetail, `/projects/${projectId}/files/${id}/hybrids`, body),
      onSuccess: refresh,
    }),
    /** `path`: the last part of the address at which it was begun. */
    cancelDerivation: useMutation({
      mutationFn: ({ id, path }: { id: string; path: string }) =>
        api.delete(`/projects/${projectId}/files/${id}/${path}`),
      onSuccess: refresh,
    }),
    remove: useMutation({
      mutationFn: ({ id, cascade }: { id: string; cascade?: boolean }) =>
        api.delete(`/projects/${projectId}/files/${id}`, { query: { cascade: cascade ? 'true' : undefined } }),
      onSuccess: refresh,
    }),
  };
}
