import type { InputOf } from '@heterosis/contracts/endpoint';
import type { reportsApi } from '@heterosis/contracts/endpoints/work/reports';
import type { SharedKind } from '@heterosis/contracts/people/share-links';
import type { Services } from '../../../platform/http/app.ts';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { reportOfDecision } from '../decisions/index.ts';
import { type RunKindDefinition, reportNamedRun } from '../runs/kind/index.ts';
import { printReport, type Report } from '../runs/report/index.ts';
import { reportOfProject } from './project-report.ts';
import { reportOfTrial, type ThingReading } from './trial-report.ts';

type Input<Name extends keyof typeof reportsApi> = InputOf<(typeof reportsApi)[Name]>;
type ReportCall = ProjectCall & { definitions: readonly RunKindDefinition[] };

/** The report of a thing by its kind; undefined for a kind that this version does not know. */
export async function readReport(
  services: Services,
  definitions: readonly RunKindDefinition[],
  { kind, ...thing }: ThingReading & { kind: SharedKind; version?: number | undefined },
): Promise<Report | undefined> {
  if (kind === 'decision') return await reportOfDecision(services, thing);
  if (kind === 'trial') return await reportOfTrial(services, thing);
  const definition = definitions.find((one) => one.kind === kind);
  return definition && (await reportNamedRun(services, definition, thing));
}

/** `GET /projects/{p}/report`. */
export async function reportProject(
  { services, access: { projectId }, principal, definitions }: ReportCall,
  { query: { page } }: Input<'reportProject'>,
): Promise<Download> {
  const namesPeople = principal.isGuest !== true;
  return printReport(
    await reportOfProject(services, { projectId, page, audience: 'members', definitions, namesPeople }),
  );
}

/** `GET …/trials/{id}/report`. */
export const reportTrial = (call: ReportCall, { id, query }: Input<'reportTrial'>): Promise<Download> =>
  printed(call, { kind: 'trial', id, ...query });

/** `GET …/decisions/{id}/report`. */
export const reportDecision = (call: ReportCall, { id, query }: Input<'reportDecision'>): Promise<Download> =>
  printed(call, { kind: 'decision', id, ...query });

async function printed(
  { services, access: { projectId }, definitions }: ReportCall,
  thing: Omit<Parameters<typeof readReport>[2], 'projectId' | 'audience'>,
): Promise<Download> {
  const report = await readReport(services, definitions, { ...thing, projectId, audience: 'members' });
  if (report === undefined) throw new Error(`Nothing reports a ${thing.kind}`);
  return printReport(report);
}
