import * as z from 'zod';
import { del, type Endpoints, get, put } from '../../endpoint.ts';
import {
  deleteAccountQuery,
  PHOTO_BYTES,
  PHOTO_SIDE,
  PHOTO_TYPES,
  updateMailsBody,
  updatePaperBody,
  updateProfileBody,
  userProfile,
} from '../../people/auth.ts';
import { updateNotificationsBody } from '../../people/notifications.ts';

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
  updateNotifications: put('/users/me/notifications', 'signed-in', {
    summary: 'Change of what I am told in the product',
    body: updateNotificationsBody,
    answer: userProfile,
  }),
  updatePaper: put('/users/me/paper', 'signed-in', {
    summary: 'Change the paper that I print on',
    body: updatePaperBody,
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

/** The photo of a person: sent as the bytes of an image, shown to whoever knows its random address. */
export const photosApi = {
  changePhoto: put('/users/me/photo', 'signed-in', {
    summary: 'Change my photo',
    description: `The bytes of a JPEG, PNG or WebP with its content type, at most ${PHOTO_BYTES / 1024} KB and ${PHOTO_SIDE} pixels on a side, upright: metadata such as place, time and orientation is removed.`,
    takes: PHOTO_TYPES,
    answer: userProfile,
  }),
  removePhoto: del('/users/me/photo', 'signed-in', { summary: 'Remove my photo', answer: userProfile }),
  readPhoto: get('/photos/:id', 'public', { summary: 'A photo of a person', media: PHOTO_TYPES }),
} as const satisfies Endpoints;
