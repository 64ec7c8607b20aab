import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { renamedCovariance } from '@heterosis/analysis/means/mean-covariance';
import { packRecord } from '@heterosis/analysis/results/binary-record';
import type { FileType } from '@heterosis/contracts/data/files';
import { deflateBgzf } from '@heterosis/file-formats/compression/bgzf';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { renameVcfSamples } from '@heterosis/file-formats/genotype/writers/rename-vcf';
import { writePanel } from '@heterosis/file-formats/genotype/writers/write-panel';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { renameIndividuals } from '@heterosis/file-formats/tables/rename-individuals';
import type { TableMapping } from '@heterosis/file-formats/tables/text/table-mapping';
import type { ComputeFunction } from '../../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../../platform/object-storage/storage-location.ts';
import { type CovarianceObject, readCovariances } from '../../../../platform/object-storage/stored-covariance.ts';
import { openStoredPanel, type PanelKeys } from '../../../../platform/object-storage/stored-panel.ts';

export interface ConvertFileInput {
  storage: StorageLocation;
  /** A table or a VCF is rewritten with all that it says; of other genotypes the calls are. */
  source:
    | { key: string; name: string; type: FileType | null; mapping?: TableMapping }
    | { panel: PanelKeys; format: 'numeric' | 'vcf' };
  /** Of the means in a phenotype file. */
  covariance?: CovarianceObject;
  renames: { from: string; to: string }[];
  /** Of a compressed VCF. */
  maxInflatedBytes: number;
  /** An empty directory for the result. */
  directory: string;
}

export interface ConvertFileOutput {
  path: string;
  covariance: RenamedCovariance | null;
}

/** The covariance with the names of the new file, and the place of each trait in it. */
export interface RenamedCovariance {
  path: string;
  size_bytes: number;
  sha256: string;
  traits: { lines: number; offset: number; length: number }[];
}

export const compute: ComputeFunction<ConvertFileInput, ConvertFileOutput> = async (input, { signal, onProgress }) => {
  onProgress({ stage: 'write', done: 0, total: 1 });
  const path = join(input.directory, 'converted');
  const renames = new Map(input.renames.map(({ from, to }) => [from, to]));
  const bytes = 'panel' in input.source ? renamedPanel(input, renames) : rewritten(input, renames);
  await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(path), { signal });
  const covariance =
    input.covariance === undefined
      ? null
      : await renameCovariance(input.storage, input.covariance, renames, join(input.directory, 'covariance'));
  return { path, covariance };
};

/** One trait in memory at a time. */
async function renameCovariance(
  storage: StorageLocation,
  covariance: CovarianceObject,
  renames: ReadonlyMap<string, string>,
  path: string,
): Promise<RenamedCovariance> {
  const traits: RenamedCovariance['traits'] = [];
  const hash = createHash('sha256');
  let offset = 0;
  const names = covariance.traits.map(({ trait }) => trait);
  const file = await open(path, 'w');
  try {
    for await (const [, own] of readCovariances(openStorageLocation(storage), covariance, names)) {
      const renamed = renamedCovariance(own, renames);
      const bytes = packRecord(renamed);
      await file.writeFile(bytes);
      hash.update(bytes);
      traits.push({ lines: renamed.lines.length, offset, length: bytes.length });
      offset += bytes.length;
    }
  } finally {
    await file.close();
  }
  return { path, size_bytes: offset, sha256: hash.digest('hex'), traits };
}

async function* rewritten(
  { storage, source, maxInflatedBytes }: ConvertFileInput,
  renames: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array> {
  if ('panel' in source) return;
  const file = await openStorageLocation(storage).open(source.key, source.name);
  try {
    if (source.type === 'PHENOTYPE' || source.type === 'CROSSING_TABLE')
      yield* renameIndividuals(file, source.type, renames, source.mapping);
    else yield* deflateBgzf(renameVcfSamples(file, renames, maxInflatedBytes));
  } finally {
    await file.close();
  }
}

async function* renamedPanel(
  { storage, source }: ConvertFileInput,
  renames: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array> {
  if (!('panel' in source)) return;
  const panel = await openStoredPanel(openStorageLocation(storage), source.panel);
  try {
    const renamed: GenotypePanel = {
      samples: panel.samples.map((sample) => renames.get(normalizeName(sample)) ?? sample),
      markers: panel.markers,
      dosages: panel.dosages,
      readPacked: (first, count) => panel.readPacked(first, count),
      close: () => panel.close(),
    };
    yield* writePanel(renamed, source.format, 'genotypes').chunks;
  } finally {
    await panel.close();
  }
}
