import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type { Place } from '../browser/place.ts';

/**
 * The first parts of every query key. Events name a kind of thing and its project or organization,
 * so that invalidating a prefix reaches the list and every detail below it.
 */
export const keys = {
  me: ['me'] as const,
  /** Everything on the pages of operators. */
  operation: ['operation'] as const,
  config: ['config'] as const,
  accessTokens: ['access-tokens'] as const,
  sessions: ['sessions'] as const,
  invitations: ['invitations'] as const,
  notifications: ['notifications'] as const,
  organizations: ['organizations'] as const,
  organization: (organizationId: string) => ['organizations', organizationId] as const,
  /** Below the place itself, so that a change of it reaches its people. */
  members: ({ kind, id }: Place) => [`${kind}s`, id, 'members'] as const,
  sentInvitations: ({ kind, id }: Place) => [`${kind}s`, id, 'invitations'] as const,
  deletedProjects: (organizationId: string) => ['organizations', organizationId, 'deleted-projects'] as const,
  deletedOrganizations: ['organizations', 'deleted'] as const,
  /** Below the place itself: links of a project show more or less with its things. */
  shareLinks: ({ kind, id }: Place) => [`${kind}s`, id, 'share-links'] as const,
  webhooks: (organizationId: string) => ['organizations', organizationId, 'webhooks'] as const,
  audit: (organizationId: string) => ['organizations', organizationId, 'audit'] as const,
  /** Below the organization, so that a change of it reaches its plan. */
  billing: (organizationId: string) => ['organizations', organizationId, 'billing'] as const,
  prices: ['prices'] as const,
  checkouts: ['checkouts'] as const,
  allGermplasm: ['germplasm'] as const,
  germplasm: ({ kind, id }: Place) => ['germplasm', kind, id] as const,
  crops: (organizationId: string) => ['organizations', organizationId, 'crops'] as const,
  /** What a person opened lately and made a favourite, with the cards of the projects. */
  home: ['home'] as const,
  projects: ['projects'] as const,
  project: (projectId: string) => ['projects', projectId] as const,
  projectTraits: (projectId: string) => ['projects', projectId, 'traits'] as const,
  overview: (projectId: string) => ['projects', projectId, 'overview'] as const,
  folders: (projectId: string) => ['projects', projectId, 'folders'] as const,
  comments: (projectId: string) => ['projects', projectId, 'comments'] as const,
  lists: (projectId: string) => ['projects', projectId, 'lists'] as const,
  tableViews: (projectId: string) => ['projects', projectId, 'table-views'] as const,
  decisionLines: (projectId: string) => ['projects', projectId, 'decision-lines'] as const,
  decisions: (projectId: string) => ['projects', projectId, 'decisions'] as const,
  trials: (projectId: string) => ['projects', projectId, 'trials'] as const,
  files: (projectId: string) => ['projects', projectId, 'files'] as const,
  uploads: (projectId: string) => ['projects', projectId, 'uploads'] as const,
  bin: (projectId: string) => ['projects', projectId, 'bin'] as const,
  match: (projectId: string) => ['projects', projectId, 'match'] as const,
  /** Everything about the runs of one kind. */
  runs: (kind: RunKind, projectId: string) => ['projects', projectId, RUN_KINDS[kind].path] as const,
};
