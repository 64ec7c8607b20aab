import { Readable } from 'node:stream';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type { Provenance } from '@heterosis/contracts/work/runs';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import type { Download } from '../../../../platform/http/bind.ts';
import type { ObjectStorage } from '../../../../platform/object-storage/object-storage.ts';

/** A file of a bundle: text, or an object in the storage. */
export interface BundleFile {
  name: string;
  content: string | { key: string };
}

export interface Bundle {
  fileName: string;
  files: BundleFile[];
}

/** What a kind says of its bundle. */
export interface BundleParts {
  /** Name of every input by its role; `provenance` has the SHA-256 of the originals. */
  inputs: Record<string, string | null>;
  /** Figures and tables in `run.json`. */
  results: unknown;
  provenance: Provenance;
  /** A paragraph for the methods section of a paper. */
  methods: string;
  files: readonly BundleFile[];
}

/** The run itself. */
interface BundledRun {
  kind: RunKind;
  id: string;
  name: string;
  description: string | null;
  traits: readonly string[];
}

/**
 * Everything needed to repeat and cite a run: hashes of the inputs, parameters, seed, version, methods paragraph and
 * results.
 */
export function makeBundle(
  { kind, id, name, description, traits }: BundledRun,
  { inputs, results, provenance, methods, files }: BundleParts,
): Bundle {
  const record = { kind, id, name, description, traits, inputs, results, provenance };
  return {
    fileName: `${name}.zip`,
    files: [
      { name: 'run.json', content: `${JSON.stringify(record, null, 2)}\n` },
      { name: 'methods.txt', content: `${methods}\n` },
      ...files,
    ],
  };
}

/** The bundle as a zip archive, made while it is sent. */
export function bundleAsZip(storage: Pick<ObjectStorage, 'open'>, { fileName, files }: Bundle): Download {
  const chunks = zipChunks(files.map(({ name, content }) => [name, chunksOf(storage, content)] as const));
  return { fileName, bytes: Readable.from(chunks, { objectMode: false }) };
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

/** Folder of a trait in a bundle. The number separates traits whose names differ only in special characters. */
export const traitFolder = (traits: readonly string[], trait: string): string =>
  `${traits.indexOf(trait) + 1}_${trait.replaceAll(/[^\w.-]+/g, '_')}`;
