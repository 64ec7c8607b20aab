import { type AuditFilter, auditEntry } from '@heterosis/contracts/people/audit';
import { api } from '../../../lib/api/api-client.ts';
import { endlessListAt } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { type Place, pathOf } from '../../../lib/browser/place.ts';

/** Undefined: the whole installation. */
type AuditPlace = Place | undefined;

const path = (place: AuditPlace): string => `${place === undefined ? '/operator' : pathOf(place)}/audit`;

function keyOf(place: AuditPlace): readonly string[] {
  if (place === undefined) return [...keys.operation, 'audit'];
  return place.kind === 'organization' ? keys.audit(place.id) : [...keys.project(place.id), 'audit'];
}

/** Newest first. */
export const auditListQuery = (place: AuditPlace, filter: AuditFilter) =>
  endlessListAt({
    queryKey: keyOf(place),
    path: path(place),
    item: auditEntry,
    query: { ...filter },
  });

export async function downloadAudit(place: AuditPlace, filter: AuditFilter): Promise<void> {
  await downloadAnswer(await api.stream(`${path(place)}.csv`, { query: { ...filter } }), 'audit.csv');
}
