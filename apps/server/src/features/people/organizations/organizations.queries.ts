import type { Role } from '@heterosis/contracts/common';
import type { BillingState } from '@heterosis/contracts/people/billing';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';

export interface OrganizationRow {
  id: string;
  name: string;
  description: string | null;
  subscription_id: string | null;
  seat_total: number;
  members_may_create_projects: boolean;
  managers_may_invite_managers: boolean;
  requires_second_factor: boolean;
  share_link_days: number;
  billing_state: BillingState;
  role: Role | null;
  created_at: string;
  updated_at: string;
}

/** Organizations in which a user is a member, or a guest of a project (role null). One row more than `limit`. */
export async function listOrganizations(
  db: Queryable,
  userId: string,
  { limit, after, id }: { limit: number; after?: string | undefined; id?: string },
): Promise<OrganizationRow[]> {
  return await db
    .selectFrom('organizations')
    .leftJoin('organization_members as member', (join) =>
      join.onRef('member.organization_id', '=', 'organizations.id').on('member.user_id', '=', userId),
    )
    .select([
      'organizations.id',
      'organizations.name',
      'organizations.description',
      'organizations.subscription_id',
      'organizations.seat_total',
      'organizations.members_may_create_projects',
      'organizations.managers_may_invite_managers',
      'organizations.requires_second_factor',
      'organizations.share_link_days',
      'organizations.billing_state',
      'member.role',
      'organizations.created_at',
      'organizations.updated_at',
    ])
    .where('organizations.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('member.user_id', 'is not', null),
        where.exists(
          where
            .selectFrom('project_members')
            .innerJoin('projects', 'projects.id', 'project_members.project_id')
            .select('project_members.id')
            .whereRef('projects.organization_id', '=', 'organizations.id')
            .where('projects.deleted_at', 'is', null)
            .where('project_members.user_id', '=', userId),
        ),
      ]),
    )
    .$if(id !== undefined, (query) => query.where('organizations.id', '=', id ?? ''))
    .$if(after !== undefined, (query) => query.where('organizations.id', '>', after ?? ''))
    .orderBy('organizations.id')
    .limit(limit + 1)
    .execute();
}

/** `seats`: without a subscription; undefined for the default of the database. */
export async function insertOrganization(
  db: Queryable,
  name: string,
  ownerId: string,
  seats?: number,
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('organizations')
    .values({ id, name, created_by: ownerId, ...(seats === undefined ? {} : { seat_total: seats }) })
    .execute();
  await db
    .insertInto('organization_members')
    .values({ id: uuidv7(), organization_id: id, user_id: ownerId, role: 'OWNER' })
    .execute();
  return id;
}

export async function updateOrganization(
  db: Queryable,
  id: string,
  change: {
    name?: string;
    description?: string | null;
    members_may_create_projects?: boolean;
    managers_may_invite_managers?: boolean;
    requires_second_factor?: boolean;
    share_link_days?: number;
    deleted_at?: string;
  },
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ ...change, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** What an organization has subscribed to. Set by the feature of billing only. */
export async function updateOrganizationBilling(
  db: Queryable,
  id: string,
  billing: { subscription_id: string; seat_total: number; billing_state: BillingState },
): Promise<void> {
  await db.updateTable('organizations').set(billing).where('id', '=', id).execute();
}
