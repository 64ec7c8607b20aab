import type { TokenPurpose } from './key-ring.ts';

/** RFC 9068: an access token for our API. */
export const ACCESS_TOKEN: TokenPurpose = { audience: 'heterosis:api', type: 'at+jwt' };
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** Reads the demo project, for visitors. */
export const GUEST_TOKEN: TokenPurpose = { audience: 'heterosis:guest', type: 'guest+jwt' };
export const GUEST_TOKEN_SECONDS = 60 * 60;

/** A token that `POST /api/auth/token` exchanges for a session. */
export const CUSTOM_TOKEN: TokenPurpose = { audience: 'heterosis:custom-token', type: 'custom+jwt' };
export const CUSTOM_TOKEN_SECONDS = 5 * 60;

/** The first proof of somebody with a second factor: good for a session with a code of that. */
export const SECOND_FACTOR: TokenPurpose = { audience: 'heterosis:second-factor', type: 'second-factor+jwt' };
export const SECOND_FACTOR_SECONDS = 10 * 60;

/** An address that a sign-in service has verified, for which an account can be asked for. */
export const PROVEN_ADDRESS: TokenPurpose = { audience: 'heterosis:proven-address', type: 'proven-address+jwt' };
export const PROVEN_ADDRESS_SECONDS = 15 * 60;
