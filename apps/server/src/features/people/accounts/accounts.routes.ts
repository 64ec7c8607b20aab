import { deleteAccountQuery, updateMailsBody, updateProfileBody, userProfile } from '@heterosis/contracts/auth';
import * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { contentDisposition } from '../../../platform/object-storage/content-disposition.ts';
import { deleteAccount, exportAccount } from './account-data.service.ts';
import { readProfile } from './profile.ts';
import { updateRunMailMinutes, updateUserName } from './users.queries.ts';

export const accountRoutes: FeatureRoutes = (app, services) => {
  const { db } = services;
  app.get(
    '/users/me',
    {
      config: { guard: 'signed-in', beforeSecondFactor: true },
      schema: { summary: 'My profile', response: { 200: userProfile } },
    },
    async (request) => readProfile(db, requirePrincipal(request).userId),
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
      return readProfile(db, userId);
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
      return readProfile(db, userId);
    },
  );
  app.get(
    '/users/me/export',
    {
      config: { guard: 'signed-in', accessTokens: 'none' },
      schema: { summary: 'What is stored about me', response: { 200: z.record(z.string(), z.unknown()) } },
    },
    async (request, reply) => {
      const data = await exportAccount(services, requirePrincipal(request));
      return reply
        .header('content-disposition', contentDisposition('heterosis-account.json'))
        .header('cache-control', 'no-store')
        .send(data);
    },
  );
  app.delete(
    '/users/me',
    {
      config: { guard: 'signed-in', accessTokens: 'none', beforeSecondFactor: true, needsProof: true },
      schema: {
        summary: 'Delete my account',
        description: 'Refused while an organization would be left without an owner. What you created stays.',
        querystring: deleteAccountQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deleteAccount(services, requirePrincipal(request), request.query.confirm);
      return reply.status(204).send(null);
    },
  );
};
