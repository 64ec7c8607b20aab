import { pipeline, Readable, Transform } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';

/** A page of a list has a thousand keys of at most 1,024 bytes. */
const ANSWER_BYTES = 4 << 20;
/** A slower answer is given up. */
const SLOWEST_BYTES_PER_SECOND = 1 << 16;

/**
 * Ends each answer to a client beyond the range that was asked for, or beyond 4 MB where that is none, and one that is
 * not whole after `withinMs` and what its bytes take over a slow line.
 */
export function boundAnswers(client: S3Client, withinMs: number): void {
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request, options) => {
    const { response } = await handle(request, options);
    if (!(response.body instanceof Readable)) return { response };
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers['range'] ?? '') ?? [];
    const isRange = last !== undefined && response.statusCode < 300;
    response.body = bounded(response.body, isRange ? Number(last) - Number(first) + 1 : ANSWER_BYTES, withinMs);
    return { response };
  };
}

function bounded(body: Readable, mostBytes: number, withinMs: number): Readable {
  let bytes = 0;
  const limited = new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      bytes += piece.length;
      if (bytes > mostBytes) done(new Error(`The storage answered with more than ${mostBytes} bytes.`));
      else done(null, piece);
    },
  });
  const ms = withinMs + (1000 * mostBytes) / SLOWEST_BYTES_PER_SECOND;
  const timer = setTimeout(() => {
    const error = new Error(`The storage did not end its answer within ${Math.round(ms / 1000)} s.`);
    limited.destroy(Object.assign(error, { name: 'TimeoutError' }));
  }, ms);
  timer.unref();
  // Whoever reads it learns of an error.
  pipeline(body, limited, () => clearTimeout(timer));
  return limited;
}
