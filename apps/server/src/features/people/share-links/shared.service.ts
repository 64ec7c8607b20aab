import type { InputOf } from '@heterosis/contracts/endpoint';
import type { shareLinksApi } from '@heterosis/contracts/endpoints/people/share-links';
import type { SharedKind, SharedThing } from '@heterosis/contracts/people/share-links';
import type { ReportQuery } from '@heterosis/contracts/work/runs';
import type { Services } from '../../../platform/http/app.ts';
import type { Call, Caller, Download } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { printReport, type Report } from '../../work/runs/report/index.ts';
import { hashSecret } from '../auth/index.ts';
import { contentOf } from './report-content.ts';
import { findOpenLink, type OpenLink, updateOpened } from './share-links.queries.ts';
import { countWrongToken, refuseGuesser } from './wrong-tokens.ts';

/** The report of a thing for whoever holds a link; undefined for a kind that this version does not know. */
export type ReadShared = (
  services: Services,
  thing: { projectId: string; kind: SharedKind; id: string; page: ReportQuery['page'] },
) => Promise<Report | undefined>;

type PublicCall = Call & Caller & { readShared: ReadShared };

/** `POST /shared`. */
export async function openShared(
  call: PublicCall,
  { body: { token } }: InputOf<typeof shareLinksApi.openShared>,
): Promise<SharedThing> {
  const { link, report } = await open(call, { token, page: 'A4' });
  await updateOpened(call.services.db, link.id);
  return { ...contentOf(report), expires_at: link.expires_at };
}

/** `POST /shared/report`. */
export async function printShared(
  call: PublicCall,
  { body }: InputOf<typeof shareLinksApi.printShared>,
): Promise<Download> {
  return await printReport((await open(call, body)).report);
}

async function open(
  { services, callerIp, readShared }: PublicCall,
  { token, page }: { token: string; page: ReportQuery['page'] },
): Promise<{ link: OpenLink; report: Report }> {
  refuseGuesser(services.db, callerIp);
  const link = await findOpenLink(services.db, hashSecret(token));
  const report = link && (await orNothing(readShared(services, { ...placeOf(link), page })));
  if (link !== undefined && report !== undefined) return { link, report };
  countWrongToken(services.db, callerIp);
  throw new Problem(
    'share-links/unusable',
    'The link is incomplete, has expired, or was revoked. Ask whoever sent it for a new one.',
  );
}

const placeOf = ({ project_id: projectId, entity_kind: kind, entity_id: id }: OpenLink) => ({ projectId, kind, id });

/** Why there is nothing to see, deleted a moment ago or opened again for changes, is not told to strangers. */
const orNothing = (report: Promise<Report | undefined>): Promise<Report | undefined> =>
  report.catch((error: unknown) => {
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  });
