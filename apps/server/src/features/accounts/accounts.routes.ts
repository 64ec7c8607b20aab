import { type UserProfile, updateMailsBody, updateProfileBody, userProfile } from '@heterosis/contracts/auth';
import { requirePrincipal } from '../../platform/http/access.ts';
import type { FeatureRoutes } from '../../platform/http/app.ts';
import { notFound } from '../../platform/http/problem.ts';
import { findHighestRole, findUser, updateRunMailMinutes, updateUserName } from './users.queries.ts';

export const accountRoutes: FeatureRoutes = (app, { db }) => {
  const readProfile = async (userId: string): Promise<UserProfile> => {
    const user = await findUser(db, userId);
    if (!user) throw notFound('This account');
    const { id, name, email, photo_url, run_mail_minutes, created_at, updated_at } = user;
    const role = (await findHighestRole(db, userId)) ?? null;
    return { id, name, email, photo_url, role, run_mail_minutes, created_at, updated_at };
  };

  app.get(
    '/users/me',
    { config: { guard: 'signed-in' }, schema: { summary: 'My profile', response: { 200: userProfile } } },
    async (request) => readProfile(requirePrincipal(request).userId),
  );
  app.put(
    '/users/me',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'Change my name', body: updateProfileBody, response: { 200: userProfile } },
    },
    async (request) => {
      const { userId } = requirePrincipal(request);
      await updateUserName(db, userId, `${request.body.first_name} ${request.body.last_name}`);
      return readProfile(userId);
    },
  );
  app.put(
    '/users/me/mails',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'Change which mails I get', body: updateMailsBody, response: { 200: userProfile } },
    },
    async (request) => {
      const { userId } = requirePrincipal(request);
      await updateRunMailMinutes(db, userId, request.body.run_mail_minutes);
      return readProfile(userId);
    },
  );
};
