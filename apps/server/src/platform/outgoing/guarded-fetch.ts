import { lookup } from 'node:dns';
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import ipaddr from 'ipaddr.js';

/** An address that a person gave and that the server does not call. `message` is for that person. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';
}

/** The other server answers with more than was allowed. */
export class AnswerTooLargeError extends Error {
  override name = 'AnswerTooLargeError';
}

export interface GuardedRequest {
  /** Networks inside which addresses may lie although they are not public: `config.outgoingNetworks`. */
  allowed: readonly string[];
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal;
  /** Redirects that are followed, each looked at again; default 0: a redirect is the answer. */
  redirects?: number;
  /** Silence after which the request is given up. */
  idleMs?: number;
  /** Time for redirects, headers and body together; default: as long as bytes come. */
  withinMs?: number;
}

export interface GuardedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** After redirects. */
  url: URL;
  /** Must be read or destroyed. */
  body: IncomingMessage;
  /** The whole body; throws {@link AnswerTooLargeError} beyond `most` bytes. */
  text(most: number): Promise<string>;
}

const IDLE_MS = 30_000;

/** To one host; further requests wait, within their time. */
const MOST_AT_ONCE = 16;

// Sockets are shared by host name: those of other parts of the process were opened without a check.
const AGENT = { keepAlive: true, maxSockets: MOST_AT_ONCE };
const AGENTS = { http: new HttpAgent(AGENT), https: new HttpsAgent(AGENT) };

/**
 * Asks an address that a person gave. It must be http or https, and every address of its host must be public, or in
 * one of the allowed networks. The connection goes to the address that was looked at, so a name that changes its
 * address between look and call gains nothing. `authorization` does not follow a redirect to another origin.
 */
export async function guardedFetch(url: string | URL, given: GuardedRequest): Promise<GuardedAnswer> {
  const options = { ...given, ...limitedSignal(given) };
  let target = parse(url);
  let { method = 'GET', headers = {}, body } = options;
  for (let left = options.redirects ?? 0; ; left--) {
    const answer = await send(target, { ...options, method, headers, ...(body === undefined ? {} : { body }) });
    const status = answer.statusCode ?? 0;
    const { location } = answer.headers;
    if (left <= 0 || location === undefined || ![301, 302, 303, 307, 308].includes(status)) {
      const reached = target;
      return { status, headers: answer.headers, url: reached, body: answer, text: (most) => readText(answer, most) };
    }
    answer.destroy();
    const next = parse(new URL(location, target));
    if (next.origin !== target.origin) headers = withoutSecrets(headers);
    if (status <= 303 && method !== 'GET') [method, body] = ['GET', undefined];
    target = next;
  }
}

function limitedSignal({ signal, withinMs }: GuardedRequest): { signal?: AbortSignal } {
  if (withinMs === undefined) return {};
  const limit = AbortSignal.timeout(withinMs);
  return { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) };
}

function parse(url: string | URL): URL {
  if (!URL.canParse(String(url))) throw new RefusedAddressError('The address is not a URL.');
  const target = new URL(url);
  if (target.protocol !== 'https:' && target.protocol !== 'http:')
    throw new RefusedAddressError('The address must begin with https:// or http://.');
  if (target.username !== '' || target.password !== '')
    throw new RefusedAddressError('The address must not contain a user name or password.');
  return target;
}

const withoutSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name)));

async function send(target: URL, { allowed, method, headers, body, signal, idleMs }: GuardedRequest) {
  const isSecure = target.protocol === 'https:';
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  // A number is connected to without being looked up.
  const refusal = isIP(host) === 0 ? null : refusalOf([{ address: host }], allowed, target.hostname);
  if (refusal !== null) throw refusal;
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(target, {
      agent: isSecure ? AGENTS.https : AGENTS.http,
      lookup: checkedLookup(allowed),
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
      timeout: idleMs ?? IDLE_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error(`${target.host} did not answer in time`)));
    request.end(body);
  });
}

/** What a socket connects to is what was looked at here. */
const checkedLookup =
  (allowed: readonly string[]): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const refusal = error ?? refusalOf(found, allowed, hostname);
      const [first] = found ?? [];
      if (refusal !== null || first === undefined) done(refusal, '');
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };

function refusalOf(
  found: readonly { address: string }[],
  allowed: readonly string[],
  host: string,
): RefusedAddressError | null {
  if (found.length > 0 && found.every(({ address }) => isAllowed(address, allowed))) return null;
  return new RefusedAddressError(
    `${host} is inside a private network. An operator can allow it with the setting OUTGOING_NETWORKS.`,
  );
}

/** Whether the server may call an address: a public one, or one of an allowed network. */
export function isAllowed(address: string, allowed: readonly string[]): boolean {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return false;
  // ::ffff:10.0.0.1 is 10.0.0.1.
  const parsed = ipaddr.process(plain);
  if (allowed.some((network) => lies(parsed, network))) return true;
  if (parsed.range() !== 'unicast') return false;
  // ::10.0.0.1, deprecated, is routed nowhere, but some systems took it for 10.0.0.1.
  return !(parsed instanceof ipaddr.IPv6 && parsed.match(ipaddr.IPv6.parse('::'), 96));
}

function lies(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [start, bits] = ipaddr.parseCIDR(network);
  if (start instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(start, bits);
  return address instanceof ipaddr.IPv6 && address.match(start, bits);
}

async function readText(answer: IncomingMessage, most: number): Promise<string> {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) answer.destroy(new AnswerTooLargeError(`The answer has more than ${most} bytes.`));
  });
  return await textOf(answer);
}
