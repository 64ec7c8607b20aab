import * as z from 'zod';
import { id, name, timestamp } from '../common.ts';
import { fileType, genotypeReading } from './files.ts';

/** Step 1 of an upload. `content_type` must be sent again with the data. */
export const uploadLinkBody = z.object({
  folder_id: id.nullable().optional().describe('Null or absent: the root.'),
  file_type: fileType.nullable().optional(),
  content_type: z
    .string()
    .max(255)
    .regex(/^[!-~]+\/[!-~][ -~]*$/, 'Write a media type, for example text/csv')
    .default('application/octet-stream')
    .describe('Send the bytes with this `content-type`.'),
  size_bytes: z.number().int().nonnegative().optional().describe('Needed to upload in parts.'),
  name: name
    .optional()
    .describe('A name that is taken is refused here already; the name that counts is that of step 3.'),
  fingerprint: z
    .string()
    .max(200)
    .optional()
    .describe('Whatever lets the sender know the file again, to go on with an upload that broke off.'),
  replaces: id
    .nullable()
    .optional()
    .describe('An INVALID file of the same type, which goes to the bin in the moment in which this one comes to be.'),
});
export const uploadLinkResult = z
  .object({
    put_url: z
      .string()
      .describe(
        'Accepts the whole file, of exactly `size_bytes` if that was given, in one PUT within 15 minutes, with the `content-type` of this step and without a token.',
      ),
    file_id: id.describe('Id of the upload, and of the file that step 3 creates.'),
  })
  .meta({ id: 'UploadLink' });

/**
 * Step 2 is one PUT to `put_url`. For large files and unreliable connections, it is parts of this many bytes (the last
 * may be shorter), each with its own PUT, in any order; parts may be repeated.
 */
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024;

/** `GET …/uploads`: an unfinished multipart upload of the caller. */
export const upload = z
  .object({
    /** The `file_id` of step 1. */
    id,
    name: z.string().nullable(),
    folder_id: id.nullable(),
    file_type: fileType.nullable(),
    size_bytes: z.number(),
    part_bytes: z.number().int(),
    received_bytes: z.number(),
    fingerprint: z.string().nullable(),
    replaces: id.nullable().describe('Also null when the file to be replaced has been deleted for good.'),
    created_at: timestamp,
    expires_at: timestamp.describe('The parts are deleted at this time.'),
  })
  .meta({ id: 'Upload' });
export type Upload = z.infer<typeof upload>;

const uploadPart = z.object({ number: z.number().int().describe('From 1.'), size_bytes: z.number().int() });
/** `GET …/uploads/{id}`: the parts that have arrived. Numbers start at 1. */
export const uploadDetail = upload
  .extend({ parts: z.array(uploadPart).describe('Parts that have arrived.') })
  .meta({ id: 'UploadDetail' });
export type UploadDetail = z.infer<typeof uploadDetail>;

export const MAX_PARTS_AT_ONCE = 100;
/** `POST …/uploads/{id}/parts`: URLs for these parts. Each accepts one PUT of exactly its bytes, within 15 minutes. */
export const uploadPartsBody = z.object({
  numbers: z
    .array(z.number().int().positive())
    .min(1)
    .max(MAX_PARTS_AT_ONCE)
    .describe('Numbers of the parts, from 1. A part has the `part_bytes` of the upload; the last one may be shorter.'),
});
export const uploadPartLinks = z.object({
  data: z.array(
    uploadPart.extend({
      put_url: z
        .string()
        .describe(
          'Accepts one PUT of exactly `size_bytes` bytes within 15 minutes, with the `content-type` of step 1 and without a token.',
        ),
    }),
  ),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'A SHA-256 has 64 hexadecimal digits, in lower case');

/**
 * Step 3 creates the file once its bytes have arrived, and starts its check. If their hash differs from the one given
 * here, the file becomes INVALID (E-UPLOAD-DAMAGED).
 */
export const createFileBody = z.object({
  name,
  folder_id: id.nullable().optional(),
  file_id: id.describe('The `file_id` of step 1.'),
  file_type: fileType.nullable().optional(),
  ...genotypeReading,
  sha256: sha256.optional().describe('SHA-256 of the whole file: a file that arrived damaged is INVALID.'),
  parts_sha256: sha256
    .optional()
    .describe(
      'SHA-256 of the SHA-256s (32 bytes each) of all parts in order, for senders that have no hash of the whole file.',
    ),
});
