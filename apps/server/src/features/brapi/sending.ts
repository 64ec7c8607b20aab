import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';

/** Below this a compressed answer is hardly smaller. */
const SMALLEST_BYTES = 1_000;
/** Pages of calls are megabytes of two or three characters: the fastest level makes them ten times smaller. */
const FASTEST = { level: constants.Z_BEST_SPEED };
const compress = promisify(gzip);
/** Up to this length handing the text to another thread costs more than compressing it, which takes a millisecond. */
const LARGEST_IN_PLACE = 200_000;

/**
 * Sends what is read compressed, to whoever takes that, and with a tag: a client that shows the tag of what it has is
 * told that nothing has changed.
 */
export function registerSending(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200) return payload;
    if (typeof payload === 'string' && isTagged(request, reply, payload)) return '';
    if (!isText(reply)) return payload;
    reply.header('vary', 'accept-encoding, authorization');
    if (!takesGzip(request)) return payload;
    if (payload instanceof Readable) {
      asGzip(reply);
      // A failure ends the connection, as it would end that of the plain answer.
      return pipeline(payload, createGzip(FASTEST), () => {});
    }
    if (typeof payload !== 'string' || payload.length < SMALLEST_BYTES) return payload;
    asGzip(reply);
    return payload.length > LARGEST_IN_PLACE ? await compress(payload, FASTEST) : gzipSync(payload, FASTEST);
  });
}

/** Sets the tag; answers 304 when the client has just this. */
function isTagged(request: FastifyRequest, reply: FastifyReply, payload: string): boolean {
  const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
  // Of one person, and asked for again each time.
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  const known = request.headers['if-none-match']?.split(/\s*,\s*/) ?? [];
  if (!known.includes(tag)) return false;
  reply.status(304).removeHeader('content-type').removeHeader('content-length');
  return true;
}

const isText = (reply: FastifyReply): boolean =>
  /^(?:application\/json|text\/)/.test(String(reply.getHeader('content-type') ?? ''));

const takesGzip = ({ headers }: FastifyRequest): boolean =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((one) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one));

const asGzip = (reply: FastifyReply): FastifyReply =>
  reply.removeHeader('content-length').header('content-encoding', 'gzip');
