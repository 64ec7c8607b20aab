import type { UserProfile } from '@heterosis/contracts/auth';
import type { Queryable } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { findHighestRole, findPendingEmail, findUser } from './users.queries.ts';

export async function readProfile(db: Queryable, userId: string): Promise<UserProfile> {
  const user = await findUser(db, userId);
  if (!user) throw notFound('This account');
  const { id, name, email, photo_url, run_mail_minutes, is_operator, created_at, updated_at } = user;
  const role = (await findHighestRole(db, userId)) ?? null;
  const pending_email = (await findPendingEmail(db, userId)) ?? null;
  return { id, name, email, pending_email, photo_url, role, run_mail_minutes, is_operator, created_at, updated_at };
}
