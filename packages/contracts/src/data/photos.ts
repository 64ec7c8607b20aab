import * as z from 'zod';
import { id, name, pageQuery, timestamp } from '../common.ts';

/** Bytes of the largest photo, and of the small picture beside it. */
export const MAX_PHOTO_BYTES = 15 * 2 ** 20;
export const MAX_THUMBNAIL_BYTES = 100_000;
/** Pixels of the longer side of a small picture. */
export const THUMBNAIL_SIDE = 320;
/** Most photos of one plot. */
export const MAX_PHOTOS_OF_PLOT = 200;

const plot = z.coerce.number().int().min(1).max(10_000_000);
const note = z.string().trim().min(1).max(1_000);

export const photo = z
  .object({
    id: id.describe('Made by whoever took it.'),
    trial_id: id,
    plot: z.number().int(),
    name: z.string().describe('As the camera called the file.'),
    note: z.string().nullable(),
    taken_at: timestamp,
    content_type: z.string(),
    width: z.number().int().describe('Pixels, as stored: upright pictures may be turned by their orientation.'),
    height: z.number().int(),
    size_bytes: z.number().int(),
    has_thumbnail: z.boolean(),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
  })
  .meta({ id: 'Photo' });
export type Photo = z.infer<typeof photo>;

export const listPhotosQuery = pageQuery.extend({ plot: plot.optional().describe('Only those of this plot.') });

export const addPhotoQuery = z.object({
  id: id.describe('Made by the client, a UUID: what is sent again under it is not stored twice.'),
  plot: plot.describe('Number of the plot.'),
  name: name.default('photo'),
  taken_at: timestamp.optional().describe('Default: now.'),
  note: note.optional(),
});

/** Absent fields stay unchanged. */
export const updatePhotoBody = z.object({ note: note.nullable() });

export const photoSize = z.enum(['full', 'thumbnail']);
export const readPhotoQuery = z.object({
  size: photoSize.default('full').describe('thumbnail: the small picture, or the photo itself where there is none.'),
});
