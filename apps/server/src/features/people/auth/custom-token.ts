import type { KeyRing } from './sessions/key-ring.ts';
import { CUSTOM_TOKEN, CUSTOM_TOKEN_SECONDS } from './sessions/token-purposes.ts';

/** A short-lived token that `POST /api/auth/token` accepts as proof of identity. */
export function makeCustomToken(keys: KeyRing, userId: string): Promise<string> {
  return keys.sign({ sub: userId }, { ...CUSTOM_TOKEN, expiresInSeconds: CUSTOM_TOKEN_SECONDS });
}
