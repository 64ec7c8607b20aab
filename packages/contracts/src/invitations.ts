import * as z from 'zod';
import { id, reference, role, timestamp } from './common.ts';

/** An invitation received: to a project or to an organization. */
export const invitation = z
  .object({
    id,
    sender: z.string().describe('E-mail address.'),
    recipient: z.string().describe('E-mail address.'),
    role,
    project: reference.extend({ created_at: timestamp, updated_at: timestamp }).nullable(),
    organization: reference.extend({ created_at: timestamp, updated_at: timestamp }).nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitation>;
