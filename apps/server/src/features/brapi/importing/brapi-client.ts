import { setTimeout as sleep } from 'node:timers/promises';
import {
  AnswerTooLargeError,
  type GuardedAnswer,
  guardedFetch,
  RefusedAddressError,
} from '../../../platform/outgoing/guarded-fetch.ts';

export type Json = Record<string, unknown>;

/** The other server does not give what was asked for; `message` is for the person who imports. */
export class RemoteError extends Error {
  override name = 'RemoteError';
  readonly status: number | null;

  constructor(message: string, status: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Requests to one server begin at least so far apart, over all imports of this process. */
const INTERVAL_MS = 50;
const ATTEMPTS = 5;
/** A server that asks for a longer wait is not waited for: the import can be resumed. */
const LONGEST_WAIT_SECONDS = 600;
/** One page of an answer. */
const MOST_BYTES = 64 << 20;
const PAGE = 1_000;
/** More pages than any list has: a server that never ends its pages is not followed for ever. */
const MOST_PAGES = 100_000;
const REDIRECTS = 5;

export interface BrapiClient {
  /** With its path, without a slash at the end. */
  base: string;
  /** The `result` of an answer. */
  result(path: string, query?: Readonly<Record<string, string>>): Promise<Json>;
  /** The entries of a list, page by page; `onPage` hears how many there are. */
  entries(
    path: string,
    query?: Readonly<Record<string, string>>,
    onPage?: (done: number, total: number | null) => void,
  ): AsyncGenerator<Json>;
  /** A file that the server offers. The token goes along only to the server itself. */
  download(url: string): Promise<GuardedAnswer>;
}

export interface ClientOptions {
  allowed: readonly string[];
  token: string | null;
  signal?: AbortSignal;
}

/** `https://server.example` → `https://server.example/brapi/v2`; a path to BrAPI that is given stays. */
function baseOf(written: string): string {
  const text = /^[a-z]+:\/\//i.test(written) ? written : `https://${written}`;
  if (!URL.canParse(text)) throw new RefusedAddressError('The address is not a URL.');
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = /\/brapi\/v\d/.test(path) ? path : `${path}/brapi/v2`;
  return `${url.origin}${url.pathname}`;
}

/** When the next request to a server may begin. */
const freeAt = new Map<string, number>();

/** 0: the request begins now. Otherwise the milliseconds after which to ask again. */
function takeTurn(origin: string): number {
  const now = Date.now();
  const wait = (freeAt.get(origin) ?? 0) - now;
  if (wait > 0) return wait;
  for (const [other, time] of freeAt) if (time <= now) freeAt.delete(other);
  freeAt.set(origin, now + INTERVAL_MS);
  return 0;
}

/** What `Retry-After` says, in seconds or as a date. */
export function secondsAsked(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? (Date.parse(header) - now) / 1000 : seconds;
  return wait > 0 ? wait : undefined;
}

export function createBrapiClient(written: string, { allowed, token, signal }: ClientOptions): BrapiClient {
  const base = baseOf(written);
  const { origin } = new URL(base);
  async function ask(url: string): Promise<GuardedAnswer> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== null && token !== '' && new URL(url).origin === origin) headers['authorization'] = `Bearer ${token}`;
    for (let attempt = 1; ; attempt++) {
      for (let wait = takeTurn(origin); wait > 0; wait = takeTurn(origin))
        await sleep(wait, undefined, { ...(signal === undefined ? {} : { signal }) });
      const isLast = attempt === ATTEMPTS;
      let seconds = 2 ** (attempt - 1);
      try {
        const answer = await guardedFetch(url, {
          ...{ allowed, headers, redirects: REDIRECTS },
          ...(signal === undefined ? {} : { signal }),
        });
        if (answer.status < 400) return answer;
        const isBusy = answer.status === 429 || answer.status >= 500;
        if (!isBusy || isLast) throw await refusal(answer, url);
        seconds = secondsAsked(answer.headers['retry-after']) ?? seconds;
        answer.body.destroy();
        if (seconds > LONGEST_WAIT_SECONDS)
          throw new RemoteError(
            `${origin} answers ${answer.status} and asks to wait ${Math.ceil(seconds / 60)} minutes. Resume the import then.`,
            answer.status,
          );
      } catch (error) {
        if (error instanceof RefusedAddressError || error instanceof RemoteError || signal?.aborted === true)
          throw error;
        if (isLast) throw new RemoteError(`${origin} cannot be reached: ${reasonOf(error)}`, null, { cause: error });
      }
      freeAt.set(origin, Math.max(freeAt.get(origin) ?? 0, Date.now() + seconds * 1_000));
    }
  }

