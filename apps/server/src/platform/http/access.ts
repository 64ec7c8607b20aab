import type { Role } from '@heterosis/contracts/common';
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

/**
 * Who may call a route. `operator` is for sessions of operators; for all others the address does not exist.
 * `organization` and `project` name the lowest role that may; the address must then have the parameter
 * `organization_id` or `project_id`. Rules about single rows ("own entries only") are the service's.
 */
export type RouteGuard = 'public' | 'signed-in' | 'operator' | { organization: Role | 'GUEST' } | { project: Role };

/**
 * The personal access tokens that may call a route. `own-projects`: all; one that is limited to projects reaches just
 * those (the default of routes of a project). `unlimited`: only those that are not limited (the default elsewhere).
 * `none`: a person has to be signed in.
 */
export type AccessTokens = 'own-projects' | 'unlimited' | 'none';

declare module 'fastify' {
  interface FastifyContextConfig {
    guard?: RouteGuard;
    /** true: a POST that only reads, so a read-only access token may call it. false: a GET that changes something. */
    readOnly?: boolean;
    /** It changes something and works all the same while the organization is not paid for. */
    worksUnpaid?: boolean;
    /** Members of a project who may only read may call it all the same; the service checks what it is about. */
    readersMayCall?: boolean;
    /** It reads in a project, and guests of the demo may not: it is about people, or about the caller's own things. */
    closedToGuests?: boolean;
    accessTokens?: AccessTokens;
    /** The person has to have signed in, or confirmed again who he or she is, a few minutes ago. */
    needsProof?: boolean;
    /** It serves also who has not set up yet the second factor that an organization demands. */
    beforeSecondFactor?: boolean;
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
