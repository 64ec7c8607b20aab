import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { secondFactorApi } from '@heterosis/contracts/endpoints/people/second-factor';
import type { SecondFactor } from '@heterosis/contracts/people/second-factor';
import { recordAccountEvent } from '../../../../platform/audit/audit-events.ts';
import type { Config } from '../../../../platform/config/config.ts';
import { sealText, unsealText } from '../../../../platform/config/sealed-text.ts';
import type { Database, DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { SignedInCall } from '../../../../platform/http/bind.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { mailText } from '../sign-in/sign-in-link.service.ts';
import {
  findTotpStep,
  hashRecoveryCode,
  isTotpCode,
  makeRecoveryCodes,
  makeTotpSecret,
} from './second-factor-codes.ts';
import {
  deleteSecondFactor,
  findSecondFactor,
  insertSecondFactor,
  listDemanding,
  lockSecondFactor,
  replaceRecoveryCodes,
  type SecondFactorRow,
  updateSecondFactor,
  useRecoveryCode,
} from './second-factors.queries.ts';

export interface SecondFactorContext {
  db: Database;
  config: Pick<Config, 'secretKey'>;
}

type RecoveryCodes = AnswerOf<typeof secondFactorApi.confirmSecondFactor>;

const PURPOSE = 'second-factor';
/** Wrong codes of one person within the window before a right one is refused too. */
const MAX_WRONG_TRIES = 10;
const WINDOW_SECONDS = 15 * 60;

export async function readSecondFactor({
  services: { db },
  principal: { userId },
}: SignedInCall): Promise<SecondFactor> {
  const found = await findSecondFactor(db, userId);
  return {
    since: found?.since ?? null,
    recovery_codes: found?.recovery_codes ?? 0,
    demanded_by: await listDemanding(db, userId),
  };
}

/** A secret for an authenticator app. Until a code of it was entered it protects nothing. */
export async function beginSecondFactor({
  services: { db, config },
  principal: { userId, email },
}: SignedInCall): Promise<AnswerOf<typeof secondFactorApi.beginSecondFactor>> {
  const made = await makeTotpSecret(email);
  if (!(await insertSecondFactor(db, userId, await sealText(config, PURPOSE, made.secret))))
    throw new Problem(
      'accounts/second-factor-exists',
      'Your account has a second factor. Remove it first to set up another device.',
    );
  return made;
}

/**
 * The first code shows that the app has the secret: from now on every sign-in needs one. Other sessions, which were
 * begun without, end. Returns the recovery codes.
 */
export async function confirmSecondFactor(
  { services, principal }: SignedInCall,
  { body: { code } }: InputOf<typeof secondFactorApi.confirmSecondFactor>,
): Promise<RecoveryCodes> {
  const codes = await makeRecoveryCodes();
  await judgeCode(services, principal.userId, code, async (trx, factor) => {
    if (factor.confirmed_at !== null)
      throw new Problem('accounts/second-factor-exists', 'Your account has a second factor already.');
    await replaceRecoveryCodes(trx, principal.userId, codes.map(hashRecoveryCode));
    if (principal.sessionId !== null)
      await endSessions(trx, principal, { but: principal.sessionId }, 'session.revoked');
    await record(trx, principal, 'second-factor.added');
    await tell(services, principal, 'A second factor was added to your Heterosis account', [
      'Signing in to your account now needs a code of your authenticator app as well.',
    ]);
    return { confirmed_at: new Date() };
  });
  return { recovery_codes: codes };
}

export async function renewRecoveryCodes({ services: { db }, principal }: SignedInCall): Promise<RecoveryCodes> {
  const codes = await makeRecoveryCodes();
  await db.transaction().execute(async (trx) => {
    const factor = await lockSecondFactor(trx, principal.userId, WINDOW_SECONDS);
    if (factor?.confirmed_at == null) throw noSecondFactor();
    await replaceRecoveryCodes(trx, principal.userId, codes.map(hashRecoveryCode));
    await record(trx, principal, 'second-factor.codes-renewed');
  });
  return { recovery_codes: codes };
}

export const removeSecondFactor = ({ services, principal }: SignedInCall): Promise<void> =>
  takeSecondFactor(services, principal);

/**
 * Where an organization demands one, its pages are closed until there is another. `operator`: who does it for somebody
 * that has lost the device.
 */
export async function takeSecondFactor(
  services: Pick<Services, 'db' | 'mailer' | 'config'>,
  person: { userId: string; email: string },
  operator?: { email: string },
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    if (!(await deleteSecondFactor(trx, person.userId))) throw noSecondFactor();
    await record(trx, person, 'second-factor.removed', operator);
    await tell(services, person, 'The second factor of your Heterosis account was removed', [
      'Signing in to your account does not need a code of your authenticator app any more.',
    ]);
  });
}

