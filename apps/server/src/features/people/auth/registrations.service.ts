import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Database, DatabaseTransaction } from '../../../platform/database/database.ts';
import {
  ensureUser,
  findLatestRegistration,
  findUserByEmail,
  insertDecidedRegistration,
  lockRegistrations,
  type User,
  updatePendingRegistration,
} from '../accounts/index.ts';

/** The effect of a decision on one address; repeating a decision changes nothing. */
export type Decision =
  | { email: string; outcome: 'approved'; user: User; returnTo: string | null }
  | { email: string; outcome: 'rejected' | 'already-registered' | 'already-rejected' };

/** Addresses that cannot be decided on, and why. */
export class UndecidableRegistrationsError extends Error {
  readonly reasons: { email: string; code: 'no-request' | 'has-account' }[];

  constructor(reasons: UndecidableRegistrationsError['reasons']) {
    super(`Not to be decided: ${reasons.map(({ email, code }) => `${email} (${code})`).join(', ')}`);
    this.name = 'UndecidableRegistrationsError';
    this.reasons = reasons;
  }
}

/** Who decides: somebody signed in, or an account at the console, which has no id. */
export interface Operator {
  userId?: string;
  email: string;
}

/**
 * Approves requests, also ones rejected earlier. All of them or, when an address never requested an account, none
 * ({@link UndecidableRegistrationsError}). The caller sends the mails after the commit.
 */
export function approveRegistrations(db: Database, emails: readonly string[], operator: Operator): Promise<Decision[]> {
  return decideAll(db, emails, async (trx, email) => {
    if ((await findUserByEmail(trx, email)) !== undefined) return { email, outcome: 'already-registered' };
    const registration = await findLatestRegistration(trx, email);
    if (registration === undefined) return 'no-request';
    await insertDecidedRegistration(trx, email, { status: 'APPROVED', decidedBy: operator.email });
    const user = await ensureUser(trx, email);
    await recordAuditEvent(trx, {
      action: 'registration.approved',
      actor: operator,
      targetType: 'user',
      targetId: user.id,
      details: { email },
    });
    return { email, outcome: 'approved', user, returnTo: registration.return_to };
  });
}

/** Rejects requests, all of them or none. Refused for addresses that already have an account. */
export function rejectRegistrations(
  db: Database,
  emails: readonly string[],
  operator: Operator,
  reason: string | undefined,
): Promise<Decision[]> {
  return decideAll(db, emails, async (trx, email) => {
    if ((await findUserByEmail(trx, email)) !== undefined) return 'has-account';
    const rejected = await updatePendingRegistration(trx, email, { status: 'REJECTED', decidedBy: operator.email });
    if (rejected === undefined)
      return (await findLatestRegistration(trx, email)) === undefined
        ? 'no-request'
        : { email, outcome: 'already-rejected' };
    await recordAuditEvent(trx, {
      action: 'registration.rejected',
      actor: operator,
      targetType: 'registration',
      targetId: rejected.id,
      details: { email, ...(reason === undefined ? {} : { reason }) },
    });
    return { email, outcome: 'rejected' };
  });
}

type Refusal = UndecidableRegistrationsError['reasons'][number]['code'];

async function decideAll(
  db: Database,
  emails: readonly string[],
  decide: (trx: DatabaseTransaction, email: string) => Promise<Decision | Refusal>,
): Promise<Decision[]> {
  return db.transaction().execute(async (trx) => {
    await lockRegistrations(trx);
    const decisions: Decision[] = [];
    const refused: UndecidableRegistrationsError['reasons'] = [];
    for (const email of new Set(emails.map((one) => one.toLowerCase()))) {
      const decision = await decide(trx, email);
      if (typeof decision === 'string') refused.push({ email, code: decision });
      else decisions.push(decision);
    }
    if (refused.length > 0) throw new UndecidableRegistrationsError(refused);
    return decisions;
  });
}
