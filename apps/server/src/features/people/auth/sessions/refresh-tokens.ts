import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../../platform/config/config.ts';
import { deriveKey } from '../../../../platform/config/secrets.ts';

/** One of the tokens that a session has had, one after the other. */
export interface RefreshToken {
  /** Random, and the same in all tokens of a session. Only its hash is stored. */
  root: string;
  /** 0 for the token of the sign-in; the next ones count on. */
  number: number;
}

type Key = Pick<Config, 'secretKey'>;

/**
 * The text of a token: `root` for the first, `root.number.MAC` for the others. It is a function of root and number, so
 * that whoever asks again, because an answer was lost or two tabs asked at once, gets the same one (decision 7). Who
 * has one token cannot make the next.
 */
export function writeRefreshToken(key: Key, { root, number }: RefreshToken): string {
  return number === 0 ? root : `${root}.${number}.${macOf(key, root, number).toString('base64url')}`;
}

/** Undefined for a text that this server did not write. */
export function readRefreshToken(key: Key, text: string): RefreshToken | undefined {
  const [root = '', digits, mac, ...rest] = text.split('.');
  if (digits === undefined) return { root, number: 0 };
  if (mac === undefined || rest.length > 0 || !/^[1-9]\d{0,8}$/.test(digits)) return undefined;
  const number = Number(digits);
  const given = Buffer.from(mac, 'base64url');
  const right = macOf(key, root, number);
  return given.length === right.length && timingSafeEqual(given, right) ? { root, number } : undefined;
}

const macOf = ({ secretKey }: Key, root: string, number: number): Buffer =>
  createHmac('sha256', deriveKey(secretKey, 'refresh-token')).update(`${root}.${number}`).digest();
