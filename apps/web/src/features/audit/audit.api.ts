import { type AuditFilter, auditEntry } from '@heterosis/contracts/audit';
import { api } from '../../lib/api-client.ts';
import { downloadAnswer } from '../../lib/download.ts';
import { endlessList } from '../../lib/pages.ts';
import { keys } from '../../lib/query-keys.ts';

const path = (organizationId: string | undefined): string =>
  organizationId === undefined ? '/operator/audit' : `/organizations/${organizationId}/audit`;

/** Newest first. */
export const auditListQuery = (organizationId: string | undefined, filter: AuditFilter) =>
  endlessList({
    queryKey: organizationId === undefined ? [...keys.operation, 'audit'] : keys.audit(organizationId),
    path: path(organizationId),
    item: auditEntry,
    query: { ...filter },
  });

export async function downloadAudit(organizationId: string | undefined, filter: AuditFilter): Promise<void> {
  await downloadAnswer(await api.stream(`${path(organizationId)}.csv`, { query: { ...filter } }), 'audit.csv');
}
