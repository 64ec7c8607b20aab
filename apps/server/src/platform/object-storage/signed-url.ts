import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNED_URL_SECONDS, type SignedGetOptions, type SignedPutOptions } from './object-storage.ts';

/** Path of the signed addresses of the local disk. */
const STORAGE_PATH = '/api/storage';

/** What a signed address allows. */
export interface Grant {
  method: 'GET' | 'PUT';
  key: string;
  contentType: string | undefined;
  /** For PUT: the agreed number of bytes, if any. */
  sizeBytes: number | undefined;
  fileName: string | undefined;
  inline: boolean;
}

export function signPutUrl(publicUrl: string, secret: Buffer, key: string, options: SignedPutOptions): string {
  const { contentType, sizeBytes } = options;
  return signUrl(publicUrl, secret, { method: 'PUT', key, contentType, sizeBytes, fileName: undefined, inline: false });
}

export function signGetUrl(publicUrl: string, secret: Buffer, key: string, options: SignedGetOptions): string {
  const { contentType, fileName, inline = false } = options;
  return signUrl(publicUrl, secret, { method: 'GET', key, contentType, sizeBytes: undefined, fileName, inline });
}

/** The grant of an address, `expired`, or `forged` when any part was changed. */
export function verifyUrl(
  secret: Buffer,
  { method, key, query }: { method: 'GET' | 'PUT'; key: string; query: Record<string, unknown> },
  now: number = Date.now(),
): Grant | 'expired' | 'forged' {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : undefined);
  const grant: Grant = {
    method,
    key,
    contentType: text('type'),
    sizeBytes: text('bytes') === undefined ? undefined : Number(text('bytes')),
    fileName: text('name'),
    inline: text('inline') === '1',
  };
  const expires = Number(text('expires'));
  const given = Buffer.from(text('signature') ?? '', 'base64url');
  const wanted = signature(secret, grant, expires);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'forged';
  return expires * 1000 < now ? 'expired' : grant;
}

function signUrl(publicUrl: string, secret: Buffer, grant: Grant): string {
  const expires = Math.floor(Date.now() / 1000) + SIGNED_URL_SECONDS;
  const url = new URL(`${publicUrl}${STORAGE_PATH}/${grant.key}`);
  if (grant.contentType !== undefined) url.searchParams.set('type', grant.contentType);
  if (grant.sizeBytes !== undefined) url.searchParams.set('bytes', String(grant.sizeBytes));
  if (grant.fileName !== undefined) url.searchParams.set('name', grant.fileName);
  if (grant.inline) url.searchParams.set('inline', '1');
  url.searchParams.set('expires', String(expires));
  url.searchParams.set('signature', signature(secret, grant, expires).toString('base64url'));
  return url.href;
}

/** JSON keeps the parts apart, so different grants never have the same text. */
function signature(secret: Buffer, grant: Grant, expires: number): Buffer {
  const { method, key, contentType = null, sizeBytes = null, fileName = null, inline } = grant;
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, key, contentType, sizeBytes, fileName, inline, expires]))
    .digest();
}
