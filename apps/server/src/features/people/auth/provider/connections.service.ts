import type { IncomingMessage, ServerResponse } from 'node:http';
import type { allowConnectionBody, ConnectionRequest } from '@heterosis/contracts/people/connections';
import type Provider from 'oidc-provider';
import { errors, type InteractionResults } from 'oidc-provider';
import type * as z from 'zod';
import type { Database } from '../../../../platform/database/database.ts';
import type { AccessControl, Principal } from '../../../../platform/http/access.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { appOf, nameOfApp } from './apps.ts';
import { ALLOWANCE, type Allowance, APP_TOKEN_DAYS } from './openid-adapter.ts';
import { upsertRecord } from './openid-records.queries.ts';

/** A browser shows by its cookie that it began the request. */
interface Browser {
  request: IncomingMessage;
  reply: ServerResponse;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** From the answer of the person until the app fetches its token. */
const ALLOWANCE_SECONDS = 10 * 60;

export async function findConnectionRequest(
  provider: Provider,
  browser: Browser,
  uid: string,
): Promise<ConnectionRequest> {
  const { params } = await getInteraction(provider, browser, uid);
  const id = params['client_id'];
  return { app: nameOfApp(id), writes: appOf(id)?.writes ?? false, token_days: APP_TOKEN_DAYS };
}

export interface AllowContext {
  db: Database;
  provider: Provider;
  findProjectAccess: AccessControl['findProjectAccess'];
}

export async function allowConnection(
  { db, provider, findProjectAccess }: AllowContext,
  browser: Browser,
  { uid, principal, wanted }: { uid: string; principal: Principal; wanted: z.output<typeof allowConnectionBody> },
): Promise<{ redirect_to: string }> {
  const { params } = await getInteraction(provider, browser, uid);
  const projectIds = wanted.project_ids == null ? null : [...new Set(wanted.project_ids)];
  for (const id of projectIds ?? [])
    if ((await findProjectAccess(principal, id)) === undefined) throw notFound('This project');

  const accountId = principal.userId;
  const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) });
  grant.addOIDCScope('openid');
  const grantId = await grant.save();
  const payload: Allowance = { scopes: [...new Set(wanted.scopes)], projectIds };
  const lifetimeSeconds = ALLOWANCE_SECONDS;
  await upsertRecord(db, { model: ALLOWANCE, id: grantId, payload, grantId, lifetimeSeconds });
  return answerRequest(provider, browser, uid, { login: { accountId, remember: false }, consent: { grantId } });
}

export async function answerRequest(
  provider: Provider,
  browser: Browser,
  uid: string,
  result: InteractionResults,
): Promise<{ redirect_to: string }> {
  await getInteraction(provider, browser, uid);
  return { redirect_to: await provider.interactionResult(browser.request, browser.reply, result) };
}

async function getInteraction(provider: Provider, { request, reply }: Browser, uid: string): Promise<Interaction> {
  try {
    const interaction = await provider.interactionDetails(request, reply);
    if (interaction.uid === uid) return interaction;
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
  }
  throw new Problem(
    'auth/timeout',
    'This request of an app has ended, or it was begun in another browser. Start again in the app.',
  );
}
