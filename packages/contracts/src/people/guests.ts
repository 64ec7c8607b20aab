import * as z from 'zod';
import { id } from '../common.ts';

/** `POST /api/auth/guest`: a token that reads the demo project for a while, for somebody who has not signed in. */
export const guestSession = z
  .object({
    access_token: z.string().describe('For `Authorization: Bearer …`.'),
    expires_in: z.number().int().describe('Seconds for which the token is valid. Then ask for another.'),
    project_id: id.describe('The demo project: the only one that the token reaches.'),
  })
  .meta({ id: 'GuestSession' });
export type GuestSession = z.infer<typeof guestSession>;
