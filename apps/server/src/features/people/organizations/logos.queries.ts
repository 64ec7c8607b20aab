import { randomUUID } from 'node:crypto';
import type { LogoType } from '@heterosis/contracts/people/organizations';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';

interface Logo {
  content_type: LogoType;
  bytes: Buffer;
}

/** Replaces the logo of an organization; null removes it. */
export async function replaceLogo(trx: DatabaseTransaction, organizationId: string, logo: Logo | null): Promise<void> {
  await trx.deleteFrom('organization_logos').where('organization_id', '=', organizationId).execute();
  if (logo !== null)
    await trx
      .insertInto('organization_logos')
      // Not in an order that could be counted on from another.
      .values({ id: randomUUID(), organization_id: organizationId, ...logo })
      .execute();
}

export const findLogo = (db: Queryable, id: string): Promise<Logo | undefined> =>
  db.selectFrom('organization_logos').select(['content_type', 'bytes']).where('id', '=', id).executeTakeFirst();

/** Undefined without a logo. */
export async function findLogoUrl(db: Queryable, organizationId: string): Promise<string | undefined> {
  const logo = await db
    .selectFrom('organization_logos')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return logo && `/api/logos/${logo.id}`;
}
