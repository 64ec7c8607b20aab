import { unpackRecord } from '@heterosis/analysis/binary-record';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/genotype-panel';
import { openPlinkPanel, parseFam } from '@heterosis/file-formats/genotype/plink-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype-table';
import { Problem } from '../../platform/http/problem.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import type { FileRow } from './files.queries.ts';

/** Storage key of what the check made of a file. */
export function derivedKey(file: FileRow, kind: string): string {
  const key = file.meta.keys?.[kind];
  if (key === undefined) throw new Problem('files/no-preview', `There is nothing to show of “${file.name}”.`);
  return key;
}

export async function readDerived(storage: ObjectStorage, file: FileRow, kind: string): Promise<Uint8Array> {
  const source = await storage.open(derivedKey(file, kind), file.name);
  try {
    return await source.read(0, source.size);
  } finally {
    await source.close();
  }
}

export async function readPhenotypeTable(storage: ObjectStorage, file: FileRow): Promise<PhenotypeTable> {
  return unpackRecord<PhenotypeTable>(await readDerived(storage, file, 'table'));
}

/** The imported genotypes, read from the object store by byte range. Close it. */
export async function openFilePanel(storage: ObjectStorage, file: FileRow): Promise<GenotypePanel> {
  return openPlinkPanel({
    bed: await storage.open(derivedKey(file, 'bed'), `${file.name} (bed)`),
    bim: await storage.open(derivedKey(file, 'bim'), `${file.name} (bim)`),
    fam: await storage.open(derivedKey(file, 'fam'), `${file.name} (fam)`),
  });
}

/** Names of the genotyped individuals, without the markers. */
export async function readSampleNames(storage: ObjectStorage, file: FileRow): Promise<string[]> {
  return parseFam(Buffer.from(await readDerived(storage, file, 'fam')).toString('utf8'), file.name);
}
