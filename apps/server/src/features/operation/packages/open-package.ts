import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { MAX_PACKAGE_BYTES, MAX_PACKAGE_FILES } from '@heterosis/contracts/data/data-packages';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { openZip, type ZipArchive } from '@heterosis/file-formats/compression/zip-archive';
import { FileFormatError } from '@heterosis/file-formats/problem';
import * as z from 'zod';
import { RunError } from '../../work/runs/work/index.ts';
import { isSafePath, MANIFEST_FILE, OBJECTS_FILE, PACKAGE_FILE, PACKAGE_FORMAT } from './package-paths.ts';

const packageAbout = z.object({
  format: z.literal(PACKAGE_FORMAT),
  software_version: z.string().max(100),
  exported_at: z.iso.datetime({ offset: true }),
  project: z.object({
    id: z.uuid(),
    name: z.string().max(255),
    crop: z.string().max(255).nullable(),
    organization: z.string().max(255),
  }),
  columns: z.record(z.string(), z.record(z.string(), z.string())),
  rows: z.record(z.string(), z.number().int().min(0)),
});

const packagedObject = z.object({ path: z.string(), key: z.string().max(900) });

/** Of the files that say what the package holds; tables are larger. */
const MAX_ABOUT_BYTES = 32_000_000;

export interface OpenPackage {
  about: z.output<typeof packageAbout>;
  objects: z.output<typeof packagedObject>[];
  /** Files that are neither tables nor objects: tables for people, and the description. */
  others: string[];
  /** As the list of checksums says. */
  hashOf(path: string): string;
  sizeOf(path: string): number;
  /** Bytes of all files. */
  totalBytes: number;
  /** The bytes of a file; throws at the end when they are not those of the list of checksums. */
  stream(path: string): AsyncGenerator<Uint8Array>;
  /** A file of the package, compared with its checksum, in the file system. */
  extract(path: string, to: string): Promise<void>;
}

export const refused = (code: string, message: string, action = 'Export the package again from where it came.') =>
  new RunError({ code: `packages/${code}`, message: `${message} Nothing was imported.`, action });

/** Opens the archive, refuses paths that lead out of it and more than a package may hold, and reads what it says. */
export async function openPackage(source: ByteSource): Promise<OpenPackage> {
  return await readable(async () => {
    const zip = await openZip(source);
    requireModest(zip);
    const hashes = await readManifest(zip);
    const unlisted = zip.names.find((name) => name !== MANIFEST_FILE && !hashes.has(name));
    if (unlisted !== undefined) throw refused('checksum', `The list of checksums has no file "${unlisted}".`);
    const lost = [...hashes.keys()].find((name) => !zip.has(name));
    if (lost !== undefined) throw refused('checksum', `The package lacks the file "${lost}".`);

    async function* stream(path: string): AsyncGenerator<Uint8Array> {
      const hash = createHash('sha256');
      for await (const chunk of zip.stream(path, zip.sizeOf(path))) {
        hash.update(chunk);
        yield chunk;
      }
      if (hash.digest('hex') !== hashes.get(path))
        throw refused('checksum', `The file "${path}" is not the one that was exported: its SHA-256 differs.`);
    }
    const text = async (path: string): Promise<string> => {
      if (!hashes.has(path)) throw refused('unreadable', `This is no data package of Heterosis: it lacks "${path}".`);
      if (zip.sizeOf(path) > MAX_ABOUT_BYTES) throw refused('too-large', `The file "${path}" is too large.`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream(path)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    const about = parsed(packageAbout, await text(PACKAGE_FILE), PACKAGE_FILE);
    const objects = (await text(OBJECTS_FILE))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parsed(packagedObject, line, OBJECTS_FILE));
    const missing = objects.find(({ path }) => !hashes.has(path));
    if (missing !== undefined) throw refused('checksum', `The package lacks the file "${missing.path}".`);
    const known = new Set([...objects.map(({ path }) => path), PACKAGE_FILE, OBJECTS_FILE]);
    return {
      ...{ about, objects, stream },
      others: [...hashes.keys()].filter((path) => !known.has(path) && !path.startsWith('heterosis/')),
      hashOf: (path) => hashes.get(path) ?? '',
      sizeOf: (path) => zip.sizeOf(path),
      totalBytes: zip.names.reduce((sum, path) => sum + zip.sizeOf(path), 0),
      async extract(path, to) {
        if (!hashes.has(path)) throw refused('unreadable', `The package lacks the file "${path}".`);
        await pipeline(stream(path), createWriteStream(to));
      },
    };
  });
}

function requireModest(zip: ZipArchive): void {
  if (zip.names.length > MAX_PACKAGE_FILES + 1000) throw refused('too-large', 'The package has too many files.');
  const unsafe = zip.names.find((name) => !isSafePath(name));
  if (unsafe !== undefined)
    throw refused('unsafe-path', `The path "${unsafe.slice(0, 200)}" leads out of the package.`);
  const bytes = zip.names.reduce((sum, name) => sum + zip.sizeOf(name), 0);
  // The rows come on top of the files that the limit is about.
  if (bytes > 2 * MAX_PACKAGE_BYTES)
    throw refused(
      'too-large',
      `The package unpacks to ${(bytes / 1e9).toFixed(1)} GB.`,
      'Ask the operator for a backup.',
    );
}

async function readManifest(zip: ZipArchive): Promise<Map<string, string>> {
  if (!zip.has(MANIFEST_FILE))
    throw refused(
      'unreadable',
      `This is no data package of Heterosis: it lacks "${MANIFEST_FILE}".`,
      'Choose another file.',
    );
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.stream(MANIFEST_FILE, MAX_ABOUT_BYTES)) chunks.push(chunk);
  const hashes = new Map<string, string>();
  for (const line of Buffer.concat(chunks).toString().split('\n')) {
    if (line === '') continue;
    const [, hash, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (hash === undefined || path === undefined) throw refused('unreadable', 'The list of checksums cannot be read.');
    hashes.set(path, hash);
  }
  return hashes;
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string, path: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof z.ZodError || cause instanceof SyntaxError)
      throw refused('unreadable', `"${path}" in the package cannot be read.`);
    throw cause;
  }
}

/** Says in the words of a package what the reader of archives says of any file. */
export async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    const { code, message } = error.problem;
    throw refused(code === 'E-TOO-LARGE' ? 'too-large' : 'unreadable', message, 'Export or upload the package again.');
  }
}
