import type { AnswerOf, Endpoint, RequestTo } from '@heterosis/contracts/endpoint';
import { answerOf, requestOf, type SentRequest } from '@heterosis/contracts/endpoint-request';
import { session } from '../session/browser-session.ts';
import { askForProof, demandSecondFactor, demandSignIn } from '../session/demands.ts';
import { randomUuid, send } from './http.ts';
import { isWorthRetrying, Problem } from './problem.ts';

/**
 * Calls an endpoint of the API: with the parameters of its path, its `query` and its `body`. Every failure is a
 * `Problem`. Answers are checked against the schema while developing; in production they are trusted, as both ends
 * share it. Files and text come as a `Response`.
 */
export async function call<Row extends Endpoint>(
  endpoint: Row,
  sent: RequestTo<Row>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<AnswerOf<Row>> {
  const request = requestOf(endpoint, sent);
  const given = await answerOf(endpoint, await perform(request, signal));
  const { answer, fileName } = endpoint;
  if (!import.meta.env.DEV || answer === undefined || fileName !== undefined) return given;
  const parsed = answer.safeParse(given);
  if (parsed.success) return parsed.data as AnswerOf<Row>;
  const [path] = request.address.split('?', 1);
  throw new Error(`The answer of ${path} does not fit the contract: ${parsed.error.message}`);
}

const TRIES = 3;
const FIRST_WAIT_MS = 300;

async function perform({ method, address, body, ...sent }: SentRequest, signal?: AbortSignal): Promise<Response> {
  const headers = { ...sent.headers };
  // One key for all tries, so that a creation whose answer was lost is not done twice.
  if (method === 'POST') headers['idempotency-key'] = randomUuid();
  const init: RequestInit = { method, headers, signal: signal ?? null };
  if (body !== undefined) init.body = body;

  for (let attempt = 1; ; attempt++) {
    try {
      return await sendWithToken(`/api${address}`, init);
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

async function sendWithToken(url: string, init: RequestInit): Promise<Response> {
  const token = await session.getAccessToken();
  try {
    return await send(url, withBearer(init, token));
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'auth/second-factor-demanded') demandSecondFactor(true);
    if (code === 'auth/guest-may-not' && init.method !== 'GET') demandSignIn(true);
    if (code === 'auth/requires-recent-login' && (await askForProof()))
      return send(url, withBearer(init, await session.getAccessToken()));
    const refused = code === 'auth/invalid-token' || code === 'auth/user-token-expired';
    if (token === undefined || !refused) throw error;
    const replacement = await session.replaceToken(token);
    if (replacement === undefined || replacement === token) throw error;
    return send(url, withBearer(init, replacement));
  }
}

function withBearer(init: RequestInit, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  return { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` } };
}
