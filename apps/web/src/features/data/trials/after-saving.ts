import type { Trial } from '@heterosis/contracts/data/trials';

/** Where trials are shown that were just made: one opens, several are seen in the list. */
export const afterSaving = (projectId: string, [first, ...others]: readonly Trial[]) =>
  first !== undefined && others.length === 0
    ? ({ to: '/projects/$projectId/trials/$trialId', params: { projectId, trialId: first.id } } as const)
    : ({ to: '/projects/$projectId/trials', params: { projectId } } as const);
