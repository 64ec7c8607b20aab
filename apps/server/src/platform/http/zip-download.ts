import { Readable } from 'node:stream';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import type { ObjectStorage } from '../object-storage/object-storage.ts';
import type { Download } from './bind.ts';

/** A file of an archive: text, or an object in the storage. */
export interface ZippedFile {
  name: string;
  content: string | { key: string };
}

export interface Zip {
  fileName: string;
  files: ZippedFile[];
}

/** A zip archive, made while it is sent. */
export function zipDownload(storage: Pick<ObjectStorage, 'open'>, { fileName, files }: Zip): Download {
  const chunks = zipChunks(files.map(({ name, content }) => [name, chunksOf(storage, content)] as const));
  return { fileName, bytes: Readable.from(chunks, { objectMode: false }) };
}

async function* chunksOf(
  storage: Pick<ObjectStorage, 'open'>,
  content: ZippedFile['content'],
): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') {
    yield Buffer.from(content);
    return;
  }
  const source = await storage.open(content.key);
  try {
    yield* source.stream();
  } finally {
    await source.close();
  }
}
