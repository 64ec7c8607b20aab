import { Readable } from 'node:stream';
import type { RunKind } from '@heterosis/contracts/run-kinds';
import type { Provenance } from '@heterosis/contracts/runs';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import type { FastifyReply } from 'fastify';
import { contentDisposition } from '../../../platform/object-storage/content-disposition.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';

/** A file of a bundle: text made now, or an object of the storage. */
export interface BundleFile {
  name: string;
  content: string | { key: string };
}

export interface Bundle {
  fileName: string;
  files: BundleFile[];
}

/** What a run was, as `run.json` of its bundle has it. */
export interface RunRecord {
  kind: RunKind;
  id: string;
  name: string;
  description: string | null;
  traits: readonly string[];
  /** Name of every input by its role; the SHA-256 of the originals are in `provenance`. */
  inputs: Record<string, string | null>;
  results: unknown;
  provenance: Provenance;
}

/** Everything needed to repeat and to cite a run: inputs by their hashes, parameters, seed, version, a methods paragraph, and all results. */
export function makeBundle(record: RunRecord, methods: string, results: readonly BundleFile[]): Bundle {
  return {
    fileName: `${record.name}.zip`,
    files: [
      { name: 'run.json', content: `${JSON.stringify(record, null, 2)}\n` },
      { name: 'methods.txt', content: `${methods}\n` },
      ...results,
    ],
  };
}

/** Answers with the bundle as a zip archive, made while it is sent. */
export function sendBundle(
  reply: FastifyReply,
  storage: Pick<ObjectStorage, 'open'>,
  { fileName, files }: Bundle,
): FastifyReply {
  const chunks = zipChunks(files.map(({ name, content }) => [name, chunksOf(storage, content)] as const));
  return reply
    .type('application/zip')
    .header('content-disposition', contentDisposition(fileName))
    .send(Readable.from(chunks, { objectMode: false }));
}

async function* chunksOf(
  storage: Pick<ObjectStorage, 'open'>,
  content: BundleFile['content'],
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

/** A trait's folder in a bundle: its place keeps two traits apart whose names differ only in signs. */
export const traitFolder = (traits: readonly string[], trait: string): string =>
  `${traits.indexOf(trait) + 1}_${trait.replaceAll(/[^\w.-]+/g, '_')}`;
