import { networkProblem, problemFromResponse } from './problem.ts';
import { silence } from './silence.ts';

/** `fetch` whose every failure is a `Problem`. An aborted request rethrows the abort, which nobody shows. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await silence.watch(fetch(url, init));
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw networkProblem(error);
  }
  if (!response.ok) throw await problemFromResponse(response);
  return response;
}

/** A random UUID, also on plain http where `crypto.randomUUID` does not exist. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
