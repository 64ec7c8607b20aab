import { randomInt } from 'node:crypto';
import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { proofsApi } from '@heterosis/contracts/endpoints/people/second-factor';
import type { ProofMethod } from '@heterosis/contracts/people/second-factor';
import type { Database } from '../../../../platform/database/database.ts';
import type { Caller, SignedInCall } from '../../../../platform/http/bind.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { limitSignInRequests } from '../rate-limit.ts';
import { hashSecret } from '../secret-text.ts';
import { markProved, tryProofCode, updateProofCode } from '../sessions/sessions.queries.ts';
import { mailText } from '../sign-in/sign-in-link.service.ts';
import { checkSecondFactor, hasSecondFactor, wrongCode } from './second-factor.service.ts';

const PROOF_SECONDS = 10 * 60;
const CODE_DIGITS = 8;
/** Of one mailed code. */
const MOST_TRIES = 5;

/** How somebody shows again who he or she is, before what a stolen session could not undo. */
export async function readProofMethod(call: SignedInCall): Promise<AnswerOf<typeof proofsApi.readProofMethod>> {
  return { method: await findProofMethod(call), is_fresh: call.principal.isFresh };
}

async function findProofMethod({ services: { db, config }, principal }: SignedInCall): Promise<ProofMethod> {
  if (await hasSecondFactor(db, principal.userId)) return 'second_factor';
  return config.signIn.emailLinks ? 'mail' : 'provider';
}

export async function mailProofCode(call: SignedInCall & Caller): Promise<AnswerOf<typeof proofsApi.mailProofCode>> {
  if ((await findProofMethod(call)) !== 'mail')
    throw new Problem('auth/operation-not-allowed', 'No code is mailed to this account. Confirm in the other way.');
  const { db, mailer, config } = call.services;
  const {
    principal: { email, sessionId },
    callerIp: ip,
  } = call;
  await limitSignInRequests(db, { ip, email });
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  await updateProofCode(db, String(sessionId), hashSecret(code), PROOF_SECONDS);
  await mailer.send({
    to: email,
    subject: 'Your code for Heterosis',
    text: mailText(
      `Enter this code at ${config.publicUrl} to confirm that it is you:`,
      '',
      `${code.slice(0, 4)} ${code.slice(4)}`,
      '',
      `It works once and for ${PROOF_SECONDS / 60} minutes. Tell it to nobody.`,
      'If you did not ask for it, somebody else uses your account: sign out everywhere under My account.',
    ),
  });
  return { expires_in: PROOF_SECONDS };
}

/** Takes a code of the second factor, or the mailed one of an account without. */
export async function proveAgain(
  { services, principal }: SignedInCall,
  { body: { code } }: InputOf<typeof proofsApi.proveAgain>,
): Promise<void> {
  const { db } = services;
  const sessionId = String(principal.sessionId);
  if (await hasSecondFactor(db, principal.userId)) await checkSecondFactor(services, principal, code);
  else await checkMailedCode(db, sessionId, code);
  await markProved(db, sessionId);
}

async function checkMailedCode(db: Database, sessionId: string, code: string): Promise<void> {
  const isRight = await tryProofCode(db, sessionId, hashSecret(code.replace(/\D/g, '')), MOST_TRIES);
  if (isRight === true) return;
  if (isRight === false) throw wrongCode();
  throw new Problem('auth/code-expired', 'There is no code to enter any more. Have a new one mailed.');
}
