import type { AccessTokens, RouteGuard } from '@heterosis/contracts/endpoint';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { type AccessControl, isAtLeast, type OrganizationAccess, type Principal } from './access.ts';
import { isApiAddress } from './api-route.ts';
import { notFound, Problem } from './problem.ts';
import { isUuid } from './uuid.ts';

/** One registered API route, as the table-driven role test walks them. */
export interface GuardedRoute {
  method: string;
  url: string;
  guard: RouteGuard;
  /** It changes nothing: a token that may only read may call it, and so may members who may only read. */
  isReading: boolean;
  accessTokens: AccessTokens;
  needsProof: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    guardedRoutes: GuardedRoute[];
  }
}

/** Makes every route under /api declare who may call it, and checks that before body and query are looked at. */
export function registerGuards(app: FastifyInstance, access: AccessControl): void {
  app.decorate('guardedRoutes', []);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('organizationAccess', undefined);
  app.decorateRequest('projectAccess', undefined);

  app.addHook('onRoute', (route) => {
    if (!isApiAddress(route.url)) return;
    const guard = declaredGuard(route);
    for (const method of [route.method].flat())
      if (method !== 'HEAD' && method !== 'OPTIONS')
        app.guardedRoutes.push({
          method,
          url: route.url,
          guard,
          isReading: route.config?.readOnly ?? method === 'GET',
          accessTokens: accessTokensOf(route.config?.accessTokens, guard),
          needsProof: route.config?.needsProof === true,
        });
  });
  app.addHook('onRequest', async (request) => {
    const guard = request.routeOptions.config.guard;
    if (guard !== undefined && guard !== 'public') await authorize(request, guard, access);
  });
}

function declaredGuard(route: RouteOptions): RouteGuard {
  const guard = route.config?.guard;
  const name = `${[route.method].flat().join('|')} ${route.url}`;
  if (guard === undefined) throw new Error(`${name} does not declare its guard`);
  if (typeof guard === 'object') {
    const parameter = 'organization' in guard ? ':organization_id' : ':project_id';
    if (!route.url.split('/').includes(parameter)) throw new Error(`${name} is guarded by ${parameter} and has none`);
  }
  return guard;
}

async function authorize(
  request: FastifyRequest,
  guard: Exclude<RouteGuard, 'public'>,
  access: AccessControl,
): Promise<void> {
  const principal = await access.authenticate(request);
  if (principal === undefined)
    throw new Problem('auth/missing-token', 'This needs a signed-in user: sign in and try again.');
  request.principal = principal;
  if (principal.isGuest) requireOpenToGuests(request, guard);
  checkScope(request, principal.scopes);
  checkAccessToken(request, guard, principal);
  const { beforeSecondFactor, needsProof } = request.routeOptions.config;
  if (!beforeSecondFactor) requireSecondFactor(principal);
  if (needsProof && !principal.isFresh)
    throw new Problem(
      'auth/requires-recent-login',
      'Confirm first that it is you (`GET /api/auth/proof` says how), or sign in again.',
    );
  if (guard === 'signed-in') return;
  if (guard === 'operator') {
    // A personal access token lies in some script: what it may do ends at its owner's own data.
    if (principal.sessionId === null || !(await access.isOperator(principal))) throw notFound();
    return;
  }

  const params = request.params as Record<string, string>;
  if ('organization' in guard) {
    const id = params['organization_id'] ?? '';
    const found = isUuid(id) ? await access.findOrganizationAccess(principal, id) : undefined;
    if (found === undefined) throw notFound('This organization');
    if (!isAtLeast(found.role, guard.organization)) throw notAllowed('organization', guard.organization);
    if (!worksUnpaid(request)) requirePaid(found);
    request.organizationAccess = found;
    await access.recordActivity({ ...activityOf(request, principal), organizationId: id, projectId: null });
  } else {
    const id = params['project_id'] ?? '';
    const isReached = isUuid(id) && (principal.projectIds?.includes(id.toLowerCase()) ?? true);
    const found = isReached ? await access.findProjectAccess(principal, id) : undefined;
    if (found === undefined) throw notFound('This project');
    if (found.role !== 'GUEST' && !isAtLeast(found.role, guard.project)) throw notAllowed('project', guard.project);
    if (found.readOnly && !isReading(request) && request.routeOptions.config.readersMayCall !== true)
      throw new Problem(
        'request/not-allowed',
        'Members of this project may only read. Ask a manager or an owner of the project.',
      );
    if (!worksUnpaid(request)) requirePaid(found);
    request.projectAccess = found;
    const { organizationId } = found;
    if (!principal.isGuest)
      await access.recordActivity({ ...activityOf(request, principal), organizationId, projectId: id });
  }
}

