import * as z from 'zod';
import { del, type Endpoints, get, put } from '../endpoint.ts';
import { deleteAccountQuery, updateMailsBody, updateProfileBody, userProfile } from '../people/auth.ts';

export const accountsApi = {
  readProfile: get('/users/me', 'signed-in', {
    summary: 'My profile',
    answer: userProfile,
    beforeSecondFactor: true,
  }),
  updateProfile: put('/users/me', 'signed-in', {
    summary: 'Change my name',
    body: updateProfileBody,
    answer: userProfile,
  }),
  updateMails: put('/users/me/mails', 'signed-in', {
    summary: 'Change which mails I get',
    body: updateMailsBody,
    answer: userProfile,
  }),
  exportAccount: get('/users/me/export', 'signed-in', {
    summary: 'What is stored about me',
    answer: z.record(z.string(), z.unknown()),
    fileName: 'heterosis-account.json',
    accessTokens: 'none',
  }),
  deleteAccount: del('/users/me', 'signed-in', {
    summary: 'Delete my account',
    description: 'Refused while an organization would be left without an owner. What you created stays.',
    query: deleteAccountQuery,
    accessTokens: 'none',
    beforeSecondFactor: true,
    needsProof: true,
  }),
} as const satisfies Endpoints;
