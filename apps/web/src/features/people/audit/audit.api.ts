import { auditApi } from '@heterosis/contracts/endpoints/people/audit';
import type { AuditFilter } from '@heterosis/contracts/people/audit';
import { call } from '../../../lib/api/api-client.ts';
import { endlessList } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { type Place, parametersOf } from '../../../lib/browser/place.ts';

/** Undefined: the whole installation. */
type AuditPlace = Place | undefined;

const ENDPOINTS = {
  organization: { list: auditApi.listOfOrganization, csv: auditApi.csvOfOrganization },
  project: { list: auditApi.listOfProject, csv: auditApi.csvOfProject },
  installation: { list: auditApi.listOfInstallation, csv: auditApi.csvOfInstallation },
} as const;

const endpointsOf = (place: AuditPlace) => ENDPOINTS[place?.kind ?? 'installation'];
const within = (place: AuditPlace) => parametersOf(place ?? { kind: 'organization', id: '' });

function keyOf(place: AuditPlace): readonly string[] {
  if (place === undefined) return [...keys.operation, 'audit'];
  return place.kind === 'organization' ? keys.audit(place.id) : [...keys.project(place.id), 'audit'];
}

/** Newest first. */
export const auditListQuery = (place: AuditPlace, filter: AuditFilter) =>
  endlessList({
    queryKey: keyOf(place),
    endpoint: endpointsOf(place).list,
    request: { ...within(place), query: filter },
  });

export async function downloadAudit(place: AuditPlace, filter: AuditFilter): Promise<void> {
  await downloadAnswer(await call(endpointsOf(place).csv, { ...within(place), query: filter }), 'audit.csv');
}
