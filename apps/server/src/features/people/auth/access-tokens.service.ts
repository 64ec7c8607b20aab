import type { Page } from '@heterosis/contracts/common';
import type { AccessToken, createAccessTokenBody } from '@heterosis/contracts/people/auth';
import type * as z from 'zod';
import { recordAccountEvent } from '../../../platform/audit/audit-events.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { AccessControl, Principal } from '../../../platform/http/access.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import {
  insertAccessToken,
  listAccessTokens,
  type NewAccessToken,
  revokeAccessToken,
} from './access-tokens.queries.ts';
import { hashSecret, makeSecret } from './secret-text.ts';
import { PERSONAL_TOKEN_PREFIX } from './sessions/authenticate.ts';

export async function listOwnAccessTokens(
  db: Database,
  principal: Principal,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<AccessToken>> {
  const before = decodeIdCursor(cursor);
  return toPage(await listAccessTokens(db, principal.userId, { limit: limit + 1, before }), limit, ({ id }) => [id]);
}

/** Creates a token for scripts. Its text is returned here and never again. */
export async function createAccessToken(
  db: Database,
  principal: Principal,
  wanted: z.output<typeof createAccessTokenBody>,
  findProjectAccess: AccessControl['findProjectAccess'],
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
  return row;
}

export async function deleteAccessToken(db: Database, principal: Principal, id: string): Promise<void> {
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
  });
}
