import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { isStorable } from './hooks/storable-text.ts';
import { Problem } from './problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The unread body of a `multipart/form-data` request. */
    multipart: Readable | undefined;
  }
}

/** Lets the routes of this scope take `multipart/form-data`; they read it with {@link receiveFile}. */
export function acceptMultipart(app: App): void {
  app.decorateRequest('multipart', undefined);
  app.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    request.multipart = payload;
    done(null, undefined);
  });
}

export interface ReceivedFile<Stored> {
  fileName: string;
  stored: Stored;
  /** The other fields as sent; each at most once. */
  fields: Record<string, string>;
}

const LIMITS = { fields: 20, fieldSize: 10_000, files: 1, parts: 21 };
const LONGEST_FILE_NAME = 255;

/**
 * Reads a form with one file in the field `file`, which `store` receives while it arrives. Whatever it stored must be
 * removed by the caller when this throws.
 *
 * @param longestField bytes of a field besides the file
 */
export async function receiveFile<Stored>(
  request: FastifyRequest,
  store: (bytes: AsyncIterable<Uint8Array>) => Promise<Stored>,
  longestField: number = LIMITS.fieldSize,
): Promise<ReceivedFile<Stored>> {
  if (request.multipart === undefined)
    throw refused('Send the file as multipart/form-data, in the field "file".', 'body', 'Not multipart/form-data');
  const fields: Record<string, string> = {};
  const faults: Problem[] = [];
  let file: { fileName: string; stored: Promise<Stored> } | undefined;
  const form = openForm(request, longestField);
  form.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated || !isStorable(value) || name in fields)
      faults.push(refused(`The field "${name}" cannot be used.`, `body.${name}`, 'Too long, repeated or damaged'));
    fields[name] = value;
  });
  form.on('file', (name, stream, { filename }) => {
    // A form that is cut off ends its file with an error too, even when nobody reads it any more.
    stream.on('error', () => undefined);
    if (name !== 'file') {
      faults.push(refused(`There is no field "${name}" for a file.`, `body.${name}`, 'Send the file as "file"'));
      stream.resume();
      return;
    }
    const stored = store(stream);
    // A failure of the storage is thrown below; the rest of the file is then not wanted.
    stored.catch(() => stream.resume());
    file = { fileName: nameOf(filename), stored };
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    form.on(limit, () => faults.push(refused('The form has too many parts.', 'body', 'Too many parts')));
  try {
    await pipeline(request.multipart, form);
  } catch (cause) {
    await file?.stored.catch(() => undefined);
    throw new Problem('files/upload-incomplete', 'The form is damaged or was cut off. Send it again.', { cause });
  }
  const [fault] = faults;
  if (file === undefined) throw fault ?? refused('The form has no file.', 'body.file', 'Choose a file');
  const stored = await file.stored;
  if (fault !== undefined) throw fault;
  return { fileName: file.fileName, stored, fields };
}

function openForm(request: FastifyRequest, fieldSize: number): ReturnType<typeof busboy> {
  try {
    return busboy({ headers: request.headers, limits: { ...LIMITS, fieldSize }, defParamCharset: 'utf8' });
  } catch (cause) {
    throw new Problem('request/invalid', 'The form has no boundary.', { cause });
  }
}

const nameOf = (given: string | undefined): string => {
  const name = (given ?? '')
    .replace(/[\p{Cc}]/gu, '')
    .toWellFormed()
    .trim()
    .slice(0, LONGEST_FILE_NAME);
  return name === '' ? 'file' : name;
};

const refused = (detail: string, name: string, reason: string): Problem =>
  new Problem('request/invalid', detail, { invalidParams: [{ name, reason }] });
