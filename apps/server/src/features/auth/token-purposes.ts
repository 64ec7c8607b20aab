import type { TokenPurpose } from './key-ring.ts';

/** RFC 9068: an access token for our API. */
export const ACCESS_TOKEN: TokenPurpose = { audience: 'heterosis:api', type: 'at+jwt' };
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** A token that `POST /api/auth/token` exchanges for a session. */
export const CUSTOM_TOKEN: TokenPurpose = { audience: 'heterosis:custom-token', type: 'custom+jwt' };
export const CUSTOM_TOKEN_SECONDS = 5 * 60;
