import { isAtLeast, type Principal, type ProjectAccess } from '../../../platform/http/access.ts';
import { Problem } from '../../../platform/http/problem.ts';

/** A MEMBER may change and delete only entries of his or her own; a MANAGER or OWNER, anything in the project. */
export function requireOwn(access: ProjectAccess, principal: Principal, createdBy: string | null): void {
  if (createdBy === principal.userId || isAtLeast(access.role, 'MANAGER')) return;
  throw new Problem(
    'request/not-allowed',
    'Members change only what they created themselves. Ask whoever created it, or a manager of the project.',
  );
}

/** Refuses everyone except managers and owners of the project; `what` completes "Only a manager may …". */
export function requireManager(access: ProjectAccess, what: string): void {
  if (isAtLeast(access.role, 'MANAGER')) return;
  throw new Problem('request/not-allowed', `Only a manager of the project may ${what}. Ask a manager of the project.`);
}
