import { CompactEncrypt, compactDecrypt } from 'jose';
import type { Config } from './config.ts';
import { deriveKey } from './secrets.ts';

type Key = Pick<Config, 'secretKey'>;

/** A secret as it is stored: encrypted with a key that is derived from SECRET_KEY for this purpose only. */
export async function sealText({ secretKey }: Key, purpose: string, text: string): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(deriveKey(secretKey, purpose));
}

/** Throws when it was sealed with another SECRET_KEY or for another purpose. */
export async function unsealText({ secretKey }: Key, purpose: string, sealed: string): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, deriveKey(secretKey, purpose));
  return new TextDecoder().decode(plaintext);
}