export const hasSecondFactor = async (db: Database, userId: string): Promise<boolean> =>
  (await findSecondFactor(db, userId)) !== undefined;

/** Accepts a code of the app or a recovery code of a confirmed second factor, each once; throws otherwise. */
export async function checkSecondFactor(
  context: SecondFactorContext,
  person: { userId: string; email: string },
  code: string,
): Promise<void> {
  await judgeCode(context, person.userId, code, async (_trx, factor) => {
    if (factor.confirmed_at === null) throw noSecondFactor();
    return {};
  });
}

/**
 * Judges a code under a lock. Wrong ones are counted, so that they cannot be tried out; `accept` joins in the
 * transaction of a right one.
 */
async function judgeCode(
  { db, config }: SecondFactorContext,
  userId: string,
  text: string,
  accept: (trx: DatabaseTransaction, factor: SecondFactorRow) => Promise<{ confirmed_at?: Date }>,
): Promise<void> {
  const code = text.replace(/\s/g, '');
  const isRight = await db.transaction().execute(async (trx) => {
    const factor = await lockSecondFactor(trx, userId, WINDOW_SECONDS);
    if (factor === undefined) throw noSecondFactor();
    const tries = factor.was_tried_lately ? factor.wrong_tries : 0;
    if (tries >= MAX_WRONG_TRIES)
      throw new Problem(
        'auth/too-many-requests',
        `Too many wrong codes were entered. Try again in ${WINDOW_SECONDS / 60} minutes.`,
        { headers: { 'retry-after': String(WINDOW_SECONDS) } },
      );
    const step = isTotpCode(code)
      ? await findTotpStep(await unsealText(config, PURPOSE, factor.sealed_secret), code, Date.now())
      : undefined;
    // A code that was seen over a shoulder is worth nothing once it was used.
    const isAccepted =
      step === undefined
        ? !isTotpCode(code) && (await useRecoveryCode(trx, userId, hashRecoveryCode(code)))
        : step > factor.last_step;
    if (!isAccepted) {
      await updateSecondFactor(trx, userId, { wrong_tries: tries + 1 });
      return false;
    }
    const change = await accept(trx, factor);
    await updateSecondFactor(trx, userId, {
      ...change,
      wrong_tries: 0,
      ...(step === undefined ? {} : { last_step: step }),
    });
    return true;
  });
  if (!isRight) throw wrongCode();
}

export const wrongCode = (): Problem =>
  new Problem(
    'auth/wrong-code',
    'This code is not right, or it was used before. Enter the one that is shown now; each works once.',
  );

const noSecondFactor = (): Problem =>
  new Problem('accounts/no-second-factor', 'Your account has no second factor. Set one up under My account.');

const record = (
  trx: DatabaseTransaction,
  actor: { userId: string; email: string },
  action: 'second-factor.added' | 'second-factor.removed' | 'second-factor.codes-renewed',
  operator?: { email: string },
): Promise<void> =>
  recordAccountEvent(trx, {
    action,
    actor,
    targetType: 'user',
    targetId: actor.userId,
    ...(operator === undefined ? {} : { details: { operator: operator.email } }),
  });

/** Whoever did not do it has to know. */
const tell = (
  { mailer, config }: Pick<Services, 'mailer' | 'config'>,
  { email }: { email: string },
  subject: string,
  lines: string[],
): Promise<void> =>
  mailer.send({
    to: email,
    subject,
    text: mailText(...lines, '', `If this was not you, tell the people who run ${config.publicUrl} at once.`),
  });
