/** Key sets, discovery documents, tokens, accounts and pages of a hundred invoices have less. */
const MOST_BYTES = 4 << 20;
const WITHIN_MS = 30_000;
/** To one host. A service that hardly answers does not hold more of our requests than these. */
const MOST_AT_ONCE = 50;

/** Those of `fetch`, as the types of each library spell them. */
type Options = { [name in keyof RequestInit]?: unknown } & { signal?: AbortSignal | null | undefined };

const underWay = new Map<string, number>();

/**
 * `fetch` for libraries that read whole answers of a server that the operator has configured. An answer that is larger
 * than 4 MB, or takes longer than 30 seconds to its last byte, is not read to its end; the signal of the caller may
 * end it earlier. Redirects are not followed. Throws a `TypeError`, as `fetch` does.
 */
export async function boundedFetch(
  url: string,
  options: Options,
  { withinMs = WITHIN_MS, atOnce = MOST_AT_ONCE }: { withinMs?: number; atOnce?: number } = {},
): Promise<Response> {
  const { host } = new URL(url);
  const others = underWay.get(host) ?? 0;
  if (others >= atOnce) throw new TypeError(`${others} requests to ${host} wait for their answers already.`);
  underWay.set(host, others + 1);
  const limit = AbortSignal.timeout(withinMs);
  const signal = options.signal == null ? limit : AbortSignal.any([options.signal, limit]);
  try {
    return await readWhole(host, await fetch(url, { redirect: 'manual', ...(options as RequestInit), signal }));
  } catch (error) {
    if (!limit.aborted || options.signal?.aborted === true) throw error;
    throw new TypeError(`${host} did not end its answer within ${withinMs / 1000} s.`, { cause: error });
  } finally {
    const left = (underWay.get(host) ?? 1) - 1;
    if (left === 0) underWay.delete(host);
    else underWay.set(host, left);
  }
}

async function readWhole(host: string, answer: Response): Promise<Response> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new TypeError(`The answer of ${host} has more than ${MOST_BYTES} bytes.`);
    pieces.push(piece);
  }
  const { status, statusText, headers } = answer;
  const isEmpty = [101, 204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(pieces), { status, statusText, headers });
}
