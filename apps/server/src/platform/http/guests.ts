import type { IncomingHttpHeaders } from 'node:http';

/** Distinguishes the tokens of guests, so that their calls can be counted before anything is looked up. */
export const GUEST_TOKEN_PREFIX = 'hxg_';
/** Calls of all guests of one network together, a minute: some 15 pages. */
export const GUEST_CALLS_PER_MINUTE = 600;

const GUEST_BEARER = new RegExp(`^Bearer +(${GUEST_TOKEN_PREFIX}\\S+) *$`, 'i');

/** The token of a guest of the demo; undefined when the request has another or none. */
export const guestToken = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  authorization === undefined ? undefined : GUEST_BEARER.exec(authorization)?.[1];
