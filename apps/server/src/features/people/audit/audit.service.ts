import type { Page } from '@heterosis/contracts/common';
import type { AuditEntry, AuditFilter } from '@heterosis/contracts/people/audit';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type AuditScope, listAuditEvents } from './audit.queries.ts';

type Context = Pick<Services, 'db'>;

export async function readAudit(
  { db }: Context,
  scope: AuditScope,
  { limit, cursor, ...filter }: AuditFilter & { limit: number; cursor?: string | undefined },
): Promise<Page<AuditEntry>> {
  checkPeriod(filter);
  const rows = await listAuditEvents(db, scope, filter, { limit: limit + 1, before: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}

const CSV_BATCH = 1000;
const CSV_HEADER = ['time', 'name', 'e-mail', 'action', 'project', 'target', 'id', 'details'];

/** All events that fit the filter, newest first, read in batches while they are sent. */
export function auditCsv({ db }: Context, scope: AuditScope, filter: AuditFilter): AsyncIterable<string> {
  checkPeriod(filter);
  return csvBatches(db, scope, filter);
}

async function* csvBatches(db: Queryable, scope: AuditScope, filter: AuditFilter): AsyncGenerator<string> {
  yield csvRow(CSV_HEADER);
  let before: string | undefined;
  while (true) {
    const rows = await listAuditEvents(db, scope, filter, { limit: CSV_BATCH, before });
    if (rows.length > 0) yield rows.map(csvOf).join('');
    before = rows.at(-1)?.id;
    if (rows.length < CSV_BATCH) return;
  }
}

const csvOf = ({ created_at, actor, action, project, target_type, target_id, details }: AuditEntry): string =>
  csvRow([
    created_at,
    actor?.name,
    actor?.email,
    action,
    project?.name,
    target_type,
    target_id,
    Object.entries(details)
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join('; '),
  ]);

function checkPeriod({ from, to }: AuditFilter): void {
  if (from === undefined || to === undefined || Date.parse(from) < Date.parse(to)) return;
  throw new Problem('request/invalid', 'query.to: must be later than from.', {
    invalidParams: [{ name: 'query.to', reason: 'must be later than from' }],
  });
}
