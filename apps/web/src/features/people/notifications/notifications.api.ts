import { notificationsApi } from '@heterosis/contracts/endpoints/people/notifications';
import type { Notifications } from '@heterosis/contracts/people/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { guestProject } from '../../../lib/session/browser-session.ts';

export const notificationsQuery = () =>
  queryOptions({
    queryKey: keys.notifications,
    queryFn: ({ signal }) => call(notificationsApi.listNotifications, {}, { signal }),
    enabled: guestProject() === undefined,
  });

/** Marks some, or without `ids` all; at once on the page, so that the count does not lag behind the press. */
export function useMarkRead() {
  const client = useQueryClient();
  const { queryKey } = notificationsQuery();
  return useMutation({
    mutationFn: (ids: readonly string[] | undefined) =>
      call(notificationsApi.markNotificationsRead, { body: ids === undefined ? {} : { ids: [...ids] } }),
    onMutate: (ids) => {
      const now = new Date().toISOString();
      client.setQueryData<Notifications>(queryKey, (before) => {
        if (before === undefined) return before;
        const data = before.data.map((one) =>
          one.read_at === null && (ids?.includes(one.id) ?? true) ? { ...one, read_at: now } : one,
        );
        return { data, unread: data.filter(({ read_at }) => read_at === null).length };
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
