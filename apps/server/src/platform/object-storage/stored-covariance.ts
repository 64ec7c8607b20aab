import type { ValueErrors } from '@heterosis/analysis/inputs/value-errors';
import { errorsOfCovariances, type MeanCovariance } from '@heterosis/analysis/means/mean-covariance';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { ObjectStorage } from './object-storage.ts';
import { openStorageLocation, type StorageLocation } from './storage-location.ts';
import { readingStored } from './stored-panel.ts';

/** Covariances of the means of a phenotype file: a record of each trait behind one another. */
export interface CovarianceObject {
  key: string;
  traits: readonly { trait: string; offset: number; length: number }[];
}

/** Those of some traits, one in memory at a time; traits without one are left out. */
export async function* readCovariances(
  storage: Pick<ObjectStorage, 'open'>,
  { key, traits }: CovarianceObject,
  names: readonly string[],
): AsyncGenerator<[trait: string, covariance: MeanCovariance]> {
  const source = await storage.open(key);
  try {
    for (const { trait, offset, length } of traits) {
      if (!names.includes(trait)) continue;
      const bytes = await source.read(offset, length);
      yield [trait, readingStored('covariance of means', () => unpackRecord<MeanCovariance>(bytes))];
    }
  } finally {
    await source.close();
  }
}

/** The errors of the values of a phenotype table, for an analysis that takes their whole covariance. */
export async function knownErrorsOf(
  input: { storage: StorageLocation; covariance: CovarianceObject | null; traits: readonly string[] },
  phenotype: PhenotypeTable,
): Promise<{ errors?: ValueErrors }> {
  const { covariance, traits } = input;
  if (covariance === null) return {};
  const found = new Map<string, MeanCovariance>();
  for await (const [trait, own] of readCovariances(openStorageLocation(input.storage), covariance, traits))
    found.set(trait, own);
  return { errors: errorsOfCovariances(phenotype, found) };
}
