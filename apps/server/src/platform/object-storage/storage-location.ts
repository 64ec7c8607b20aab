import { join } from 'node:path';
import type { Config, StorageConfig } from '../config/config.ts';
import { createLocalDiskStorage } from './local-disk.ts';
import type { ObjectStorage } from './object-storage.ts';

/** What a compute process needs to read the storage itself: plain data, without the key that signs addresses. */
export type StorageLocation = { kind: 'local'; directory: string } | Extract<StorageConfig, { kind: 's3' }>;

export function storageLocation(config: Config): StorageLocation {
  return config.storage.kind === 's3' ? config.storage : { kind: 'local', directory: join(config.dataDir, 'files') };
}

/** The storage for reading. Close only what you open. */
export function openStorageLocation(location: StorageLocation): Pick<ObjectStorage, 'open'> {
  if (location.kind === 's3') {
    // The client of S3 takes a fifth of a compute process's start, which one that reads from a disk need not wait for.
    let storage: Promise<ObjectStorage> | undefined;
    return {
      async open(key) {
        storage ??= import('./s3.ts').then(({ createS3Storage }) => createS3Storage(location));
        return await (await storage).open(key);
      },
    };
  }
  return createLocalDiskStorage({
    directory: location.directory,
    publicUrl: () => 'http://localhost',
    key: Buffer.alloc(0),
  });
}
