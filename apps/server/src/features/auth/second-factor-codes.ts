import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { hashSecret } from './secret-text.ts';

/** What authenticator apps assume when nothing else is said (RFC 6238). */
const DIGITS = 6;
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Steps before and after the present one that count too: clocks of phones differ (RFC 6238, 5.2). */
const WINDOW = 1;

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** A new secret, in base32, and the address from which an app takes it. */
export function makeTotpSecret(label: string): { secret: string; uri: string } {
  const secret = new Secret({ size: SECRET_BYTES });
  return { secret: secret.base32, uri: totpOf(secret, label).toString() };
}

/** The time step of a right code; undefined for a wrong one. */
export function findTotpStep(base32: string, code: string, now: number): number | undefined {
  const totp = totpOf(Secret.fromBase32(base32));
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Codes of 80 random bits for paper: too many to guess, also for whoever reads the hashes. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, '$1-'),
  );

/** However somebody copied it. */
export const hashRecoveryCode = (code: string): Buffer => hashSecret(code.toLowerCase().replace(/[^a-z2-7]/g, ''));

const totpOf = (secret: Secret, label = ''): TOTP =>
  new TOTP({ issuer: 'Heterosis', label, secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS });
