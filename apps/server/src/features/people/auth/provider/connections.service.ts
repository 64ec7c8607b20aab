import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { connectionsApi } from '@heterosis/contracts/endpoints/people/auth';
import type { ConnectionRequest } from '@heterosis/contracts/people/connections';
import type Provider from 'oidc-provider';
import { errors, type InteractionResults } from 'oidc-provider';
import type { AccessControl } from '../../../../platform/http/access.ts';
import type { SignedInCall } from '../../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { appOf, nameOfApp } from './apps.ts';
import { ALLOWANCE, type Allowance, APP_TOKEN_DAYS } from './openid-adapter.ts';
import type { FindProvider } from './openid-provider.ts';
import { upsertRecord } from './openid-records.queries.ts';

/** What the wiring supplies. */
export type Connecting = { findProvider: FindProvider } & Pick<AccessControl, 'findProjectAccess'>;
type ConnectionCall = SignedInCall & Connecting;

/** The request of an app, and the browser that shows it. */
interface Asked {
  uid: string;
  browser: { request: IncomingMessage; reply: ServerResponse };
}

type Answer = AnswerOf<typeof connectionsApi.allowConnection>;
type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** From the answer of the person until the app fetches its token. */
const ALLOWANCE_SECONDS = 10 * 60;

export async function findConnectionRequest(
  { findProvider }: ConnectionCall,
  asked: Asked,
): Promise<ConnectionRequest> {
  const { params } = await getInteraction(await findProvider(), asked);
  const id = params['client_id'];
  return { app: nameOfApp(id), writes: appOf(id)?.writes ?? false, token_days: APP_TOKEN_DAYS };
}

export async function allowConnection(
  { services: { db }, principal, findProvider, findProjectAccess }: ConnectionCall,
  { body: wanted, ...asked }: InputOf<typeof connectionsApi.allowConnection> & Asked,
): Promise<Answer> {
  const provider = await findProvider();
  const { params } = await getInteraction(provider, asked);
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
  return answer(provider, asked, { login: { accountId, remember: false }, consent: { grantId } });
}

export const refuseConnection = async ({ findProvider }: ConnectionCall, asked: Asked): Promise<Answer> =>
  answer(await findProvider(), asked, {
    error: 'access_denied',
    error_description: 'The person refused.',
  });

async function answer(provider: Provider, asked: Asked, result: InteractionResults): Promise<Answer> {
  const { request, reply } = asked.browser;
  await getInteraction(provider, asked);
  return { redirect_to: await provider.interactionResult(request, reply, result) };
}

async function getInteraction(provider: Provider, { uid, browser }: Asked): Promise<Interaction> {
  try {
    const interaction = await provider.interactionDetails(browser.request, browser.reply);
    if (interaction.uid === uid) return interaction;
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
  }
  throw new Problem(
    'auth/timeout',
    'This request of an app has ended, or it was begun in another browser. Start again in the app.',
  );
}
