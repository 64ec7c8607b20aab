import type { Page } from '@heterosis/contracts/common';
import type { AuditEntry, AuditFilter } from '@heterosis/contracts/people/audit';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Call, Download, OrganizationCall, ProjectCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type AuditScope, listAuditEvents } from './audit.queries.ts';

interface Entries extends AuditFilter {
  limit: number;
  cursor?: string | undefined;
}

/** What the endpoints of a place do. */
const placeOf = <Given extends Call>(scopeOf: (call: Given) => AuditScope) => ({
  list: (call: Given, { query }: { query: Entries }): Promise<Page<AuditEntry>> =>
    readAudit(call.services.db, scopeOf(call), query),
  csv: (call: Given, { query }: { query: AuditFilter }): Download => ({
    bytes: auditCsv(call.services.db, scopeOf(call), query),
    fileName: 'audit.csv',
  }),
});

export const { list: listOfOrganization, csv: csvOfOrganization } = placeOf(({ access }: OrganizationCall) => ({
  organization_id: access.organizationId,
}));
export const { list: listOfProject, csv: csvOfProject } = placeOf(({ access }: ProjectCall) => ({
  project_id: access.projectId,
}));
export const { list: listOfInstallation, csv: csvOfInstallation } = placeOf(() => 'installation');

export async function readAudit(
  db: Queryable,
  scope: AuditScope,
  { limit, cursor, ...filter }: Entries,
): Promise<Page<AuditEntry>> {
  checkPeriod(filter);
  const rows = await listAuditEvents(db, scope, filter, { limit: limit + 1, before: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}

const CSV_BATCH = 1000;
const CSV_HEADER = ['time', 'name', 'e-mail', 'action', 'project', 'target', 'id', 'details'];

/** All events that fit the filter, newest first, read in batches while they are sent. */
function auditCsv(db: Queryable, scope: AuditScope, filter: AuditFilter): AsyncIterable<string> {
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
