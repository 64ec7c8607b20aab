import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestTo } from '@heterosis/contracts/endpoint';
import {
  answerOf,
  type CallEndpoint,
  type ItemOf,
  type ListEndpoint,
  requestOf,
  rowsOf,
} from '@heterosis/contracts/endpoint-request';
import { inputError } from '../command.ts';
import type { Credentials } from './credentials.ts';

/** The API of a server. */
export interface Connection {
  server: string;
  /** Throws an InputError with the server's own sentence when it refuses. */
  call: CallEndpoint;
  /** All rows of a list, page by page. */
  rows<List extends ListEndpoint>(endpoint: List, sent: RequestTo<List>): AsyncGenerator<ItemOf<List>>;
  all<List extends ListEndpoint>(endpoint: List, sent: RequestTo<List>): Promise<ItemOf<List>[]>;
}

const WAIT_SECONDS = 5;

/** The API of the server of these credentials. `signal` ends whatever waits. */
export function connect(
  { server, token }: Credentials,
  signal: AbortSignal = new AbortController().signal,
): Connection {
  const authorization = `Bearer ${token}`;
  const call: CallEndpoint = async (endpoint, sent) => {
    const { method, address, headers, body = null } = requestOf(endpoint, sent);
    const request = { method, headers: { ...headers, authorization }, body };
    return answerOf(endpoint, await send(`${server}/api${address}`, request, signal));
  };
  return {
    server,
    call,
    rows: (endpoint, sent) => rowsOf(call, endpoint, sent),
    async all<List extends ListEndpoint>(endpoint: List, sent: RequestTo<List>) {
      const found: ItemOf<List>[] = [];
      for await (const row of rowsOf(call, endpoint, sent)) found.push(row);
      return found;
    },
  };
}

/** Sends a request; waits where the server asks for it. A redirect is refused: the token must not follow it. */
export async function send(
  url: string,
  request: RequestInit,
  signal: AbortSignal = new AbortController().signal,
): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, { ...request, redirect: 'manual', signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      const { message } = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
      throw inputError(
        'E-CLI-SERVER',
        `${new URL(url).origin} cannot be reached: ${message}`,
        'Check the address and the network.',
      );
    });
    if (answer.ok) return answer;
    if (answer.status !== 429 && answer.status !== 503) throw await refusalOf(url, answer);
    await answer.body?.cancel();
    await sleep(1000 * (Number(answer.headers.get('retry-after')) || WAIT_SECONDS), undefined, { signal });
  }
}

async function refusalOf(url: string, answer: Response): Promise<Error> {
  const problem = (await answer.json().catch(() => ({}))) as { code?: string; title?: string; detail?: string };
  const said = problem.detail ?? problem.title ?? `It answered with ${answer.status}.`;
  const code = problem.code === undefined ? '' : ` (${problem.code})`;
  const advice = answer.status === 401 ? 'Make an access token under My account, and run heterosis login.' : null;
  return inputError('E-CLI-SERVER', `${new URL(url).origin}: ${said}${code}`, advice);
}
