import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Database, Queryable } from '../database/database.ts';
import { Problem } from './problem.ts';

/** A request that has not finished after this long was lost with its process, and may be repeated. */
const ABANDONED_SECONDS = 60;
/** A key may be reused after this long. */
const KEPT_HOURS = 24;
const KEY = /^[\x21-\x7e]{1,200}$/;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response shows a secret that is not stored anywhere, so it is not kept for a repeated request. */
    hasSecretAnswer?: boolean;
  }
  interface FastifyRequest {
    idempotencyKey: string | undefined;
  }
}

/**
 * A POST of a signed-in user may carry `Idempotency-Key`: the same request sent twice is executed once, and the
 * second gets the response of the first (with `Idempotent-Replayed: true`). Server errors (5xx) and secrets are not
 * kept; a POST that only reads is executed again.
 */
export function registerIdempotency(app: FastifyInstance, db: Database): void {
  app.decorateRequest('idempotencyKey', undefined);

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    const userId = request.principal?.userId;
    const { readOnly = false } = request.routeOptions.config;
    if (request.method !== 'POST' || readOnly || key === undefined || userId === undefined) return;
    if (typeof key !== 'string' || !KEY.test(key))
      throw new Problem('request/invalid', 'Idempotency-Key must be 1 to 200 printable ASCII characters.');

    const fingerprint = fingerprintOf(request);
    const claimed = await db
      .insertInto('idempotency_keys')
      .values({ user_id: userId, key, fingerprint })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'key'])
          .doUpdateSet({ fingerprint, status: null, body: null, content_type: null, created_at: new Date() })
          .where(
            sql<boolean>`(idempotency_keys.status is null and idempotency_keys.created_at < now() - make_interval(secs => ${ABANDONED_SECONDS}))
              or idempotency_keys.created_at < now() - make_interval(hours => ${KEPT_HOURS})`,
          ),
      )
      .returning('key')
      .executeTakeFirst();
    if (claimed !== undefined) {
      request.idempotencyKey = key;
      return;
    }

    const earlier = await db
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'status', 'body', 'content_type'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst();
    if (earlier !== undefined && !earlier.fingerprint.equals(fingerprint))
      throw new Problem('request/idempotency-mismatch', 'Use a new Idempotency-Key for a new request.');
    if (earlier?.status == null)
      throw new Problem('request/conflict', 'The first request with this Idempotency-Key is still running.', {
        headers: { 'retry-after': '1' },
      });
    reply.status(earlier.status).header('idempotent-replayed', 'true');
    if (earlier.content_type !== null) reply.type(earlier.content_type);
    await reply.serializer((body: string) => body).send(earlier.body ?? '');
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const key = request.idempotencyKey;
    const userId = request.principal?.userId;
    if (key === undefined || userId === undefined) return;
    const row = db.updateTable('idempotency_keys').where('user_id', '=', userId).where('key', '=', key);
    const isText = typeof payload === 'string' || payload === undefined || payload === null;
    if (reply.statusCode >= 500 || !isText || request.routeOptions.config.hasSecretAnswer === true)
      await db.deleteFrom('idempotency_keys').where('user_id', '=', userId).where('key', '=', key).execute();
    else
      await row
        .set({
          status: reply.statusCode,
          body: (payload as string | null | undefined) ?? '',
          content_type: headerText(reply.getHeader('content-type')),
        })
        .execute();
  });
}

/** Deletes responses that are too old to be replayed. */
export async function sweepIdempotencyKeys(db: Queryable): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<string>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute();
}

const headerText = (header: unknown): string | null => (typeof header === 'string' ? header : null);

function fingerprintOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(JSON.stringify(request.body ?? null))
    .digest();
}
