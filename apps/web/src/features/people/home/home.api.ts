import { homeApi } from '@heterosis/contracts/endpoints/people/home';
import type { Favourites, Home, ItemKind } from '@heterosis/contracts/people/home';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { pollWhile } from '../../../lib/events/live.ts';
import { guestProject } from '../../../lib/session/browser-session.ts';

export const homeQuery = () =>
  queryOptions({
    queryKey: [...keys.home, 'page'],
    queryFn: ({ signal }) => call(homeApi.readHome, {}, { signal }),
    // What was opened since is told by no event.
    refetchOnMount: 'always',
    refetchInterval: (query) => pollWhile(isAnythingRunning(query.state.data)),
  });

const isAnythingRunning = (home: Home | undefined): boolean =>
  home?.projects.some(({ running }) => running > 0) ?? false;

export const favouritesQuery = () =>
  queryOptions({
    queryKey: [...keys.home, 'favourites'],
    queryFn: ({ signal }) => call(homeApi.listFavourites, {}, { signal }),
    enabled: guestProject() === undefined,
  });

/** What is kept of an item. */
export interface Item {
  projectId: string;
  kind: ItemKind;
  id: string;
  name: string;
}

export function useMarkFavourite({ projectId, kind, id }: Pick<Item, 'projectId' | 'kind' | 'id'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (is_favourite: boolean) =>
      call(homeApi.markFavourite, { project_id: projectId, body: { kind, item_id: id, is_favourite } }),
    onSuccess: (_, isFavourite) => {
      // At once, so that the star does not flicker until the list is read again.
      if (!isFavourite)
        client.setQueryData<Favourites>(favouritesQuery().queryKey, (before) =>
          before === undefined ? before : { data: before.data.filter((one) => one.id !== id || one.kind !== kind) },
        );
      return client.invalidateQueries({ queryKey: keys.home });
    },
  });
}

export const recordVisit = ({ projectId, kind, id }: Pick<Item, 'projectId' | 'kind' | 'id'>): Promise<unknown> =>
  call(homeApi.recordVisit, { project_id: projectId, body: { kind, item_id: id } });
