import type { ListEndpoint } from '@heterosis/contracts/endpoint-request';
import { HeterosisError, send } from './send.ts';

/** A list that also comes as one file. */
export type TableEndpoint = ListEndpoint & { table: true };

/** Times that a download which broke off goes on without a byte having come. */
const TRIES = 5;

export async function* tableOf(
  url: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let etag: string | null = null;
  let arrived = 0;
  for (let tries = TRIES; tries > 0; tries--) {
    const goingOn = etag === null ? {} : { range: `bytes=${arrived}-`, 'if-range': etag };
    const answer = await send(new Request(url, { headers: { ...headers, ...goingOn } }), signal);
    if (arrived > 0 && answer.status !== 206)
      throw new HeterosisError('client/changed', 'The rows have changed meanwhile.');
    etag = answer.headers.get('etag');
    try {
      for await (const bytes of answer.body ?? []) {
        arrived += bytes.length;
        tries = TRIES;
        yield bytes;
      }
      return;
    } catch (error) {
      if (signal?.aborted === true || etag === null) throw error;
    }
  }
  throw new HeterosisError('client/connection', `The connection broke off ${TRIES} times.`);
}
