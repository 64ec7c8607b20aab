import { Readable } from 'node:stream';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FeatureRoutes } from '../http/app.ts';
import { notFound, Problem } from '../http/problem.ts';
import { contentDisposition } from './content-disposition.ts';
import { ObjectNotFoundError, type ObjectStorage } from './object-storage.ts';
import { type Grant, verifyUrl } from './signed-url.ts';

export interface LocalDiskRoutesOptions {
  storage: ObjectStorage;
  key: Buffer;
  maxUploadBytes: number;
}

/** Files shown in the browser may run and load nothing. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";

/** Signed addresses of the local disk: PUT stores the bytes of an upload, GET returns them, also by range. */
export function localDiskRoutes({ storage, key: secret, maxUploadBytes }: LocalDiskRoutesOptions): FeatureRoutes {
  return (app) => {
    // Treat every body as a stream of bytes, whatever its content type.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    app.put<{ Params: { '*': string } }>(
      '/storage/*',
      { config: { guard: 'public', anyQuery: true }, schema: { hide: true }, bodyLimit: maxUploadBytes },
      async (request, reply) => {
        const grant = verify(request, secret, 'PUT');
        if ((request.headers['content-type'] ?? '') !== grant.contentType)
          throw new Problem('request/invalid', `The upload must be sent with content type ${grant.contentType}.`);
        const length = request.headers['content-length'];
        const expectedBytes = length === undefined ? undefined : Number(length);
        if (expectedBytes !== undefined && expectedBytes > maxUploadBytes)
          throw new Problem(
            'request/too-large',
            `The file is larger than the ${maxUploadBytes} bytes that are allowed.`,
          );
        if (grant.sizeBytes !== undefined && (expectedBytes ?? grant.sizeBytes) !== grant.sizeBytes)
          throw new Problem('request/invalid', `The upload must have exactly ${grant.sizeBytes} bytes.`);
        const { sizeBytes } = await receive(
          storage,
          grant.key,
          { request, reply },
          { maxBytes: grant.sizeBytes ?? maxUploadBytes, expectedBytes: grant.sizeBytes ?? expectedBytes },
        );
        return reply.status(200).send({ size_bytes: sizeBytes });
      },
    );

    app.get<{ Params: { '*': string } }>(
      '/storage/*',
      { config: { guard: 'public', anyQuery: true }, schema: { hide: true } },
      async (request, reply) => {
        const grant = verify(request, secret, 'GET');
        try {
          return await send(await storage.open(grant.key), grant, request, reply);
        } catch (error) {
          if (error instanceof ObjectNotFoundError) throw notFound('This file');
          throw error;
        }
      },
    );
  };
}

function verify(request: FastifyRequest, secret: Buffer, method: 'GET' | 'PUT'): Grant {
  const { '*': key } = request.params as { '*': string };
  const grant = verifyUrl(secret, { method, key, query: request.query as Record<string, unknown> });
  if (grant === 'forged') throw notFound('This link');
  if (grant !== 'expired') return grant;
  if (method === 'PUT')
    throw new Problem('files/upload-expired', 'The upload link has expired. Start the upload again.');
  throw new Problem('request/not-allowed', 'This link has expired. Load the page again for a fresh one.');
}

/** If they are not wanted, the connection stays, so that its client hears why. */
function bytesOf({ body }: FastifyRequest): Uint8Array | AsyncIterable<Uint8Array> {
  return body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : new Uint8Array(0);
}

async function receive(
  storage: ObjectStorage,
  key: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { maxBytes, expectedBytes }: { maxBytes: number; expectedBytes: number | undefined },
) {
  try {
    return await storage.put(key, bytesOf(request), {
      maxBytes,
      ...(expectedBytes === undefined ? {} : { expectedBytes }),
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // The rest of the bytes is not waited for.
    reply.header('connection', 'close');
    if (['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code))
      throw new Problem(
        'files/upload-incomplete',
        'The connection broke before all bytes had arrived. Nothing was saved.',
        {
          cause: error,
        },
      );
    throw error;
  }
}

async function send(
  source: ByteSource,
  grant: Grant,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const range = parseRange(request.headers.range, source.size);
  reply
    .type(grant.contentType ?? 'application/octet-stream')
    .header('content-disposition', contentDisposition(grant.fileName ?? 'file', grant.inline))
    .header('content-security-policy', CONTENT_POLICY)
    .header('cache-control', 'private, max-age=60')
    .header('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') {
    await source.close();
    return reply.status(416).header('content-range', `bytes */${source.size}`).send('');
  }
  const { first, last } = range ?? { first: 0, last: source.size - 1 };
  if (range !== undefined) reply.status(206).header('content-range', `bytes ${first}-${last}/${source.size}`);
  reply.header('content-length', String(last - first + 1));
  // Fastify reads a HEAD response to its end and discards it.
  const chunks = request.method === 'HEAD' ? [] : readRange(source, first, last);
  const bytes = Readable.from(chunks, { objectMode: false });
  // Not after the last byte: a client that leaves before the first one would leave the file open.
  bytes.once('close', () => void source.close());
  return reply.send(bytes);
}

const CHUNK_BYTES = 1 << 20;

async function* readRange(source: ByteSource, first: number, last: number): AsyncGenerator<Uint8Array> {
  for (let offset = first; offset <= last; offset += CHUNK_BYTES)
    yield await source.read(offset, Math.min(CHUNK_BYTES, last - offset + 1));
}

/** A single range of RFC 9110. Several ranges, or others, get the whole file, as the standard allows. */
export function parseRange(
  header: string | undefined,
  size: number,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const suffix = match[1] === '' ? Number(match[2]) : undefined;
  const first = suffix === undefined ? Number(match[1]) : Math.max(0, size - suffix);
  const last = suffix === undefined && match[2] !== '' ? Math.min(Number(match[2]), size - 1) : size - 1;
  return first > last || first >= size ? 'unsatisfiable' : { first, last };
}
