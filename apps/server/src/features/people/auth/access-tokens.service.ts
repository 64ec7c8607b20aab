import type { Page } from '@heterosis/contracts/common';
import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { authApi } from '@heterosis/contracts/endpoints/people/auth';
import type { AccessToken } from '@heterosis/contracts/people/auth';
import { recordAccountEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishAccount } from '../../../platform/events/events.ts';
import type { AccessControl, Principal } from '../../../platform/http/access.ts';
import type { SignedInCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { findUser, toSignedInUser } from '../accounts/index.ts';
import {
  insertAccessToken,
  listAccessTokens,
  type NewAccessToken,
  revokeAccessToken,
} from './access-tokens.queries.ts';
import { listUserOrganizations } from './auth.queries.ts';
import { hashSecret, makeSecret } from './secret-text.ts';
import { type Authenticated, PERSONAL_TOKEN_PREFIX } from './sessions/authenticate.ts';

/** What the token of a request may do, that of a session too. */
export async function readTokenInfo({
  services: { db },
  principal,
}: SignedInCall): Promise<AnswerOf<typeof authApi.readTokenInfo>> {
  const { userId, sessionId, scopes, projectIds, expiresAt } = principal as Authenticated;
  const user = await findUser(db, userId);
  if (!user) throw notFound('This account');
  return {
    user: toSignedInUser(user),
    kind: sessionId === null ? 'access_token' : 'session',
    scopes: [...(scopes ?? ['read', 'write'])],
    organizations: projectIds === null ? await listUserOrganizations(db, userId) : [],
    project_ids: projectIds === null ? null : [...projectIds],
    expires_at: expiresAt,
  };
}

export async function listOwnAccessTokens(
  { services: { db }, principal: { userId } }: SignedInCall,
  { query: { limit, cursor } }: InputOf<typeof authApi.listOwnAccessTokens>,
): Promise<Page<AccessToken>> {
  const before = decodeIdCursor(cursor);
  return toPage(await listAccessTokens(db, userId, { limit: limit + 1, before }), limit, ({ id }) => [id]);
}

/** Creates a token for scripts. Its text is returned here and never again. */
export async function createAccessToken(
  { services: { db }, principal, findProjectAccess }: SignedInCall & Pick<AccessControl, 'findProjectAccess'>,
  { body: wanted }: InputOf<typeof authApi.createAccessToken>,
): Promise<AccessToken & { token: string }> {
  const projectIds = wanted.project_ids == null ? null : [...new Set(wanted.project_ids)];
  for (const id of projectIds ?? [])
    if ((await findProjectAccess(principal, id)) === undefined) throw notFound('This project');
  const token = PERSONAL_TOKEN_PREFIX + makeSecret();
  const created = await db.transaction().execute((trx) =>
    storeAccessToken(trx, principal, token, {
      name: wanted.name,
      scopes: [...new Set(wanted.scopes)],
      projectIds,
      expiresInDays: wanted.expires_in_days,
    }),
  );
  return { ...created, token };
}

/** Stores a token of a person, with its trace in the audit log. The projects are ones that the person reaches. */
export async function storeAccessToken(
  trx: Queryable,
  actor: Pick<Principal, 'userId' | 'email'>,
  token: string,
  wanted: Omit<NewAccessToken, 'userId' | 'tokenHash'>,
): Promise<AccessToken> {
  const row = await insertAccessToken(trx, { ...wanted, userId: actor.userId, tokenHash: hashSecret(token) });
  await recordAccountEvent(trx, {
    action: 'access-token.created',
    actor,
    targetType: 'access_token',
    targetId: row.id,
    details: { name: row.name, scopes: row.scopes, project_ids: wanted.projectIds },
  });
  await publishAccount(trx, actor.userId);
  return row;
}

export async function deleteAccessToken(
  { services: { db }, principal }: SignedInCall,
  { id }: InputOf<typeof authApi.deleteAccessToken>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const name = isUuid(id) ? await revokeAccessToken(trx, principal.userId, id) : undefined;
    if (name === undefined) throw notFound('This access token');
    await recordAccountEvent(trx, {
      action: 'access-token.deleted',
      actor: principal,
      targetType: 'access_token',
      targetId: id,
      details: { name },
    });
    await publishAccount(trx, principal.userId);
  });
}
