import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { authApi } from '@heterosis/contracts/endpoints/people/auth';
import type { Config } from '../../../../platform/config/config.ts';
import type { Database, Queryable } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { Call, Caller } from '../../../../platform/http/bind.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import {
  ensureUser,
  findLatestRegistration,
  findUserByEmail,
  insertDecidedRegistration,
  insertPendingRegistration,
  listOperators,
  type User,
} from '../../accounts/index.ts';
import { isInvited } from '../auth.queries.ts';
import { tellOperatorJob } from '../jobs.ts';
import { readProvenAddress } from '../proven-address.ts';
import { limitSignInRequests } from '../rate-limit.ts';
import { hashSecret, makeSecret } from '../secret-text.ts';
import type { KeyRing } from '../sessions/key-ring.ts';
import { type CodeMethod, insertSignInCode } from './sign-in-codes.queries.ts';

const SIGN_IN_LINK_SECONDS = 15 * 60;

/** Mails a sign-in link to a known address, or leaves that to the hosted service. */
export async function requestSignInLink(
  { services, callerIp: ip }: Call & Caller,
  { body }: InputOf<typeof authApi.requestSignInLink>,
): Promise<AnswerOf<typeof authApi.requestSignInLink>> {
  const { db, config } = services;
  const email = body.email.toLowerCase();
  const returnTo = body.return_to === undefined ? null : checkReturnTo(body.return_to);
  requireEmailLinks(config);
  await limitSignInRequests(db, { ip, email });

  // Whoever was invited has an account for the asking, as by the link of the invitation.
  const user =
    (await findUserByEmail(db, email)) ?? ((await isInvited(db, email)) ? await ensureUser(db, email) : undefined);
  if (user === undefined) throw await unknownAddress(db, email);
  if (user.disabled_at !== null) throw userDisabled();
  const expires_in = SIGN_IN_LINK_SECONDS;
  if (config.signIn.firebase !== null) return { status: 'provider', expires_in };
  await sendSignInLink(services, user, returnTo);
  return { status: 'sent', expires_in };
}

/**
 * Requests an account. With open registration, creates it and mails a link; otherwise an operator decides. An address
 * that already has an account gets a link, and repeating the request changes nothing.
 */
export async function signUp(
  { services, callerIp: ip, keys }: Call & Caller & { keys: KeyRing },
  { body }: InputOf<typeof authApi.signUp>,
): Promise<AnswerOf<typeof authApi.signUp>> {
  const { db, config } = services;
  const isProven = 'proof' in body;
  const wanted = isProven ? await readProvenAddress(keys, body.proof) : { email: body.email, returnTo: body.return_to };
  const email = wanted.email.toLowerCase();
  const returnTo = wanted.returnTo === undefined ? null : checkReturnTo(wanted.returnTo);
  if (!isProven) requireEmailLinks(config);
  await limitSignInRequests(db, { ip, email });

  const known = await findUserByEmail(db, email);
  if (known !== undefined && known.disabled_at !== null) throw userDisabled();
  if (known === undefined && config.registration === 'approval') {
    await requestAccount(services, email, returnTo);
    return { status: 'requested' };
  }
  const user = known ?? (await openAccount(db, email));
  // Firebase mails the link, once the browser asks it to; a provider lets the person in who has come from it.
  if (config.signIn.firebase === null && config.signIn.emailLinks) await sendSignInLink(services, user, returnTo);
  return { status: 'approved' };
}

type LinkContext = Pick<Services, 'db' | 'mailer'> & { config: Pick<Config, 'publicUrl' | 'signIn'> };

/** Creates a one-time code and mails its link. */
export async function sendSignInLink(
  context: LinkContext,
  user: Pick<User, 'id' | 'email'>,
  returnTo: string | null,
): Promise<void> {
  const link = await makeSignInLink(context, user, returnTo);
  await context.mailer.send({
    to: user.email,
    subject: 'Sign in to Heterosis',
    text: mailText(
      'Open this link to sign in to Heterosis:',
      '',
      link,
      '',
      `The link works once and for ${LINK_MINUTES} minutes.`,
      'If you did not ask for it, delete this mail: nobody can sign in without the link.',
    ),
    link,
  });
}

