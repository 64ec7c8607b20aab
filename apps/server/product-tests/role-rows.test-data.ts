import type { AccessTokens, RouteGuard } from '@heterosis/contracts/endpoint';
import { CALLERS, type Caller } from '@heterosis/contracts/people/role-table';
import type { RunInputs } from '@heterosis/test-support/run-examples';
import type { BrapiCall } from './brapi-calls.test-data.ts';

/** Allowed, or the status of the refusal. */
export type Verdict = 'allowed' | 401 | 403 | 404;
export type Rule = Record<Caller, Verdict>;

const rule = (signedOut: Verdict, outsider: Verdict, inside: Partial<Rule>, others: Verdict): Rule => {
  const byCaller = CALLERS.map((caller) => [caller, inside[caller] ?? others] as const);
  const operator = inside.operator ?? outsider;
  return { ...(Object.fromEntries(byCaller) as Rule), 'signed-out': signedOut, outsider, operator };
};
const ok = 'allowed';

export const EVERYBODY: Rule = rule(ok, ok, {}, ok);
/** A signature in the address grants access; the test calls it without one. */
export const SIGNATURE: Rule = rule(404, 404, {}, 404);
export const SIGNED_IN: Rule = rule(401, ok, {}, ok);

export const OPERATORS: Rule = rule(401, 404, { operator: ok }, 404);

export const ORGANIZATION: Rule = rule(401, 404, {}, ok);
export const ORGANIZATION_MEMBERS: Rule = rule(401, 404, { member: ok, unjoined: ok, manager: ok, owner: ok }, 403);
export const ORGANIZATION_MANAGERS: Rule = rule(401, 404, { manager: ok, owner: ok }, 403);
export const ORGANIZATION_OWNERS: Rule = rule(401, 404, { owner: ok }, 403);

export const PROJECT: Rule = rule(401, 404, { unjoined: 404 }, ok);
/** Guests see germplasm that the project uses, and no more of the list. */
export const GERMPLASM_WRITERS: Rule = { ...PROJECT, guest: 403 };
/** For rows that somebody else created; the test uses PROJECT for the caller's own rows. */
export const PROJECT_MANAGERS: Rule = { ...PROJECT, guest: 403, member: 403 };
export const PROJECT_OWNERS: Rule = { ...PROJECT_MANAGERS, 'project-manager': 403 };

/** The guard that a route declares for a rule; where the service is stricter, the row says so. */
const GUARDS = new Map<Rule, RouteGuard>([
  [EVERYBODY, 'public'],
  [SIGNATURE, 'public'],
  [SIGNED_IN, 'signed-in'],
  [OPERATORS, 'operator'],
  [ORGANIZATION, { organization: 'GUEST' }],
  [ORGANIZATION_MEMBERS, { organization: 'MEMBER' }],
  [ORGANIZATION_MANAGERS, { organization: 'MANAGER' }],
  [ORGANIZATION_OWNERS, { organization: 'OWNER' }],
  [PROJECT, { project: 'MEMBER' }],
  [PROJECT_MANAGERS, { project: 'MANAGER' }],
  [PROJECT_OWNERS, { project: 'OWNER' }],
]);

/** Ids of existing rows to call routes with. */
export interface Place extends RunInputs {
  organization_id: string;
  project_id: string;
  crop_id: string;
  folder_id: string;
  /** An upload of the caller that has not become a file yet. */
  upload_id: string;
  /** A name that is still free. */
  name: string;
}

export interface RoleRow {
  method: string;
  url: string;
  /** Who may call it; where rows have an owner, who may touch those of others. */
  who: Rule;
  /** The guard that the route declares. It is as strict as the rule, unless the service checks further. */
  guard: RouteGuard;
  /** Everyone in the project may do it to their own rows. */
  isOwn: boolean;
  /** It changes nothing, even when it is not a GET. */
  isReading: boolean;
  query: string | ((place: Place) => string);
  /** The personal access tokens that may call it. */
  accessTokens: AccessTokens;
  body: ((place: Place) => object) | undefined;
  /** Statuses that an allowed caller may get. */
  answers: readonly number[];
  /** Kinds of caller that the test calls it as. */
  callers: readonly Caller[];
}

export interface Call {
  query?: RoleRow['query'];
  body?: (place: Place) => object;
  /** Status when the call cannot succeed in an empty project. */
  answers?: number;
  /** The declared guard, when the service enforces the rest of the rule. */
  guard?: RouteGuard;
  isReading?: boolean;
  accessTokens?: AccessTokens;
  /** Guests of the demo may not, though members of the project read it. */
  closedToGuests?: boolean;
}

/** Guests of the demo read what its members read, and nothing else. */
const ofGuests = (guard: RouteGuard, isOpen: boolean, { guest }: Rule): Verdict => {
  if (guard === 'public') return guest;
  return typeof guard === 'object' && 'project' in guard && guard.project === 'MEMBER' && isOpen ? guest : 403;
};

export const row = (
  method: string,
  url: string,
  who: Rule,
  {
    query = '',
    body,
    answers,
    guard = GUARDS.get(who) ?? 'signed-in',
    isReading = method === 'GET',
    accessTokens,
    closedToGuests = false,
  }: Call = {},
): RoleRow => ({
  method,
  url: `/api${url}`,
  who: { ...who, 'demo-guest': ofGuests(guard, isReading && !closedToGuests, who) },
  guard,
  isOwn: false,
  isReading,
  accessTokens: accessTokens ?? (url.startsWith('/projects/:project_id') ? 'own-projects' : 'unlimited'),
  query,
  body,
  answers: answers === undefined ? [200, 201, 202, 204] : [answers],
  callers: CALLERS,
});

/** The calls of BrAPI are many and have one rule, so fewer kinds of caller are enough. */
export const brapiRow = ({
  method,
  url,
  isPublic = false,
  isWriting = false,
  inProjects,
  answers,
}: BrapiCall): RoleRow => ({
  ...row(method, url, isPublic ? EVERYBODY : SIGNED_IN, {
    answers,
    isReading: method === 'GET' || !(isPublic || isWriting),
    accessTokens: (isPublic || isWriting) && inProjects !== true ? 'unlimited' : 'own-projects',
    ...(method === 'GET' ? {} : { body: () => ({}) }),
  }),
  url,
  callers: ['signed-out', 'outsider'],
});

/** For one's own rows, and for everybody's as manager of the project. */
export const own = (method: string, url: string, call: Call = {}): RoleRow => ({
  ...row(method, url, PROJECT_MANAGERS, { guard: { project: 'MEMBER' }, ...call }),
  isOwn: true,
});
