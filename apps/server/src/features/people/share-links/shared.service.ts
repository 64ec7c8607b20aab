import type { InputOf } from '@heterosis/contracts/endpoint';
import type { shareLinksApi } from '@heterosis/contracts/endpoints/people/share-links';
import type { SharedThing } from '@heterosis/contracts/people/share-links';
import type { ReportQuery } from '@heterosis/contracts/work/runs';
import type { Call, Caller, Download } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type RunKindDefinition, reportNamedRun } from '../../work/runs/kind/index.ts';
import { printReport, type Report } from '../../work/runs/report/index.ts';
import { hashSecret } from '../auth/index.ts';
import { findOpenLink, type OpenLink, updateOpened } from './share-links.queries.ts';
import { countWrongToken, refuseGuesser } from './wrong-tokens.ts';

type PublicCall = Call & Caller & { kinds: readonly RunKindDefinition[] };

/** `POST /shared`. */
export async function openShared(
  call: PublicCall,
  { body: { token } }: InputOf<typeof shareLinksApi.openShared>,
): Promise<SharedThing> {
  const { link, report } = await open(call, { token, page: 'A4' });
  const { page: _paper, project: _project, link: _page, parts, ...content } = report;
  await updateOpened(call.services.db, link.id);
  return { ...content, parts: parts.filter((part) => part.what === 'table'), expires_at: link.expires_at };
}

/** `POST /shared/report`. */
export async function printShared(
  call: PublicCall,
  { body }: InputOf<typeof shareLinksApi.printShared>,
): Promise<Download> {
  return await printReport((await open(call, body)).report);
}

async function open(
  { services, callerIp, kinds }: PublicCall,
  { token, page }: { token: string; page: ReportQuery['page'] },
): Promise<{ link: OpenLink; report: Report }> {
  refuseGuesser(services.db, callerIp);
  const link = await findOpenLink(services.db, hashSecret(token));
  const definition = kinds.find(({ kind }) => kind === link?.entity_kind);
  if (link === undefined || definition === undefined) {
    countWrongToken(services.db, callerIp);
    throw new Problem(
      'share-links/unusable',
      'The link is incomplete, has expired, or was revoked. Ask whoever sent it for a new one.',
    );
  }
  const { project_id: projectId, entity_id: id } = link;
  return { link, report: await reportNamedRun(services, definition, { projectId, id, page, audience: 'link' }) };
}