/** The mail that approves an account. It may be read days later, so it says where to get a new link. */
export async function sendApprovalMail(
  context: LinkContext,
  user: Pick<User, 'id' | 'email'>,
  returnTo: string | null,
): Promise<void> {
  const { publicUrl, signIn } = context.config;
  if (!signIn.emailLinks)
    return context.mailer.send({
      to: user.email,
      subject: APPROVED,
      text: mailText(`Your request for a Heterosis account was approved. Sign in at ${publicUrl}${returnTo ?? ''}`),
    });
  const link = await makeSignInLink(context, user, returnTo);
  await context.mailer.send({
    to: user.email,
    subject: APPROVED,
    text: mailText(
      'Your request for a Heterosis account was approved. Open this link to sign in:',
      '',
      link,
      '',
      `The link works once and for ${LINK_MINUTES} minutes. At any later time get a new one with your e-mail address at`,
      context.config.publicUrl,
    ),
    link,
  });
}

/** The mail that rejects an account. */
export async function sendRejectionMail(
  { mailer, config }: Pick<LinkContext, 'mailer' | 'config'>,
  to: string,
  reason: string | undefined,
): Promise<void> {
  await mailer.send({
    to,
    subject: 'Your request for a Heterosis account',
    text: mailText(
      `Your request for an account at ${config.publicUrl} was not approved.`,
      ...(reason === undefined ? [] : ['', reason]),
    ),
  });
}

const APPROVED = 'Your Heterosis account is ready';
const LINK_MINUTES = SIGN_IN_LINK_SECONDS / 60;
const MAILED_LINK = { method: 'email_link', lifetimeSeconds: SIGN_IN_LINK_SECONDS } as const;

/** The text of a mail. */
export const mailText = (...text: string[]): string => [...text, ''].join('\n');

/** Creates a one-time code, and the address that exchanges it. */
export async function makeSignInLink(
  { db, config }: Pick<LinkContext, 'db' | 'config'>,
  user: Pick<User, 'id'>,
  returnTo: string | null,
  { method, lifetimeSeconds }: { method: CodeMethod; lifetimeSeconds: number } = MAILED_LINK,
): Promise<string> {
  const code = makeSecret();
  await insertSignInCode(db, {
    userId: user.id,
    codeHash: hashSecret(code),
    returnTo,
    method,
    lifetimeSeconds,
  });
  const link = new URL(`${config.publicUrl}/signin`);
  link.searchParams.set('code', code);
  if (returnTo !== null) link.searchParams.set('returnTo', returnTo);
  return link.href;
}

/** Writes the request and enqueues the mails to all operators, once. */
async function requestAccount(
  { db, jobs }: Pick<Services, 'db' | 'jobs'>,
  email: string,
  returnTo: string | null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const registration_id = await insertPendingRegistration(trx, email, returnTo);
    if (registration_id === undefined) return;
    for (const { id: user_id } of await listOperators(trx))
      await jobs.enqueue(trx, tellOperatorJob, { registration_id, user_id });
  });
}

export async function openAccount(db: Database, email: string): Promise<User> {
  return db.transaction().execute(async (trx) => {
    await insertDecidedRegistration(trx, email, { status: 'APPROVED', decidedBy: 'open registration' });
    return ensureUser(trx, email);
  });
}

export async function unknownAddress(
  db: Queryable,
  email: string,
  details?: Record<string, unknown>,
): Promise<Problem> {
  const registration = await findLatestRegistration(db, email);
  return registration?.status === 'PENDING'
    ? new Problem(
        'auth/registration-pending',
        'Your request for an account is waiting for approval. A reply comes by e-mail within 2-3 days.',
      )
    : new Problem(
        'auth/user-not-found',
        // Log without the address: it belongs to somebody who has no account here.
        'This e-mail address is not registered. Check the spelling, or ask for an account with it.',
        details === undefined ? {} : { details },
      );
}

/** Where only the provider says who somebody is, a mailbox proves nothing. */
export function requireEmailLinks({ signIn }: Pick<Config, 'signIn'>): void {
  if (!signIn.emailLinks)
    throw new Problem(
      'auth/operation-not-allowed',
      `Links are not mailed here. Sign in with ${signIn.oidc?.name ?? 'the provider'}.`,
    );
}

export function userDisabled(): Problem {
  return new Problem('auth/user-disabled', 'This account is disabled. Ask the operator of this service to enable it.');
}

/** A path within the application. Browsers treat `//host` and `/\host` as other sites. */
export function checkReturnTo(returnTo: string): string {
  if (/^\/(?![/\\])[^\p{Cc}]*$/u.test(returnTo)) return returnTo;
  throw new Problem('request/invalid', 'body.return_to: must be a path of this site, for example /projects.', {
    invalidParams: [{ name: 'body.return_to', reason: 'must be a path of this site' }],
  });
}
