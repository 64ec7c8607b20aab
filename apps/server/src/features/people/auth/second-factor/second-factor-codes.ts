import { randomBytes } from 'node:crypto';
import type { Secret, TOTP } from 'otpauth';
import { hashSecret } from '../secret-text.ts';

/** What authenticator apps assume when nothing else is said (RFC 6238). */
const DIGITS = 6;
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Steps before and after the present one that count too: clocks of phones differ (RFC 6238, 5.2). */
const WINDOW = 1;

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 15;

/** Few requests need the library: it is not loaded at start. */
const load = () => import('otpauth');

/** A new secret, in base32, and the address from which an app takes it. */
export async function makeTotpSecret(label: string): Promise<{ secret: string; uri: string }> {
  const library = await load();
  const secret = new library.Secret({ size: SECRET_BYTES });
  return { secret: secret.base32, uri: totpOf(library, secret, label).toString() };
}

/** The time step of a right code; undefined for a wrong one. */
export async function findTotpStep(base32: string, code: string, now: number): Promise<number | undefined> {
  const library = await load();
  const totp = totpOf(library, library.Secret.fromBase32(base32));
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Codes of 120 random bits for paper: too many to guess, also for whoever reads the hashes. */
export async function makeRecoveryCodes(): Promise<string[]> {
  const { Secret } = await load();
  return Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, '$1-'),
  );
}

/** However somebody copied it. */
export const hashRecoveryCode = (code: string): Buffer => hashSecret(code.toLowerCase().replace(/[^a-z2-7]/g, ''));

const totpOf = (library: Awaited<ReturnType<typeof load>>, secret: Secret, label = ''): TOTP =>
  new library.TOTP({ issuer: 'Heterosis', label, secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS });
