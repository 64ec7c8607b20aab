import type { AnswerOf, Endpoint, RequestTo } from '@heterosis/contracts/endpoint';
import { answerOf, requestOf, type SentRequest } from '@heterosis/contracts/endpoint-request';
import { session } from '../session/browser-session.ts';
import { askForProof, demandSecondFactor, demandSignIn } from '../session/demands.ts';
import { randomUuid, send } from './http.ts';
import { isWorthRetrying, Problem } from './problem.ts';

interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Id of the person in whose name alone it may be sent: another may have signed in since it began to wait. */
  asUser?: string | undefined;
}

/**
 * Calls an endpoint of the API: with the parameters of its path, its `query` and its `body`. Every failure is a
 * `Problem`. Answers are checked against the schema while developing; in production they are trusted, as both ends
 * share it. Files and text come as a `Response`.
 */
export async function call<Row extends Endpoint>(
  endpoint: Row,
  sent: RequestTo<Row>,
  { signal, asUser }: CallOptions = {},
): Promise<AnswerOf<Row>> {
  const request = requestOf(endpoint, sent);
  const given = await answerOf(endpoint, await perform(request, signal, asUser));
  const { answer, fileName } = endpoint;
  if (!import.meta.env.DEV || answer === undefined || fileName !== undefined) return given;
  const parsed = answer.safeParse(given);
  if (parsed.success) return parsed.data as AnswerOf<Row>;
  const [path] = request.address.split('?', 1);
  throw new Error(`The answer of ${path} does not fit the contract: ${parsed.error.message}`);
}

const TRIES = 3;
const FIRST_WAIT_MS = 300;

async function perform(
  { method, address, body, ...sent }: SentRequest,
  signal?: AbortSignal,
  asUser?: string,
): Promise<Response> {
  const headers = { ...sent.headers };
  // One key for all tries, so that a creation whose answer was lost is not done twice.
  if (method === 'POST') headers['idempotency-key'] = randomUuid();
  const init: RequestInit = { method, headers, signal: signal ?? null };
  if (body !== undefined) init.body = body;

  for (let attempt = 1; ; attempt++) {
    try {
      return await sendWithToken(`/api${address}`, init, asUser);
    } catch (error) {
      // Queries have their own retries; here only writes, whose loss would cost the user a filled-in form.
      // Not when we were told to slow down: the user decides when to ask again.
      if (method === 'GET' || attempt === TRIES || !isWorthRetrying(error) || isRateLimit(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (attempt - 1)));
    }
  }
}

function isRateLimit(error: unknown): boolean {
  return error instanceof Problem && error.status === 429;
}

/** The token of the person who is signed in. @throws Problem `client/other-person` where that is not `asUser` */
async function tokenOf(asUser: string | undefined, ask: () => Promise<string | undefined>) {
  const token = await ask();
  const state = session.getState();
  if (asUser === undefined || (state.status === 'signed-in' && state.user.uid === asUser)) return token;
  throw new Problem({
    code: OTHER_PERSON,
    title: 'Another person has signed in',
    detail: 'This waits on this device until the person who entered it signs in again.',
  });
}

/** What was to be sent in the name of one person while another, or nobody, is signed in. */
export const OTHER_PERSON = 'client/other-person';

async function sendWithToken(url: string, init: RequestInit, asUser?: string): Promise<Response> {
  const newest = () => tokenOf(asUser, () => session.getAccessToken());
  const token = await newest();
  try {
    return await send(url, withBearer(init, token));
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'auth/second-factor-demanded') demandSecondFactor(true);
    if (code === 'auth/guest-may-not' && init.method !== 'GET') demandSignIn(true);
    if (code === 'auth/requires-recent-login' && (await askForProof()))
      return send(url, withBearer(init, await newest()));
    const refused = code === 'auth/invalid-token' || code === 'auth/user-token-expired';
    if (token === undefined || !refused) throw error;
    const replacement = await tokenOf(asUser, () => session.replaceToken(token));
    if (replacement === undefined || replacement === token) throw error;
    return send(url, withBearer(init, replacement));
  }
}

function withBearer(init: RequestInit, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  return { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` } };
}
