import * as z from 'zod';
import { createAccessTokenBody } from './auth.ts';

/** `GET /api/auth/connections/{uid}`: an app that asks for access. */
export const connectionRequest = z
  .object({
    app: z.string().describe('Its name.'),
    writes: z.boolean().describe('Whether it is made to write, and not only to read.'),
    token_days: z.number().int().describe('Days after which the access ends.'),
  })
  .meta({ id: 'ConnectionRequest' });
export type ConnectionRequest = z.infer<typeof connectionRequest>;

/** `POST /api/auth/connections/{uid}`: what the app may do. */
export const allowConnectionBody = createAccessTokenBody.pick({ scopes: true, project_ids: true });

/** Where the browser goes on, back to the app. */
export const connectionAnswer = z.object({ redirect_to: z.string() }).meta({ id: 'ConnectionAnswer' });
