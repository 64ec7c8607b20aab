import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import { readPhenotype } from '@heterosis/analysis/inputs/read-phenotype';
import { type ByteSource, memorySource } from '@heterosis/file-formats/byte-source';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import { readGenotype } from '@heterosis/file-formats/genotype/read-genotype';
import { readCrossingTable } from '@heterosis/file-formats/tables/crossing-table/read-crossing-table';
import { readGenes } from '@heterosis/file-formats/tables/genes/read-genes';
import { readGermplasm } from '@heterosis/file-formats/tables/germplasm/read-germplasm';
import { readKinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import { readLinkageMap } from '@heterosis/file-formats/tables/linkage-map/read-linkage-map';
import { readPedigree } from '@heterosis/file-formats/tables/pedigree/read-pedigree';

/** Readers of files that users upload. */
export const READERS = {
  genotype: readGenotypeInto,
  // Parts of a zip, so that what is changed is their content and not the archive around it.
  'plink binary': (source: ByteSource) => readPlinkParts(source, ['p.bim', 'p.fam', 'p.bed']),
  'plink text': (source: ByteSource) => readPlinkParts(source, ['p.map', 'p.ped']),
  phenotype: (source: ByteSource) => readPhenotype(source, { threads: 1 }),
  'crossing table': (source: ByteSource) => readCrossingTable(source, {}),
  'linkage map': (source: ByteSource) => readLinkageMap(source, {}),
  germplasm: (source: ByteSource) => readGermplasm(source, {}),
  genes: (source: ByteSource) => readGenes(source),
  kinship: (source: ByteSource) => readKinshipTable(source),
  pedigree: (source: ByteSource) => readPedigree(source, {}),
};
export type ReaderName = keyof typeof READERS;

async function readGenotypeInto(source: ByteSource): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'heterosis-fuzz-'));
  try {
    await readGenotype(source, { outPrefix: join(directory, 'panel') });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What is between the files of a zip. */
export const PART = '\n--\n';

async function readPlinkParts(source: ByteSource, names: readonly string[]): Promise<void> {
  const parts = (await bytesOf(source.stream())).toString('latin1').split(PART);
  const files = names.map((name, i) => [name, Readable.from([Buffer.from(parts[i] ?? '', 'latin1')])] as const);
  await readGenotypeInto(memorySource(await bytesOf(zipChunks(files)), 'p.zip'));
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** In a worker thread: reads what it is sent and tells what was thrown. A reader answers bad input with problems. */
parentPort?.on('message', async ({ reader, bytes }: { reader: ReaderName; bytes: Uint8Array }) => {
  let thrown: string | undefined;
  try {
    await READERS[reader](memorySource(bytes, 'file'));
  } catch (error) {
    thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage({ thrown });
});
