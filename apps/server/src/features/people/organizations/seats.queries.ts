import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../platform/http/problem.ts';

/**
 * Seats in use: distinct users with any role in the organization or its projects, and addresses with a pending
 * invitation. An address that belongs to one of these users takes no second seat.
 */
export async function countSeats(db: Queryable, organizationId: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select count(*) as used from (${holders(organizationId)}) as holders
  `.execute(db);
  return Number(rows[0]?.used ?? 0);
}

/**
 * Locks the organization and ensures that it has a seat for an address. The lock lasts until the transaction ends, so
 * of two invitations to the last seat one is refused.
 */
export async function requireSeat(trx: Queryable, organizationId: string, email: string): Promise<void> {
  const { rows } = await sql<{ seat_total: number }>`
    select seat_total from organizations where id = ${organizationId} and deleted_at is null for update
  `.execute(trx);
  const total = rows[0]?.seat_total ?? 0;
  const { rows: taken } = await sql<{
    email: string;
  }>`select email from (${holders(organizationId)}) as holders`.execute(trx);
  if (taken.length < total || taken.some((holder) => holder.email === email)) return;
  throw new Problem(
    'organizations/seats-exhausted',
    `All ${total} seats of the organization are taken. Withdraw an invitation, remove a member, or add seats to the plan.`,
    { details: { seat_total: total, seat_usage: taken.length } },
  );
}

/** Ensures that the organization has a seat for everybody who has come back; its row must be locked. */
export async function requireSeatsHeld(trx: Queryable, organizationId: string): Promise<void> {
  const { seat_total } = await trx
    .selectFrom('organizations')
    .select('seat_total')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const usage = await countSeats(trx, organizationId);
  if (usage <= seat_total) return;
  throw new Problem(
    'organizations/seats-exhausted',
    `The organization has ${seat_total} seats and would need ${usage}. Remove people or withdraw invitations, or add seats to the plan.`,
    { details: { seat_total, seat_usage: usage } },
  );
}

const holders = (organizationId: string | RawBuilder<unknown>) => sql`
  select users.email from users where id in (
    select user_id from organization_members where organization_id = ${organizationId}
    union
    select project_members.user_id from project_members
      join projects on projects.id = project_members.project_id
      where projects.organization_id = ${organizationId} and projects.deleted_at is null
  )
  union
  select recipient from invitations
    left join projects on projects.id = invitations.project_id
    where invitations.expires_at > now()
      and (invitations.organization_id = ${organizationId}
        or (projects.organization_id = ${organizationId} and projects.deleted_at is null))
`;

/** As a column of a query of `organizations`. */
export const seatUsage = sql<number>`(select count(*) from (${holders(sql.ref('organizations.id'))}) as holders)::int`;
