import type { Paper } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { accountsApi } from '@heterosis/contracts/endpoints/people/accounts';
import type { UserProfile } from '@heterosis/contracts/people/auth';
import type { MailedKind, NotificationKind } from '@heterosis/contracts/people/notifications';
import { publishAccount } from '../../../platform/events/events.ts';
import type { SignedInCall } from '../../../platform/http/bind.ts';
import { notFound } from '../../../platform/http/problem.ts';
import {
  findHighestRole,
  findPendingEmail,
  findUser,
  publishPerson,
  updateMailedNotifications,
  updateMutedNotifications,
  updatePaper as updatePaperRow,
  updateRunMailMinutes,
  updateUserName,
} from './users.queries.ts';

export async function readProfile({
  services: { db },
  principal: { userId },
}: {
  services: Pick<SignedInCall['services'], 'db'>;
  principal: Pick<SignedInCall['principal'], 'userId'>;
}): Promise<UserProfile> {
  const user = await findUser(db, userId);
  if (!user) throw notFound('This account');
  const { id, name, email, photo_url, run_mail_minutes } = user;
  const { is_operator, created_at, updated_at } = user;
  const role = (await findHighestRole(db, userId)) ?? null;
  const pending_email = (await findPendingEmail(db, userId)) ?? null;
  const wishes = {
    run_mail_minutes,
    muted_notifications: user.muted_notifications as NotificationKind[],
    mailed_notifications: user.mailed_notifications as MailedKind[],
    paper: user.paper as Paper | null,
  };
  return { id, name, email, pending_email, photo_url, role, ...wishes, is_operator, created_at, updated_at };
}

/** `PUT /users/me`. */
export async function updateProfile(
  call: SignedInCall,
  { body: { first_name, last_name } }: InputOf<typeof accountsApi.updateProfile>,
): Promise<UserProfile> {
  await call.services.db.transaction().execute(async (trx) => {
    await updateUserName(trx, call.principal.userId, `${first_name} ${last_name}`);
    await publishPerson(trx, call.principal.userId);
  });
  return await readProfile(call);
}

/** `PUT /users/me/mails`. */
export async function updateMails(
  call: SignedInCall,
  { body: { run_mail_minutes, mailed_notifications } }: InputOf<typeof accountsApi.updateMails>,
): Promise<UserProfile> {
  await call.services.db.transaction().execute(async (trx) => {
    const { userId } = call.principal;
    if (run_mail_minutes !== undefined) await updateRunMailMinutes(trx, userId, run_mail_minutes);
    if (mailed_notifications !== undefined) await updateMailedNotifications(trx, userId, mailed_notifications);
    await publishAccount(trx, call.principal.userId);
  });
  return await readProfile(call);
}

/** `PUT /users/me/notifications`. */
export async function updateNotifications(
  call: SignedInCall,
  { body: { muted } }: InputOf<typeof accountsApi.updateNotifications>,
): Promise<UserProfile> {
  await call.services.db.transaction().execute(async (trx) => {
    await updateMutedNotifications(trx, call.principal.userId, [...new Set(muted)]);
    await publishAccount(trx, call.principal.userId);
  });
  return await readProfile(call);
}

/** `PUT /users/me/paper`. */
export async function updatePaper(
  call: SignedInCall,
  { body: { paper } }: InputOf<typeof accountsApi.updatePaper>,
): Promise<UserProfile> {
  await call.services.db.transaction().execute(async (trx) => {
    await updatePaperRow(trx, call.principal.userId, paper);
    await publishAccount(trx, call.principal.userId);
  });
  return await readProfile(call);
}