/** Guests of the demo read what its members read, and nothing else. */
function requireOpenToGuests(request: FastifyRequest, guard: Exclude<RouteGuard, 'public'>): void {
  const isForMembers = typeof guard === 'object' && 'project' in guard && guard.project === 'MEMBER';
  if (isForMembers && isReading(request) && request.routeOptions.config.closedToGuests !== true) return;
  throw new Problem(
    'auth/guest-may-not',
    'You look at the demo as a guest: everything can be opened, and nothing is changed. Sign in to work with data of your own.',
  );
}

const activityOf = (request: FastifyRequest, { userId }: Principal) => ({ userId, isReading: isReading(request) });

function checkScope(request: FastifyRequest, scopes: readonly string[] | null): void {
  const needed = isReading(request) ? 'read' : 'write';
  if (scopes === null || scopes.includes(needed) || (needed === 'read' && scopes.includes('write'))) return;
  throw new Problem('auth/insufficient-scope', `The access token lacks the scope "${needed}".`);
}

const accessTokensOf = (declared: AccessTokens | undefined, guard: RouteGuard): AccessTokens =>
  declared ?? (typeof guard === 'object' && 'project' in guard ? 'own-projects' : 'unlimited');

/** Projects that the token is limited to are compared later, with the id in the address. */
function checkAccessToken(
  request: FastifyRequest,
  guard: RouteGuard,
  { sessionId, projectIds, isGuest }: Principal,
): void {
  if (sessionId !== null || isGuest) return;
  const allowed = accessTokensOf(request.routeOptions.config.accessTokens, guard);
  if (allowed === 'none')
    throw new Problem('auth/insufficient-scope', 'An access token may not do this. Sign in to do it.');
  if (allowed === 'unlimited' && projectIds !== null)
    throw new Problem('auth/insufficient-scope', 'This access token is limited to projects. Use one without limits.');
}

/** Refuses whoever has not set up the second factor that an organization demands. */
function requireSecondFactor({ lacksSecondFactor }: Pick<Principal, 'lacksSecondFactor'>): void {
  if (lacksSecondFactor)
    throw new Problem(
      'auth/second-factor-demanded',
      'An organization of yours demands a second factor to sign in. Set one up under My account.',
    );
}

function isReading(request: FastifyRequest): boolean {
  return request.routeOptions.config.readOnly ?? ['GET', 'HEAD'].includes(request.method);
}

/** Reading, and taking away: leaving, withdrawing, deleting. */
function worksUnpaid(request: FastifyRequest): boolean {
  return isReading(request) || request.method === 'DELETE' || request.routeOptions.config.worksUnpaid === true;
}

/** Refuses to change anything in an organization whose subscription is past due or cancelled. */
export function requirePaid({
  billingState,
  organizationId,
}: Pick<OrganizationAccess, 'billingState' | 'organizationId'>): void {
  if (billingState === 'active') return;
  throw new Problem(
    'billing/read-only',
    billingState === 'past_due'
      ? 'The last payment of the organization failed. Until it is paid you can read, download and delete, but not add or change anything. Ask an owner to pay on the billing page.'
      : 'The subscription of the organization has ended. You can read, download and delete, but not add or change anything. Ask an owner to subscribe again on the billing page.',
    { details: { billing_state: billingState, organization_id: organizationId } },
  );
}

/** 403 for a member who lacks the role; the sentence says who can help. */
export function notAllowed(scope: 'organization' | 'project', lowest: string): Problem {
  const who = lowest === 'OWNER' ? 'an owner' : lowest === 'MANAGER' ? 'a manager or an owner' : 'a member';
  return new Problem('request/not-allowed', `Only ${who} of the ${scope} may do this. Ask ${who} of the ${scope}.`);
}
