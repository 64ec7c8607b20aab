import { type matchBody, matchResult } from '@heterosis/contracts/match';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../lib/api-client.ts';
import { keys } from '../../lib/query-keys.ts';

export const matchQuery = (projectId: string, body: z.input<typeof matchBody>) =>
  queryOptions({
    queryKey: [...keys.match(projectId), body],
    queryFn: ({ signal }) => api.post(matchResult, `/projects/${projectId}/match`, body, { signal }),
    staleTime: 60_000,
  });
