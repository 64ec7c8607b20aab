import { Readable } from 'node:stream';
import { MAX_PACKAGE_BYTES, type PackageLicence } from '@heterosis/contracts/data/data-packages';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import type { Services } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { exportGermplasm } from '../../data/germplasm/index.ts';
import { preparePackage } from './export-package.ts';
import { createPaths } from './package-paths.ts';

type ExportServices = Pick<Services, 'db' | 'storage' | 'config'>;

/** The packages of all projects of an organization in one archive, and the lines of its crops as tables. */
export async function organizationPackage(
  services: ExportServices,
  organizationId: string,
  licence: PackageLicence | undefined,
): Promise<{ name: string; bytes: Readable }> {
  const { db, storage } = services;
  const { name } = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const ofOrganization = (table: 'projects' | 'crops') =>
    db.selectFrom(table).select(['id', 'name']).where('organization_id', '=', organizationId).orderBy('id');
  const projects = await ofOrganization('projects').where('deleted_at', 'is', null).execute();
  const crops = await ofOrganization('crops').execute();
  let bytes = 0;
  for (const { id } of projects) for await (const { sizeBytes } of storage.list(`projects/${id}/`)) bytes += sizeBytes;
  if (bytes > MAX_PACKAGE_BYTES)
    throw new Problem(
      'packages/too-large',
      `The projects of "${name}" have ${(bytes / 1e9).toFixed(1)} GB together; a package takes ${MAX_PACKAGE_BYTES / 1e9} GB. Export the projects one by one.`,
    );
  const paths = createPaths();
  function* entries(): Generator<readonly [string, AsyncIterable<Uint8Array>]> {
    for (const crop of crops)
      yield [
        paths('lines', `${crop.name}.csv`),
        encoded(exportGermplasm(db, { organizationId, cropId: crop.id, usedIn: undefined }, 'csv')),
      ];
    for (const project of projects)
      yield [paths('projects', `${project.name}.zip`), packageOf(services, project.id, licence)];
  }
  return { name, bytes: Readable.from(zipChunks(entries()), { objectMode: false }) };
}

/** Prepared when its turn has come, so that one project at a time is written aside. */
async function* packageOf(
  services: ExportServices,
  projectId: string,
  licence: PackageLicence | undefined,
): AsyncGenerator<Uint8Array> {
  const { chunks, close } = await preparePackage(services, projectId, licence);
  try {
    yield* chunks;
  } finally {
    await close();
  }
}

async function* encoded(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}
