import { AUDIT_AREAS, type AuditArea, type AuditFilter, auditActions } from '@heterosis/contracts/people/audit';

/** The filter as it stands in the address; days are those of the reader. */
export interface AuditSearch {
  person?: string | undefined;
  /** An area, or an action. */
  what?: string | undefined;
  /** `YYYY-MM-DD` */
  from?: string | undefined;
  /** The last day that is shown. */
  to?: string | undefined;
}

/** What the server is asked for. What the address holds besides is left out. */
export function filterOf({ person, what, from, to }: AuditSearch): AuditFilter {
  const area = AUDIT_AREAS.find((one): one is AuditArea => one === what);
  const action = auditActions.find((one) => one === what);
  const [start, end] = [startOfDay(from, 0), startOfDay(to, 1)];
  return {
    ...(person?.trim() ? { person: person.trim() } : {}),
    ...(area === undefined ? {} : { area }),
    ...(action === undefined ? {} : { action }),
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end }),
  };
}

function startOfDay(day: string | undefined, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  const time = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
