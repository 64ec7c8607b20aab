import type { GermplasmSort, UpdateGermplasmBody } from '@heterosis/contracts/data/germplasm';
import type { UpdateGermplasmUploadBody } from '@heterosis/contracts/data/germplasm-uploads';
import { germplasmOfOrganizationApi, germplasmOfProjectApi } from '@heterosis/contracts/endpoints/data/germplasm';
import {
  organizationGermplasmUploadsApi,
  projectGermplasmUploadsApi,
} from '@heterosis/contracts/endpoints/data/germplasm-uploads';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { RowLink } from '../../../components/table/data-table.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { endlessList } from '../../../lib/api/pages.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { type Place, parametersOf } from '../../../lib/browser/place.ts';
import type { TablePlace } from '../files/index.ts';

const ENDPOINTS = {
  organization: { ...germplasmOfOrganizationApi, ...organizationGermplasmUploadsApi },
  project: { ...germplasmOfProjectApi, ...projectGermplasmUploadsApi },
} as const;

export interface GermplasmFilter {
  search: string;
  sort: GermplasmSort | undefined;
  /** Of an organization with several crops. */
  cropId?: string | undefined;
  /** Only what the project uses. */
  inProject?: boolean;
}

const PAGE_SIZE = 200;

export const germplasmListQuery = (place: Place, { search, sort, cropId, inProject }: GermplasmFilter) => {
  const query = {
    search: search.trim() === '' ? undefined : search.trim(),
    sort,
    crop_id: cropId,
    in_project: inProject === true ? ('true' as const) : undefined,
  };
  return infiniteQueryOptions({
    queryKey: [...keys.germplasm(place), 'list', query],
    queryFn: ({ pageParam, signal }) =>
      call(
        ENDPOINTS[place.kind].listGermplasms,
        { ...parametersOf(place), query: { ...query, limit: PAGE_SIZE, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
};

/** Germplasm to choose from. */
export const germplasmChoiceQuery = (place: Place, { search, cropId }: { search: string; cropId: string }) =>
  queryOptions({
    queryKey: [...keys.germplasm(place), 'choice', cropId, search],
    queryFn: ({ signal }) =>
      call(
        ENDPOINTS[place.kind].listGermplasms,
        {
          ...parametersOf(place),
          query: {
            search: search === '' ? undefined : search,
            crop_id: place.kind === 'organization' ? cropId : undefined,
            limit: 20,
          },
        },
        { signal },
      ),
  });

export const germplasmQuery = (place: Place, id: string) =>
  queryOptions({
    queryKey: [...keys.germplasm(place), 'one', id],
    queryFn: ({ signal }) => call(ENDPOINTS[place.kind].getGermplasm, { ...parametersOf(place), id }, { signal }),
  });

export const germplasmValuesQuery = (place: Place, id: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.germplasm(place), 'values', id],
    queryFn: ({ pageParam, signal }) =>
      call(
        ENDPOINTS[place.kind].getGermplasmValues,
        { ...parametersOf(place), id, query: { cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

/** Changes are the organization's, whatever page they are made on. */
function useGermplasmMutation<Input, Result>(mutationFn: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: keys.allGermplasm }) });
}

export const useUpdateGermplasm = (organizationId: string, id: string) =>
  useGermplasmMutation((body: UpdateGermplasmBody) =>
    call(germplasmOfOrganizationApi.changeGermplasm, { organization_id: organizationId, id, body }),
  );

export const useMergeGermplasm = (organizationId: string, id: string) =>
  useGermplasmMutation((intoId: string) =>
    queryClient.end(id, () =>
      call(germplasmOfOrganizationApi.mergeGermplasm, {
        organization_id: organizationId,
        id,
        body: { into_id: intoId },
      }),
    ),
  );

export const useDeleteGermplasm = (organizationId: string) =>
  useGermplasmMutation((id: string) =>
    queryClient.end(id, () =>
      call(germplasmOfOrganizationApi.deleteGermplasm, { organization_id: organizationId, id }),
    ),
  );

export const useUndoChange = (organizationId: string) =>
  useGermplasmMutation((changeId: string) =>
    call(germplasmOfOrganizationApi.undoChange, { organization_id: organizationId, id: changeId }),
  );

export async function downloadGermplasm(place: Place, format: 'csv' | 'mcpd', cropId: string | undefined) {
  const query = { format, crop_id: place.kind === 'organization' ? cropId : undefined };
  const table = await call(ENDPOINTS[place.kind].exportGermplasms, { ...parametersOf(place), query });
  await downloadAnswer(table, `germplasm.${format}`);
}

// Uploads

const within = (place: Place, id: string) => ({ ...parametersOf(place), upload_id: id });
const uploadKey = (place: Place, id: string) => [...keys.germplasm(place), 'upload', id] as const;
const POLL_MS = 700;

export const uploadQuery = (place: Place, id: string) =>
  queryOptions({
    queryKey: uploadKey(place, id),
    queryFn: ({ signal }) => call(ENDPOINTS[place.kind].getUpload, within(place, id), { signal }),
    refetchInterval: ({ state }) =>
      state.data?.status === 'CHECKING' || state.data?.status === 'ACCEPTING' ? POLL_MS : false,
  });

/** The start of the uploaded file, as it is read with its header at this place in it. */
export const uploadFirstRowsQuery = (place: Place, id: string, at: TablePlace) =>
  queryOptions({
    queryKey: [...uploadKey(place, id), 'first-rows', at],
    queryFn: ({ signal }) =>
      call(ENDPOINTS[place.kind].getUploadFirstRows, { ...within(place, id), query: { ...at } }, { signal }),
    // Another check may have read the file in another way.
    staleTime: 0,
  });

export type RowsShown = 'all' | 'error' | 'warning' | 'create' | 'change' | 'same' | 'conflict';

/** `checkedAt` tells one check from the next. */
export const uploadRowsQuery = (place: Place, id: string, show: RowsShown, checkedAt: string) =>
  endlessList({
    queryKey: [...uploadKey(place, id), 'rows', checkedAt],
    endpoint: ENDPOINTS[place.kind].getUploadRows,
    request: { ...within(place, id), query: { show } },
  });

export function useStartUpload(place: Place) {
  return useMutation({
    mutationFn: (body: FormData) => call(ENDPOINTS[place.kind].startUpload, { ...parametersOf(place), body }),
  });
}

export function useChangeUpload(place: Place, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateGermplasmUploadBody) =>
      call(ENDPOINTS[place.kind].changeUpload, { ...within(place, id), body }),
    onSuccess: (upload) => client.setQueryData(uploadKey(place, id), upload),
  });
}

export function useAcceptUpload(place: Place, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (confirmsWarnings: boolean) =>
      call(ENDPOINTS[place.kind].acceptUpload, {
        ...within(place, id),
        body: { confirm_warnings: confirmsWarnings },
      }),
    onSuccess: (upload) => client.setQueryData(uploadKey(place, id), upload),
  });
}

export function useCancelUpload(place: Place, id: string) {
  return useMutation({ mutationFn: () => call(ENDPOINTS[place.kind].cancelUpload, within(place, id)) });
}

// Addresses

export const germplasmLink = (place: Place, germplasmId: string): RowLink =>
  place.kind === 'organization'
    ? {
        to: '/organizations/$organizationId/germplasm/$germplasmId',
        params: { organizationId: place.id, germplasmId },
      }
    : { to: '/projects/$projectId/germplasm/$germplasmId', params: { projectId: place.id, germplasmId } };

export const germplasmListLink = (place: Place): RowLink =>
  place.kind === 'organization'
    ? { to: '/organizations/$organizationId/germplasm', params: { organizationId: place.id } }
    : { to: '/projects/$projectId/germplasm', params: { projectId: place.id } };

export const uploadLink = (place: Place, uploadId: string): RowLink =>
  place.kind === 'organization'
    ? {
        to: '/organizations/$organizationId/germplasm/uploads/$uploadId',
        params: { organizationId: place.id, uploadId },
      }
    : { to: '/projects/$projectId/germplasm/uploads/$uploadId', params: { projectId: place.id, uploadId } };
