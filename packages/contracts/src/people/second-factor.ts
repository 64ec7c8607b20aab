import * as z from 'zod';
import { timestamp } from '../common.ts';

/** `GET /api/users/me/second_factor`: what a sign-in of the caller needs besides the link or the provider. */
export const secondFactor = z
  .object({
    since: timestamp.nullable().describe('Null: there is none.'),
    recovery_codes: z.number().int().describe('Recovery codes that were not used yet.'),
    demanded_by: z.array(z.string()).describe('Names of the organizations of yours that demand one.'),
  })
  .meta({ id: 'SecondFactor' });
export type SecondFactor = z.infer<typeof secondFactor>;

/** `POST /api/users/me/second_factor`: what an authenticator app needs. A first code has to confirm it. */
export const newSecondFactor = z
  .object({
    secret: z.string().describe('Base32 (RFC 4648), to type in.'),
    uri: z.string().describe('`otpauth://totp/…`, for a QR code.'),
  })
  .meta({ id: 'NewSecondFactor' });

/** Six digits of the app, a recovery code, or the eight digits of a mail. */
export const proofBody = z.object({ code: z.string().trim().min(1).max(40) });

/** `POST /api/users/me/second_factor/confirm` and `…/recovery_codes`: each works once instead of a code of the app. */
export const recoveryCodes = z
  .object({ recovery_codes: z.array(z.string()).describe('Shown only now.') })
  .meta({ id: 'RecoveryCodes' });

/** `GET /api/auth/proof`: how the caller shows again who he or she is. */
export const proofMethod = z
  .object({
    method: z
      .enum(['second_factor', 'mail', 'provider'])
      .describe(
        'second_factor: by a code of the app; mail: by a code that `POST /api/auth/proof/mail` sends; provider: by signing in at the provider again.',
      ),
    is_fresh: z.boolean().describe('Shown within the last 15 minutes, so that nothing is asked.'),
  })
  .meta({ id: 'ProofMethod' });
export type ProofMethod = z.infer<typeof proofMethod>['method'];

export const proofMailed = z.object({ expires_in: z.number().int().describe('Seconds for which the code works.') });
