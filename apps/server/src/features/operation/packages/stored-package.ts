import type { Services } from '../../../platform/http/app.ts';
import { RunError } from '../../work/runs/work/index.ts';
import { type MovedIds, movedIds } from './moved-ids.ts';
import { type OpenPackage, openPackage, readable, refused } from './open-package.ts';
import type { PackageImportRow } from './package-imports.queries.ts';

export async function withPackage<Result>(
  storage: Services['storage'],
  row: PackageImportRow,
  work: (opened: OpenPackage) => Promise<Result>,
): Promise<Result> {
  if (row.storage_key === null) throw refused('unreadable', 'The package is not there any more.');
  const source = await storage.open(row.storage_key, row.name);
  try {
    const opened = await openPackage(source);
    return await readable(() => work(opened));
  } finally {
    await source.close();
  }
}

export const movedOf = (row: PackageImportRow, about: OpenPackage['about']): MovedIds =>
  movedIds(row.id, { projectId: about.project.id }, { projectId: row.project_id });

const KEY = /^projects\/[0-9a-f-]{36}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;

/** Where an object of the package lies here. */
export function keyHere(row: PackageImportRow, about: OpenPackage['about'], moved: MovedIds, key: string): string {
  const here = KEY.test(key) && key.startsWith(`projects/${about.project.id}/`) ? moved.key(key) : '';
  if (here.startsWith(`projects/${row.project_id}/`)) return here;
  throw refused('missing-object', 'The package names an object that is not of its project.');
}

/** Deletes what an import that brought nothing has stored, and its archive. */
export async function deleteImported(storage: Services['storage'], row: PackageImportRow): Promise<void> {
  if (row.storage_key === null) return;
  try {
    await withPackage(storage, row, async ({ about, objects }) => {
      const moved = movedOf(row, about);
      await storage.delete(...objects.map(({ key }) => keyHere(row, about, moved, key)));
    });
  } catch (error) {
    // What cannot be opened has stored nothing.
    if (!(error instanceof RunError)) throw error;
  }
  await storage.delete(row.storage_key);
}
