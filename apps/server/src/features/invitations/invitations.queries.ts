import type { Invitation } from '@heterosis/contracts/invitations';
import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';

/**
 * Invitations to the address of a user; one more than `limit`. None before it is known that he or she reads that mailbox: whoever signed
 * in another way could have given any address.
 */
export async function listReceivedInvitations(
  db: Queryable,
  userId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select invitations.id, coalesce(sender.name, sender.email, '') as sender, recipient, role, invitations.created_at,
      case when projects.id is not null then jsonb_build_object('id', projects.id, 'name', projects.name,
        'created_at', to_char(projects.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'updated_at', to_char(projects.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as project,
      case when organizations.id is not null then jsonb_build_object('id', organizations.id, 'name', organizations.name,
        'created_at', to_char(organizations.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'updated_at', to_char(organizations.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as organization
    from invitations
    join users as addressee on addressee.email = recipient and addressee.email_verified and addressee.id = ${userId}
    left join users as sender on sender.id = invitations.sender_id
    left join projects on projects.id = invitations.project_id and projects.deleted_at is null
    left join organizations on organizations.id = invitations.organization_id and organizations.deleted_at is null
    where (projects.id is not null or organizations.id is not null)
      and (${after ?? null}::uuid is null or invitations.id > ${after ?? null}::uuid)
    order by invitations.id
    limit ${limit + 1}
  `.execute(db);
  return rows;
}
