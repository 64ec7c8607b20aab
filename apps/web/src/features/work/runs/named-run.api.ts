import { singleRunEndpoints } from '@heterosis/contracts/endpoints/work/run-endpoints';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** What runs of all kinds have. */
const namedRun = z.object({ name: z.string(), description: z.string().nullable() });
export type NamedRun = z.infer<typeof namedRun>;

/** The endpoints of a run of any kind, reading only what all kinds have. */
export const namedRunEndpoints = (kind: RunKind) => singleRunEndpoints(kind, namedRun);

/** Name and description of a run; at once where its page has been read already. */
export function useNamedRun(kind: RunKind, projectId: string, id: string) {
  const client = useQueryClient();
  return useQuery({
    // Not the key of the page: what is kept here is a part of that answer.
    queryKey: [...keys.runs(kind, projectId), 'name', id],
    queryFn: ({ signal }) => call(namedRunEndpoints(kind).readRun, { project_id: projectId, id }, { signal }),
    placeholderData: () => client.getQueryData<NamedRun>([...keys.runs(kind, projectId), 'detail', id]),
  });
}
