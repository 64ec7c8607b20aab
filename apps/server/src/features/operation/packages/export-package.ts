import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { PackageLicence } from '@heterosis/contracts/data/data-packages';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import type { Services } from '../../../platform/http/app.ts';
import { requireSpace } from '../../../platform/object-storage/disk-reserve.ts';
import { ObjectDamagedError } from '../../../platform/object-storage/object-storage.ts';
import { scratchName } from '../../../platform/processes/scratch-name.ts';
import { workRoot } from '../../../platform/processes/work-directory.ts';
import { describePackage, type SentFile } from './crate.ts';
import { CRATE_FILE, MANIFEST_FILE } from './package-paths.ts';
import { type PackagedFile, type Snapshot, takeSnapshot } from './take-snapshot.ts';

type ExportServices = Pick<Services, 'db' | 'storage' | 'config'>;

/** A package whose rows are written aside; its archive is made while it is sent. */
export interface PreparedPackage {
  projectName: string;
  chunks: AsyncGenerator<Uint8Array>;
  /** Deletes what was written aside. */
  close(): Promise<void>;
}

export async function preparePackage(
  services: ExportServices,
  projectId: string,
  licence: PackageLicence | undefined,
): Promise<PreparedPackage> {
  const { config } = services;
  const directory = join(workRoot(config), scratchName());
  const close = (): Promise<void> => rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    await requireSpace(directory, config.limits.reservedDiskBytes);
    const snapshot = await takeSnapshot(services, projectId, directory);
    const chunks = zipChunks(entriesOf(services, snapshot, licence));
    return { projectName: snapshot.about.project.name, chunks, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The archive as it is sent. What was written aside is deleted however the sending ends. */
export function sendPackage({ chunks, close }: PreparedPackage): Readable {
  const bytes = Readable.from(chunks, { objectMode: false });
  bytes.once('close', () => void close());
  return bytes;
}

type Entry = readonly [name: string, chunks: AsyncIterable<Uint8Array>];

/** The files, then what is known once they are sent: the description and the checksums. */
function* entriesOf(
  { storage, config }: ExportServices,
  snapshot: Snapshot,
  licence: PackageLicence | undefined,
): Generator<Entry> {
  const sent: SentFile[] = [];
  for (const file of snapshot.files) yield [file.path, hashed(bytesOf(storage, file), file, sent)];
  const crate = async function* (): AsyncGenerator<Uint8Array> {
    const described = describePackage(snapshot, sent, { licence, publicUrl: config.publicUrl });
    yield Buffer.from(`${JSON.stringify(described, undefined, 1)}\n`);
  };
  yield [CRATE_FILE, hashed(crate(), { path: CRATE_FILE, from: { local: '' } }, sent)];
  yield [
    MANIFEST_FILE,
    (async function* () {
      yield Buffer.from(sent.map(({ hash, path }) => `${hash}  ${path}\n`).join(''));
    })(),
  ];
}

async function* bytesOf(storage: Services['storage'], { from }: PackagedFile): AsyncGenerator<Uint8Array> {
  if ('local' in from) {
    yield* createReadStream(from.local, { highWaterMark: 1 << 18 });
    return;
  }
  const source = await storage.open(from.key);
  try {
    yield* source.stream();
  } finally {
    await source.close();
  }
}

/** Passes the bytes on and notes what was sent. A file that is not what was once uploaded breaks the package off. */
async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  file: PackagedFile,
  sent: SentFile[],
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    yield chunk;
  }
  const found = hash.digest('hex');
  if (file.sha256 !== undefined && file.sha256 !== found) throw new ObjectDamagedError(`file "${file.path}"`);
  sent.push({ ...file, sizeBytes, hash: found });
}
