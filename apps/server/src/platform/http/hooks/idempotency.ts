import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/database.ts';
import { answerFailure, toProblem } from '../error-handler.ts';
import { Problem } from '../problem.ts';
import { type KeptAnswer, KeyedRequest } from './keyed-request.ts';

const KEY = /^[\x21-\x7e]{1,200}$/;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request with an Idempotency-Key, until it is answered. */
    keyed: KeyedRequest | undefined;
  }
}

/**
 * A POST of a signed-in user may carry `Idempotency-Key`: the same request sent twice is executed once, and the
 * second gets the response of the first (with `Idempotent-Replayed: true`). What the handler writes is committed with
 * its answer, after a failure of ours (5xx) neither. A POST that only reads is executed again.
 */
export function registerIdempotency(app: FastifyInstance, db: Database): void {
  app.decorateRequest('keyed', undefined);

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    const userId = request.principal?.userId;
    const { readOnly = false } = request.routeOptions.config;
    if (request.method !== 'POST' || readOnly || key === undefined || userId === undefined) return;
    if (typeof key !== 'string' || !KEY.test(key))
      throw new Problem('request/invalid', 'Idempotency-Key must be 1 to 200 printable ASCII characters.');
    const begun = await KeyedRequest.begin(db, { userId, key, fingerprint: fingerprintOf(request) });
    if (begun instanceof KeyedRequest) request.keyed = begun;
    else await replay(reply, begun);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.keyed === undefined) done();
    else request.keyed.transaction.run(done);
  });

  // It must not throw: Fastify would answer by itself, with the message of the error.
  app.addHook('onSend', async (request, reply, payload) => {
    const { keyed } = request;
    if (keyed === undefined) return payload;
    request.keyed = undefined;
    if (reply.statusCode >= 500) {
      await giveUp(request, keyed);
      return payload;
    }
    try {
      await keyed.keep(answerOf(request, reply, payload));
      return payload;
    } catch (error) {
      await giveUp(request, keyed);
      return answerFailure(toProblem(error as FastifyError), error, request, reply);
    }
  });
}

/** {@link KeyedRequest.firstPart} of a request; without a key the work is just done. */
export const firstPart = async (request: FastifyRequest, work: () => Promise<string>): Promise<string> =>
  request.keyed === undefined ? await work() : await request.keyed.firstPart(work);

async function giveUp(request: FastifyRequest, keyed: KeyedRequest): Promise<void> {
  try {
    await keyed.giveUp();
  } catch (error) {
    request.log.warn({ err: error }, 'an Idempotency-Key stays in use for a minute');
  }
}

async function replay(reply: FastifyReply, { status, body, contentType }: KeptAnswer): Promise<void> {
  if (body === null)
    throw new Problem(
      'request/conflict',
      'The request with this Idempotency-Key was carried out. Its answer is not kept, because it may show a secret.',
    );
  reply.status(status).header('idempotent-replayed', 'true');
  if (contentType !== null) reply.type(contentType);
  await reply.serializer((text: string) => text).send(body);
}

function answerOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): KeptAnswer {
  const isText = typeof payload === 'string' || payload === undefined || payload === null;
  const isKept = isText && request.routeOptions.config.hasSecretAnswer !== true;
  const type = reply.getHeader('content-type');
  return {
    status: reply.statusCode,
    body: isKept ? ((payload as string | null | undefined) ?? '') : null,
    contentType: typeof type === 'string' ? type : null,
  };
}

function fingerprintOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(JSON.stringify(request.body ?? null))
    .digest();
}
