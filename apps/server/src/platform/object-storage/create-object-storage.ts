import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { deriveKey } from '../config/secrets.ts';
import type { FeatureRoutes } from '../http/app.ts';
import { requestOrigin } from '../http/hooks/request-origin.ts';
import { localDiskRoutes } from './local-disk.routes.ts';
import { createLocalDiskStorage } from './local-disk.ts';
import type { ObjectStorage } from './object-storage.ts';
import { createS3Storage } from './s3.ts';

/** The configured storage and the routes it needs; a bucket serves its signed addresses itself. */
export function createObjectStorage(config: Config): { storage: ObjectStorage; routes: FeatureRoutes[] } {
  if (config.storage.kind === 's3') return { storage: createS3Storage(config.storage), routes: [] };
  const key = deriveKey(config.secretKey, 'storage-urls');
  const storage = createLocalDiskStorage({
    directory: join(config.dataDir, 'files'),
    publicUrl: () => requestOrigin() ?? config.publicUrl,
    key,
    reserveBytes: config.limits.reservedDiskBytes,
  });
  return { storage, routes: [localDiskRoutes({ storage, key, maxUploadBytes: config.limits.uploadBytes })] };
}
