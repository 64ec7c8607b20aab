import type { AnswerOf, Endpoint, RequestTo } from '@heterosis/contracts/endpoint';
import { addressOf } from '@heterosis/contracts/endpoint-address';
import type * as z from 'zod';
import { session } from '../session/browser-session.ts';
import { askForProof, demandSecondFactor, demandSignIn } from '../session/demands.ts';
import { type Query, randomUuid, send, toQueryString } from './http.ts';
import { isWorthRetrying, Problem } from './problem.ts';

interface RequestOptions {
  query?: Query | undefined;
  signal?: AbortSignal | undefined;
}

const BASE = '/api';

/**
 * Calls an endpoint of the API: with the parameters of its path, its `query` and its `body`. Every failure is a
 * `Problem`. Answers are checked against the schema while developing; in production they are trusted, as both ends
 * share it. Files and text come as a `Response`.
 */
export async function call<Row extends Endpoint>(
  endpoint: Row,
  sent: RequestTo<Row>,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<AnswerOf<Row>> {
  const { query, body } = sent as { query?: Query; body?: unknown };
  const { method, answer, media, fileName } = endpoint;
  const path = addressOf(endpoint, sent);
  const response = await request(method, path, { ...options, query }, method === 'POST' ? (body ?? {}) : body);
  if (media !== undefined || fileName !== undefined) return response as AnswerOf<Row>;
  return (answer === undefined ? undefined : await readJson(answer, path, response)) as AnswerOf<Row>;
}

/**
 * The API, typed by the schemas of `@heterosis/contracts`. Every failure is a `Problem`.
 * Answers are checked against the schema while developing; in production they are trusted, as both ends share it.
 */
export const api = {
  get: async <Schema extends z.ZodType>(schema: Schema, path: string, options: RequestOptions = {}) =>
    readJson(schema, path, await request('GET', path, options)),

  post: async <Schema extends z.ZodType>(schema: Schema, path: string, body: unknown, options: RequestOptions = {}) =>
    readJson(schema, path, await request('POST', path, options, body)),

  put: async <Schema extends z.ZodType>(schema: Schema, path: string, body: unknown, options: RequestOptions = {}) =>
    readJson(schema, path, await request('PUT', path, options, body)),

  /** Sends the bytes of a small file. */
  putBytes: async <Schema extends z.ZodType>(schema: Schema, path: string, bytes: Blob) =>
    readJson(schema, path, await request('PUT', path, {}, bytes)),

  delete: async (path: string, options: RequestOptions = {}): Promise<void> => {
    await request('DELETE', path, options);
  },

  /** For a DELETE that answers with how to undo it, or where to go on. */
  deleteReading: async <Schema extends z.ZodType>(schema: Schema, path: string) =>
    readJson(schema, path, await request('DELETE', path, {})),

  /** Sends a form with a file as `multipart/form-data`. */
  postForm: async <Schema extends z.ZodType>(schema: Schema, path: string, form: FormData) =>
    readJson(schema, path, await request('POST', path, {}, form)),

  /** For a POST without an answer worth reading, such as `cancel` and `retry`. */
  command: async (path: string, body: unknown = {}): Promise<void> => {
    await request('POST', path, {}, body);
  },

  binary: async (path: string, options: RequestOptions = {}): Promise<ArrayBuffer> =>
    (await request('GET', path, options)).arrayBuffer(),

  text: async (path: string, options: RequestOptions = {}): Promise<string> =>
    (await request('GET', path, options)).text(),

  /** The answer as it comes, for streams. */
  stream: (path: string, options: RequestOptions = {}): Promise<Response> => request('GET', path, options),
};

const TRIES = 3;
const FIRST_WAIT_MS = 300;

async function request(method: string, path: string, options: RequestOptions, body?: unknown): Promise<Response> {
  const url = BASE + path + toQueryString(options.query);
  const headers: Record<string, string> = {};
  // The browser writes the type of a form, with its boundary.
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['content-type'] = body instanceof Blob ? body.type : 'application/json';
  // One key for all tries, so that a creation whose answer was lost is not done twice.
  if (method === 'POST') headers['idempotency-key'] = randomUuid();
  const init: RequestInit = { method, headers, signal: options.signal ?? null };
  if (body !== undefined) init.body = isForm || body instanceof Blob ? body : JSON.stringify(body);

  for (let attempt = 1; ; attempt++) {
    try {
      return await sendWithToken(url, init);
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

async function readJson<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  response: Response,
): Promise<z.output<Schema>> {
  const body: unknown = await response.json();
  if (!import.meta.env.DEV) return body as z.output<Schema>;
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Error(`The answer of ${path} does not fit the contract: ${parsed.error.message}`);
  return parsed.data;
}
