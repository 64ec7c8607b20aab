import type { InputOf } from '@heterosis/contracts/endpoint';
import type { accountsApi } from '@heterosis/contracts/endpoints/people/accounts';
import type { UserProfile } from '@heterosis/contracts/people/auth';
import type { NotificationKind } from '@heterosis/contracts/people/notifications';
import { publishAccount } from '../../../platform/events/events.ts';
import type { SignedInCall } from '../../../platform/http/bind.ts';
import { notFound } from '../../../platform/http/problem.ts';
import {
  findHighestRole,
  findPendingEmail,
  findUser,
  publishPerson,
  updateMutedNotifications,
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
  const { id, name, email, photo_url, run_mail_minutes, muted_notifications } = user;
  const { is_operator, created_at, updated_at } = user;
  const role = (await findHighestRole(db, userId)) ?? null;
  const pending_email = (await findPendingEmail(db, userId)) ?? null;
  const wishes = { run_mail_minutes, muted_notifications: muted_notifications as NotificationKind[] };
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
  { body: { run_mail_minutes } }: InputOf<typeof accountsApi.updateMails>,
): Promise<UserProfile> {
  await call.services.db.transaction().execute(async (trx) => {
    await updateRunMailMinutes(trx, call.principal.userId, run_mail_minutes);
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
