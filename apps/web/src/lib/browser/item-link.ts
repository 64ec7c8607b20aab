import type { ItemKind } from '@heterosis/contracts/people/home';
import type { LinkProps } from '@tanstack/react-router';
import { runLink } from './run-kinds.ts';

/** Where a thing of a project is seen. */
export function itemLink(kind: ItemKind, projectId: string, id: string): Pick<LinkProps, 'to' | 'params' | 'search'> {
  const params = { projectId };
  switch (kind) {
    case 'project':
      return { to: '/projects/$projectId', params };
    case 'file':
      return { to: '/projects/$projectId/files/$fileId', params: { ...params, fileId: id } };
    case 'list':
      return { to: '/projects/$projectId/lists', params, search: { list: id } };
    case 'trial':
      return { to: '/projects/$projectId/trials/$trialId', params: { ...params, trialId: id } };
    case 'decision':
      return { to: '/projects/$projectId/decisions/$decisionId', params: { ...params, decisionId: id } };
    default:
      return runLink(kind, projectId, id);
  }
}
