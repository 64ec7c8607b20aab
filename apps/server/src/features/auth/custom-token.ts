import type { KeyRing } from './key-ring.ts';
import { CUSTOM_TOKEN, CUSTOM_TOKEN_SECONDS } from './token-purposes.ts';

/** A short-lived token that `POST /api/auth/token` takes as proof of who the user is. */
export function makeCustomToken(keys: KeyRing, userId: string): Promise<string> {
  return keys.sign({ sub: userId }, { ...CUSTOM_TOKEN, expiresInSeconds: CUSTOM_TOKEN_SECONDS });
}
