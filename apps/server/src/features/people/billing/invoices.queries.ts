import type { Invoice } from '@heterosis/contracts/people/billing';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';

/** Invoices of an installation without a payment service. */
const rows = (db: Queryable, organizationId: string) =>
  db
    .selectFrom('invoices')
    .select(['id', 'number', 'description', 'amount', 'currency', 'created_at'])
    .where('organization_id', '=', organizationId);

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

const toInvoice = ({ number, ...row }: Row): Invoice => ({
  ...row,
  number: `H-${String(number).padStart(6, '0')}`,
  status: 'issued',
  download_url: null,
  payment_url: null,
});

/** One more than `limit`, the latest first. */
export async function listInvoiceRows(
  db: Queryable,
  organizationId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<Invoice[]> {
  const page = await rows(db, organizationId)
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return page.map(toInvoice);
}

export async function findInvoice(db: Queryable, organizationId: string, id: string): Promise<Invoice | undefined> {
  const row = await rows(db, organizationId).where('id', '=', id).executeTakeFirst();
  return row && toInvoice(row);
}

export async function insertInvoice(
  db: Queryable,
  organizationId: string,
  invoice: { description: string; amount: number; currency: string },
): Promise<void> {
  await db
    .insertInto('invoices')
    .values({ id: uuidv7(), organization_id: organizationId, ...invoice })
    .execute();
}
