import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { AlleleOrder } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { openPlinkBlocks } from '@heterosis/file-formats/genotype/panel/plink-blocks';
import { openPlinkPanel, type PlinkSources } from '@heterosis/file-formats/genotype/panel/plink-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { ObjectDamagedError, type ObjectStorage } from './object-storage.ts';
import { openStorageLocation, type StorageLocation } from './storage-location.ts';

/**
 * Stored panels keep A1 (REF) in column 5 of the `.bim`, all of them: a process of an older version that runs beside
 * this one reads them in the same way. Uploads and exports have PLINK's order instead (decision 1).
 */
export const STORED_ORDER: AlleleOrder = 'ref-first';

/** Keys of the parts of an imported genotype: what a compute process needs to read it. */
export interface PanelKeys {
  bed: string;
  bim: string;
  fam: string;
  /** Fractional dosages; absent for a panel of whole numbers. */
  dosage?: string;
}

/** Opens an imported genotype where it lies; calls are read by byte range. Close it. */
export function openStoredPanel(storage: Pick<ObjectStorage, 'open'>, keys: PanelKeys): Promise<GenotypePanel> {
  return openParts(storage, keys, (sources) => openPlinkPanel(sources, STORED_ORDER));
}

/**
 * As {@link openStoredPanel}, for what reads markers by blocks too: opening it reads the names of the individuals
 * only.
 */
export function openStoredBlocks(storage: Pick<ObjectStorage, 'open'>, keys: PanelKeys): Promise<PanelBlocks> {
  return openParts(storage, keys, (sources) => openPlinkBlocks(sources, { order: STORED_ORDER, isTrusted: true }));
}

/** If a part is missing or damaged, the others are closed again. */
async function openParts<Panel>(
  storage: Pick<ObjectStorage, 'open'>,
  { bed, bim, fam, dosage }: PanelKeys,
  openPanel: (sources: PlinkSources) => Promise<Panel>,
): Promise<Panel> {
  const opened: ByteSource[] = [];
  const part = async (key: string, name: string): Promise<ByteSource> => {
    const source = await storage.open(key, name);
    opened.push(source);
    return source;
  };
  try {
    return await openPanel({
      bed: await part(bed, 'genotype.bed'),
      bim: await part(bim, 'genotype.bim'),
      fam: await part(fam, 'genotype.fam'),
      dosage: dosage === undefined ? undefined : await part(dosage, 'genotype.dosage'),
    });
  } catch (error) {
    await Promise.all(opened.map((source) => source.close()));
    throw error;
  }
}

/** Genotype and phenotype of a run, as passed to a compute process. */
export interface StoredInputs {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the packed phenotype table. */
  phenotype: string;
}

/** Opens genotype and phenotype in the storage while `work` runs. */
export async function withStoredInputs<Result>(
  input: StoredInputs,
  work: (panel: GenotypePanel, phenotype: PhenotypeTable) => Promise<Result>,
): Promise<Result> {
  return withOpened(openStoredPanel, input, work);
}

/** As {@link withStoredInputs}, with the genotype by blocks. */
export async function withStoredBlocks<Result>(
  input: StoredInputs,
  work: (panel: PanelBlocks, phenotype: PhenotypeTable) => Promise<Result>,
): Promise<Result> {
  return withOpened(openStoredBlocks, input, work);
}

async function withOpened<Panel extends { close(): Promise<void> }, Result>(
  openPanel: (storage: Pick<ObjectStorage, 'open'>, keys: PanelKeys) => Promise<Panel>,
  input: StoredInputs,
  work: (panel: Panel, phenotype: PhenotypeTable) => Promise<Result>,
): Promise<Result> {
  const storage = openStorageLocation(input.storage);
  const phenotype = unpackPhenotype(await readObject(storage, input.phenotype));
  const panel = await openPanel(storage, input.panel);
  try {
    return await work(panel, phenotype);
  } finally {
    await panel.close();
  }
}

/** The table that the check of a phenotype file wrote; tables of older versions have no groups. */
export function unpackPhenotype(bytes: Uint8Array): PhenotypeTable {
  type Stored = Omit<PhenotypeTable, 'groups'> & Partial<Pick<PhenotypeTable, 'groups'>>;
  const table = readingStored('phenotype table', () => unpackRecord<Stored>(bytes));
  return { ...table, groups: table.groups ?? [] };
}

/** A failure while reading bytes that the product wrote: they have been changed or cut since. */
export function readingStored<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new ObjectDamagedError(what, { cause });
  }
}

/** Larger objects are read in pieces, so that a connection that breaks costs one of them. */
const MOST_AT_ONCE = 16 * 1024 * 1024;

/** An object as a whole. */
export async function readObject(storage: Pick<ObjectStorage, 'open'>, key: string): Promise<Uint8Array> {
  const source = await storage.open(key);
  try {
    if (source.size <= MOST_AT_ONCE) return await source.read(0, source.size);
    const bytes = new Uint8Array(source.size);
    let filled = 0;
    for await (const piece of source.stream()) {
      bytes.set(piece, filled);
      filled += piece.length;
    }
    return bytes.subarray(0, filled);
  } finally {
    await source.close();
  }
}
