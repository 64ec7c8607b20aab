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
/** Entries of a page; fewer are asked for where the first page is too large. */
const PAGE_SIZES = [1_000, 250, 50, 10];
const REDIRECTS = 5;
/** An answer that drips in is given up. */
const PAGE_WITHIN_MS = 60_000;

/** How much of another server is read by one client. */
export interface ClientLimits {
  /** Of one answer. The thread that reads it parses a megabyte in some 10 ms. */
  pageBytes: number;
  /** Of all lists together, and the bytes of these: a server that never ends its pages is not followed for ever. */
  pages: number;
  listBytes: number;
  attempts: number;
  /** Waits that the server asks for, together. */
  waitSeconds: number;
}

/** Of an import, which a worker does. */
const IMPORT_LIMITS: ClientLimits = {
  pageBytes: 8 << 20,
  pages: 100_000,
  listBytes: 512 << 20,
  attempts: 5,
  waitSeconds: 1_800,
};
/** Of a look, for which a person waits. */
export const LOOK_LIMITS: ClientLimits = {
  pageBytes: 2 << 20,
  pages: 50,
  listBytes: 50 << 20,
  attempts: 2,
  waitSeconds: 2,
};

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
  /** Default: those of an import. */
  limits?: ClientLimits;
}

/** `https://server.example` → `https://server.example/brapi/v2`; a path to BrAPI that is given stays. */
function baseOf(written: string): string {
  const text = /^[a-z]+:\/\//i.test(written) ? written : `https://${written}`;
  if (!URL.canParse(text)) throw new RefusedAddressError('The address is not a URL.');
  const url = new URL(text);
  if (url.origin === 'null') throw new RefusedAddressError('The address must begin with https:// or http://.');
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

/** The answer is larger than what is read of one page. */
class PageTooLargeError extends RemoteError {}

export function createBrapiClient(
  written: string,
  { allowed, token, signal, limits = IMPORT_LIMITS }: ClientOptions,
): BrapiClient {
  const base = baseOf(written);
  const { origin } = new URL(base);
  let waited = 0;
  let pages = 0;
  let listBytes = 0;
  async function ask(url: string, withinMs?: number): Promise<GuardedAnswer> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== null && token !== '' && new URL(url).origin === origin) headers['authorization'] = `Bearer ${token}`;
    for (let attempt = 1; ; attempt++) {
      for (let wait = takeTurn(origin); wait > 0; wait = takeTurn(origin))
        await sleep(wait, undefined, { ...(signal === undefined ? {} : { signal }) });
      const isLast = attempt === limits.attempts;
      let seconds = 2 ** (attempt - 1);
      try {
        const answer = await guardedFetch(url, {
          ...{ allowed, headers, redirects: REDIRECTS },
          ...(withinMs === undefined ? {} : { withinMs }),
          ...(signal === undefined ? {} : { signal }),
        });
        if (answer.status < 300) return answer;
        const isBusy = answer.status === 429 || answer.status >= 500;
        if (!isBusy || isLast) throw await refusal(answer, url);
        seconds = secondsAsked(answer.headers['retry-after']) ?? seconds;
        answer.body.destroy();
        waited += seconds;
        if (waited > limits.waitSeconds)
          throw new RemoteError(
            `${origin} answers ${answer.status} and asks to wait ${inWords(seconds)}. Try again then.`,
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

  async function envelope(
    path: string,
    query: Readonly<Record<string, string>>,
  ): Promise<{ body: Json; bytes: number }> {
    const url = `${base}/${path}${Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`}`;
    const answer = await ask(url, PAGE_WITHIN_MS);
    let text: string;
    try {
      text = await answer.text(limits.pageBytes);
    } catch (error) {
      if (error instanceof AnswerTooLargeError)
        throw new PageTooLargeError(`The answer of ${path} is larger than ${limits.pageBytes >> 20} MB.`);
      throw new RemoteError(`${origin} broke off its answer: ${reasonOf(error)}`, null, { cause: error });
    }
    const body = parsed(text);
    if (body === undefined)
      throw new RemoteError(`${base}/${path} does not answer as a BrAPI server: its answer is no JSON object.`);
    return { body, bytes: text.length };
  }

  /** A page of a list. */
  async function listPage(path: string, query: Readonly<Record<string, string>>): Promise<Json> {
    if (++pages > limits.pages)
      throw new RemoteError(`${origin} has more than the ${limits.pages} pages that are read of its lists.`);
    const { body, bytes } = await envelope(path, query);
    listBytes += bytes;
    if (listBytes > limits.listBytes)
      throw new RemoteError(`${origin} has more than the ${limits.listBytes >> 20} MB that are read of its lists.`);
    return body;
  }

  /** The first page, in a size in which it can be read. */
  async function firstPage(path: string, query: Readonly<Record<string, string>>): Promise<[Json, string]> {
    for (const [k, size] of PAGE_SIZES.entries())
      try {
        return [await listPage(path, { ...query, page: '0', pageSize: String(size) }), String(size)];
      } catch (error) {
        if (!(error instanceof PageTooLargeError) || k === PAGE_SIZES.length - 1) throw error;
      }
    throw new Error('there is a size');
  }

  return {
    base,
    async result(path, query = {}) {
      return objectIn((await envelope(path, query)).body, 'result');
    },
    async *entries(path, query = {}, onPage) {
      let done = 0;
      const [first, pageSize] = await firstPage(path, query);
      let body = first;
      for (let page = 1; ; page++) {
        const data = objectIn(body, 'result')['data'];
        if (!Array.isArray(data)) throw new RemoteError(`${base}/${path} has no list "data" in its answer.`);
        const pagination = objectIn(objectIn(body, 'metadata'), 'pagination');
        done += data.length;
        onPage?.(done, numberIn(pagination, 'totalCount'));
        for (const entry of data) if (typeof entry === 'object' && entry !== null) yield entry as Json;
        const pageToken = pagination['nextPageToken'];
        const total = numberIn(pagination, 'totalPages');
        if (data.length === 0 || (total === null ? typeof pageToken !== 'string' : page >= total)) return;
        const next = total === null ? { pageToken: String(pageToken) } : { page: String(page) };
        body = await listPage(path, { ...query, ...next, pageSize });
      }
    },
    download: (url) => ask(new URL(url, `${base}/`).href),
  };
}

const inWords = (seconds: number): string =>
  seconds < 120 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`;

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
