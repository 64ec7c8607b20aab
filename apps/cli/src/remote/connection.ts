import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@heterosis/contracts/common';
import { inputError } from '../command.ts';
import type { Credentials } from './credentials.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The API of a server. */
export interface Connection {
  server: string;
  /** Throws an InputError with the server's own sentence when it refuses. */
  call<Answer>(method: Method, path: string, body?: object): Promise<Answer>;
  /** All rows of a list, page by page. */
  rows<Row>(path: string): AsyncGenerator<Row>;
  all<Row>(path: string): Promise<Row[]>;
  /** The answer itself, whatever its type. */
  open(path: string): Promise<Response>;
}

const LARGEST_PAGE = 500;
const WAIT_SECONDS = 5;

/** The API of the server of these credentials. `signal` ends whatever waits. */
export function connect(
  { server, token }: Credentials,
  signal: AbortSignal = new AbortController().signal,
): Connection {
  const authorization = `Bearer ${token}`;
  const open = (method: Method, path: string, body?: object): Promise<Response> =>
    send(
      `${server}/api${path}`,
      {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      signal,
    );
  const call = async <Answer>(method: Method, path: string, body?: object): Promise<Answer> => {
    const text = await (await open(method, path, body)).text();
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  };
  async function* rows<Row>(path: string): AsyncGenerator<Row> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `limit=${LARGEST_PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page: Page<Row> = await call('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
      yield* page.data;
      cursor = page.next_cursor;
    }
  }
  return {
    server,
    call,
    rows,
    async all<Row>(path: string) {
      const found: Row[] = [];
      for await (const row of rows<Row>(path)) found.push(row);
      return found;
    },
    open: (path) => open('GET', path),
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
