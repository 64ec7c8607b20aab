/** Key sets, discovery documents, tokens and accounts have some kilobytes. */
const MOST_BYTES = 4 << 20;

/**
 * `fetch` for libraries that read whole answers of a server that the operator has configured: an answer that is larger
 * than 4 MB is not read to its end. How long it may take, the libraries say by their signal.
 */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  const answer = await fetch(url, options as RequestInit);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES)
      throw new TypeError(`The answer of ${new URL(url).host} has more than ${MOST_BYTES} bytes.`);
    pieces.push(piece);
  }
  const { status, statusText, headers } = answer;
  const isEmpty = [101, 204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(pieces), { status, statusText, headers });
}
