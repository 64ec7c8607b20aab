import * as z from 'zod';
import { id, name, timestamp } from '../common.ts';

export const crop = z
  .object({ id, name: z.string(), created_at: timestamp, updated_at: timestamp })
  .meta({ id: 'Crop' });
export type Crop = z.infer<typeof crop>;
export const cropBody = z.object({ name });
