import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { ownSessionsApi } from '@heterosis/contracts/endpoints/people/own-sessions';
import { recordAccountEvent } from '../../../platform/audit/audit-events.ts';
import { violates } from '../../../platform/database/database.ts';
import { publishAccount } from '../../../platform/events/events.ts';
import type { Call, Caller, SignedInCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { findUserByEmail } from '../accounts/index.ts';
import { deleteEmailChange, replaceEmailChange, updateEmail, useEmailChange } from './email-change.queries.ts';
import { limitSignInRequests } from './rate-limit.ts';
import { hashSecret, makeSecret } from './secret-text.ts';
import { endSessions } from './sessions/end-sessions.ts';
import { mailText } from './sign-in/sign-in-link.service.ts';

/** The new address may be that of a mailbox one has to get to first. */
const EMAIL_CHANGE_SECONDS = 60 * 60;

/** Mails a link to the new address. An earlier link of the same person stops working. */
export async function requestEmailChange(
  { services: { db, mailer, config }, principal, callerIp: ip }: SignedInCall & Caller,
  { body }: InputOf<typeof ownSessionsApi.requestEmailChange>,
): Promise<AnswerOf<typeof ownSessionsApi.requestEmailChange>> {
  if (!config.signIn.emailLinks)
    throw new Problem(
      'auth/operation-not-allowed',
      'The address of your account is the one of the provider that signs you in. Change it there.',
    );
  const email = body.email.toLowerCase();
  if (email === principal.email)
    throw new Problem('request/invalid', 'body.email: this is your address already. Enter another one.', {
      invalidParams: [{ name: 'body.email', reason: 'This is your address already' }],
    });
  await limitSignInRequests(db, { ip, email });
  if ((await findUserByEmail(db, email)) !== undefined) throw inUse(email);
  const code = makeSecret();
  await replaceEmailChange(db, {
    userId: principal.userId,
    email,
    codeHash: hashSecret(code),
    lifetimeSeconds: EMAIL_CHANGE_SECONDS,
    onlySession: body.end_other_sessions ? principal.sessionId : null,
  });
  const link = new URL(`${config.publicUrl}/email`);
  link.searchParams.set('code', code);
  await mailer.send({
    to: email,
    subject: 'Confirm your new e-mail address for Heterosis',
    text: mailText(
      `Open this link to use this address for the Heterosis account of ${principal.email}:`,
      '',
      link.href,
      '',
      `The link works once and for ${EMAIL_CHANGE_SECONDS / 60} minutes.`,
      'If you did not ask for it, delete this mail: nothing changes without the link.',
    ),
    link: link.href,
  });
  await publishAccount(db, principal.userId);
  return { status: 'sent', expires_in: EMAIL_CHANGE_SECONDS };
}

export async function cancelEmailChange({ services: { db }, principal: { userId } }: SignedInCall): Promise<void> {
  await deleteEmailChange(db, userId);
  await publishAccount(db, userId);
}

/**
 * Changes the address of an account to the one whose mailbox the link reached, and tells the old one. Links to sign in
 * that the old mailbox still holds stop working. When another account has taken the address meanwhile, nothing changes.
 */
export async function confirmEmailChange(
  { services: { db, mailer, config } }: Call,
  { body: { code } }: InputOf<typeof ownSessionsApi.confirmEmailChange>,
): Promise<{ email: string }> {
  try {
    return await db.transaction().execute(async (trx) => {
      const change = await useEmailChange(trx, hashSecret(code));
      if (change === undefined)
        throw new Problem(
          'auth/invalid-verification-code',
          'This link was used already, has expired, or was replaced by a newer one. Ask for a new link under My account.',
        );
      const { userId, email, onlySession } = change;
      const old = await updateEmail(trx, userId, email);
      await recordAccountEvent(trx, {
        action: 'account.email-changed',
        actor: { userId, email },
        targetType: 'user',
        targetId: userId,
        details: { from: old, to: email },
      });
      if (onlySession !== null) await endSessions(trx, { userId, email }, { but: onlySession }, 'session.revoked');
      await publishAccount(trx, userId);
      // Last and before the commit: either the old address was told, or nothing has changed.
      await mailer.send({
        to: old,
        subject: 'The e-mail address of your Heterosis account was changed',
        text: mailText(
          `Your Heterosis account at ${config.publicUrl} now has the address ${email}.`,
          'Links to sign in are mailed to the new address only.',
          '',
          'If this was not you, tell the people who run this service at once.',
        ),
      });
      return { email };
    });
  } catch (error) {
    if (violates(error, 'users_email_key')) throw inUse('This address');
    throw error;
  }
}

const inUse = (email: string): Problem =>
  new Problem('auth/email-already-in-use', `${email} belongs to another account. Enter another address.`);
