import type { Role } from '@heterosis/contracts/common';
import type { EndpointRules, RouteGuard } from '@heterosis/contracts/endpoint';
import type { BillingState } from '@heterosis/contracts/people/billing';
import type { FastifyRequest } from 'fastify';

/** Who makes a request. */
export interface Principal {
  userId: string;
  email: string;
  /** Null for a personal access token. */
  sessionId: string | null;
  /** Nobody in particular, who looks at the demo (docs/decisions/0037). */
  isGuest?: true;
  /** Null: everything the user may do. Otherwise the scopes of the access token, `read` and `write`. */
  scopes: readonly string[] | null;
  /** Null: every project of the user. Otherwise the only ones that the access token reaches. */
  projectIds: readonly string[] | null;
  /** The person signed in, or confirmed again who he or she is, a few minutes ago. */
  isFresh: boolean;
  /** An organization of the person demands a second factor, and the account has none. */
  lacksSecondFactor: boolean;
}

export interface OrganizationAccess {
  organizationId: string;
  /** GUEST: not a member, but in one of its projects. */
  role: Role | 'GUEST';
  /** Managers and owners, and members where the organization allows it. */
  mayCreateProjects: boolean;
  /** Owners, and managers where the organization allows it. */
  mayInviteManagers: boolean;
  /** Other than active: the organization can only be read. */
  billingState: BillingState;
}

export interface ProjectAccess {
  projectId: string;
  organizationId: string;
  /** The higher of the role in the project and the one that the role in the organization gives. GUEST: of the demo. */
  role: Role | 'GUEST';
  /** Null: not joined; reached as owner or manager of the organization. */
  projectRole: Role | null;
  /** Null: a guest, invited to the project only. */
  organizationRole: Role | null;
  /** The caller is a member of a project in which members may only read. */
  readOnly: boolean;
  /** Of the organization. Other than active: the project can only be read. */
  billingState: BillingState;
}

/** What a caller may receive in the event stream. */
export interface VisibleScopes {
  organizationIds: string[];
  projectIds: string[];
}

/** A permitted request in an organization or a project. */
export interface Activity {
  userId: string;
  organizationId: string;
  /** Null: not in a project. */
  projectId: string | null;
  isReading: boolean;
}

/** Access questions that the features auth, organizations and projects answer; wired by the entry point. */
export interface AccessControl {
  /**
   * Undefined when the request carries no token; throws a `Problem` with an `auth/…` code when it carries a bad one.
   */
  authenticate(request: FastifyRequest): Promise<Principal | undefined>;
  /** Undefined when there is no such organization or the person has no part in it. */
  findOrganizationAccess(principal: Principal, organizationId: string): Promise<OrganizationAccess | undefined>;
  findProjectAccess(principal: Principal, projectId: string): Promise<ProjectAccess | undefined>;
  isOperator(principal: Principal): Promise<boolean>;
  listVisibleScopes(principal: Principal): Promise<VisibleScopes>;
  /** Called after every guard of an organization or a project has let a request through. Never throws. */
  recordActivity(activity: Activity): Promise<void>;
  /**
   * Whether the session or access token of a long request is still valid. The token that it began with may have
   * expired since.
   */
  isStillSignedIn(principal: Principal, request: FastifyRequest): Promise<boolean>;
}

declare module 'fastify' {
  interface FastifyContextConfig extends EndpointRules {
    guard?: RouteGuard;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
    organizationAccess: OrganizationAccess | undefined;
    projectAccess: ProjectAccess | undefined;
  }
}

/** The caller; only for routes whose guard is not `public`. */
export function requirePrincipal(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new Error(`${request.routeOptions.url}: its guard lets nobody be known`);
  return request.principal;
}

const RANK = { GUEST: 0, MEMBER: 1, MANAGER: 2, OWNER: 3 } as const;

export function isAtLeast(role: Role | 'GUEST', lowest: Role | 'GUEST'): boolean {
  return RANK[role] >= RANK[lowest];
}