  async function envelope(path: string, query: Readonly<Record<string, string>>): Promise<Json> {
    const url = `${base}/${path}${Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`}`;
    const answer = await ask(url);
    let text: string;
    try {
      text = await answer.text(MOST_BYTES);
    } catch (error) {
      if (!(error instanceof AnswerTooLargeError)) throw error;
      throw new RemoteError(`The answer of ${path} is larger than ${MOST_BYTES >> 20} MB.`);
    }
    const body = parsed(text);
    if (body === undefined)
      throw new RemoteError(`${base}/${path} does not answer as a BrAPI server: its answer is no JSON object.`);
    return body;
  }

  return {
    base,
    async result(path, query = {}) {
      return objectIn(await envelope(path, query), 'result');
    },
    async *entries(path, query = {}, onPage) {
      let done = 0;
      let next: Record<string, string> = { page: '0' };
      for (let page = 0; page < MOST_PAGES; page++) {
        const body = await envelope(path, { ...query, ...next, pageSize: String(PAGE) });
        const data = objectIn(body, 'result')['data'];
        if (!Array.isArray(data)) throw new RemoteError(`${base}/${path} has no list "data" in its answer.`);
        const pagination = objectIn(objectIn(body, 'metadata'), 'pagination');
        done += data.length;
        onPage?.(done, numberIn(pagination, 'totalCount'));
        for (const entry of data) if (typeof entry === 'object' && entry !== null) yield entry as Json;
        const token = pagination['nextPageToken'];
        const pages = numberIn(pagination, 'totalPages');
        if (data.length === 0 || (pages === null ? typeof token !== 'string' : page + 1 >= pages)) return;
        next = pages === null ? { pageToken: String(token) } : { page: String(page + 1) };
      }
    },
    download: (url) => ask(new URL(url, `${base}/`).href),
  };
}

function parsed(text: string): Json | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Json) : undefined;
  } catch {
    return undefined;
  }
}

async function refusal(answer: GuardedAnswer, url: string): Promise<RemoteError> {
  const said = await answer.text(10_000).catch(() => '');
  const { status } = answer;
  const { host, pathname } = new URL(url);
  if (status === 401 || status === 403)
    return new RemoteError(`${host} refuses the token, or asks for one (${status}). Check the token.`, status);
  const plain = /^\s*[<{]/.test(said) ? '' : ` ${said.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  return new RemoteError(`${host}${pathname} answers ${status}.${plain}`, status);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function objectIn(value: Json, name: string): Json {
  const inner = value[name];
  return typeof inner === 'object' && inner !== null ? (inner as Json) : {};
}

export function numberIn(value: Json, name: string): number | null {
  const inner = value[name];
  return typeof inner === 'number' && Number.isFinite(inner) ? inner : null;
}

/** Null for what is missing, and for an empty text. */
export function textIn(value: Json, name: string): string | null {
  const inner = value[name];
  if (typeof inner === 'number' || typeof inner === 'boolean') return String(inner);
  return typeof inner === 'string' && inner.trim() !== '' ? inner : null;
}

export const listIn = (value: Json, name: string): Json[] => {
  const inner = value[name];
  return Array.isArray(inner) ? inner.filter((one): one is Json => typeof one === 'object' && one !== null) : [];
};
