import * as z from 'zod';
import { id, reference, role, timestamp } from '../common.ts';
import { email, tokenResult } from './auth.ts';

/** Days until an invitation expires. */
export const INVITATION_DAYS = 14;

/** An invitation that the caller has received: to a project or to an organization. */
export const invitation = z
  .object({
    id,
    sender: z.string().describe('Name, or e-mail address of a person without one.'),
    recipient: z.string().describe('E-mail address.'),
    role,
    project: reference.extend({ created_at: timestamp, updated_at: timestamp }).nullable(),
    organization: reference.extend({ created_at: timestamp, updated_at: timestamp }).nullable(),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitation>;

/** An invitation that an organization or a project has sent. */
export const sentInvitation = z
  .object({
    id,
    sender: z.string().describe('Name, or e-mail address of a person without one.'),
    recipient: z.string().describe('E-mail address.'),
    role,
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'SentInvitation' });
export type SentInvitation = z.infer<typeof sentInvitation>;

/** OWNER is obtained only by creating an organization or by a change of role. */
export const invitedRole = z.enum(['MEMBER', 'MANAGER']);
export type InvitedRole = z.infer<typeof invitedRole>;

export const inviteBody = z.object({
  recipient: email,
  role: invitedRole.default('MEMBER'),
  project_ids: z
    .array(id)
    .max(100)
    .optional()
    .describe('Of an organization: its projects that the person joins as MEMBER by accepting.'),
});

/** `POST /invitations/sign_in`: the code of the mailed link, which signs in its addressee once. */
export const invitationSignInBody = z.object({ code: z.string().min(1).max(200) });
export const invitationSignIn = tokenResult;

/** What the addressee joined. */
export const acceptedInvitation = z
  .object({
    organization_id: id,
    project_id: id
      .nullable()
      .describe('Where to go on: the project, or the first one that the invitation to an organization names.'),
  })
  .meta({ id: 'AcceptedInvitation' });
