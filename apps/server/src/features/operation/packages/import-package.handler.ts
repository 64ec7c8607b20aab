import { join } from 'node:path';
import type { PackageReport } from '@heterosis/contracts/data/data-packages';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { ComputeProgress } from '../../../platform/compute/compute.ts';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Services, WorkerServices } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { requireStorage } from '../../people/organizations/index.ts';
import { findProjectAccess } from '../../people/projects/index.ts';
import { type Entity, type ErrorExtra, RunError, registerWorkOn, tellEnd } from '../../work/runs/work/index.ts';
import { importPackageJob } from './jobs.ts';
import type { MovedIds } from './moved-ids.ts';
import { type OpenPackage, refused } from './open-package.ts';
import {
  findImport,
  lockEmptyProject,
  lockImport,
  type PackageImportRow,
  updateImport,
} from './package-imports.queries.ts';
import { type PackageLine, packageLine, placeLines } from './package-lines.ts';
import { LINES_FILE, tableFile } from './package-paths.ts';
import { columnsOf, readShapes, type TableShape } from './packaged-tables.ts';
import { readLines } from './read-lines.ts';
import { storeRows } from './store-rows.ts';
import { deleteImported, keyHere, movedOf, withPackage } from './stored-package.ts';

const importEntity = (services: WorkerServices): Entity<PackageImportRow> => ({
  kind: 'package_import',
  find: findImport,
  lock: async (trx, projectId, id) => (await lockImport(trx, projectId, id)) !== undefined,
  async fail(trx, row, { runId }, error) {
    await deleteImported(services.storage, row);
    await endImport(services, trx, { row, runId }, { error });
  },
});

/** What is ready to become rows. */
interface Unpacked {
  about: OpenPackage['about'];
  shapes: TableShape[];
  lines: PackageLine[];
  moved: MovedIds;
  /** SHA-256 by the storage key here. */
  hashes: Map<string, string>;
  directory: string;
}

/**
 * Stores the objects of a package, each compared with its checksum, and then all its rows in the transaction that
 * ends the run. Keys and ids follow from the import, so an attempt that takes over from a killed one writes the same.
 */
export const importPackageRegistration = (services: WorkerServices): JobRegistration =>
  registerWorkOn(services, importEntity(services), importPackageJob, {
    inputs: async (row) => row,
    begin: (trx, { project_id, id }) => updateImport(trx, project_id, id, { state: 'RUNNING' }),
    compute: (row, _row, step) => unpack(services, row, step),
    store: (trx, row, unpacked, { runId }) => storePackage(services, trx, { row, runId }, unpacked),
    stored: async (row) => {
      if (row.storage_key !== null) await services.storage.delete(row.storage_key);
    },
  });

/** What an attempt works with. */
interface ImportStep {
  signal: AbortSignal;
  directory: string;
  report(progress: ComputeProgress): void;
}

async function unpack(services: Services, row: PackageImportRow, step: ImportStep): Promise<Unpacked> {
  const { db, storage } = services;
  await requireAllowed(services, row);
  return await withPackage(storage, row, async (opened) => {
    const { about } = opened;
    const shapes = await readShapes(db);
    if (JSON.stringify(sorted(about.columns)) !== JSON.stringify(sorted(columnsOf(shapes))))
      throw refused(
        'other-version',
        `The package was written by version ${about.software_version}, whose tables differ from those here.`,
        'Bring both installations to the same version, export again, and import that.',
      );
    let done = 0;
    const total = opened.totalBytes;
    const advance = (path: string): void => {
      step.signal.throwIfAborted();
      done += opened.sizeOf(path);
      step.report({ stage: 'read', done, total });
    };
    for (const { name } of shapes) {
      await opened.extract(tableFile(name), join(step.directory, name));
      advance(tableFile(name));
    }
    const lines = await readLineFile(opened, join(step.directory, 'package-lines'));
    if (lines.length > 0 && row.crop_id === null)
      throw refused(
        'no-crop',
        'The package has lines, and the project has no crop.',
        'Import it into a project with a crop.',
      );
    for (const path of opened.others) {
      for await (const _chunk of opened.stream(path)) step.signal.throwIfAborted();
      advance(path);
    }
    const moved = movedOf(row, about);
    const hashes = new Map<string, string>();
    try {
      for (const { path, key } of opened.objects) {
        const here = keyHere(row, about, moved, key);
        hashes.set(here, opened.hashOf(path));
        await storage.put(here, opened.stream(path), { maxBytes: opened.sizeOf(path) });
        advance(path);
      }
    } catch (error) {
      // Whoever cancelled has deleted what was stored until then.
      const now = await findImport(db, row.project_id, row.id);
      if (now?.finished_at !== null) await storage.delete(...hashes.keys());
      throw error;
    }
    return { about, shapes, lines, moved, hashes, directory: step.directory };
  });
}

const sorted = (columns: Record<string, Record<string, string>>): unknown =>
  Object.entries(columns)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, types]) => [table, Object.entries(types).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

async function readLineFile(opened: OpenPackage, path: string): Promise<PackageLine[]> {
  await opened.extract(LINES_FILE, path);
  const lines: PackageLine[] = [];
  for await (const text of readLines(path)) {
    const line = packageLine.safeParse(parseJson(text));
    if (!line.success) throw refused('unreadable', 'A line of the germplasm list in the package cannot be read.');
    lines.push(line.data);
  }
  return lines;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whoever began it may still change the project. */
async function requireAllowed({ db }: Pick<Services, 'db'>, row: PackageImportRow): Promise<void> {
  const access =
    row.created_by === null ? undefined : await findProjectAccess(db, { userId: row.created_by }, row.project_id);
  if (access !== undefined && !access.readOnly && access.billingState === 'active') return;
  throw new RunError({
    code: 'request/not-allowed',
    message: 'The person who began the import may not change the project any more. Nothing was imported.',
    action: 'Somebody who may change it can import the package.',
  });
}

async function storePackage(
  services: Services,
  trx: DatabaseTransaction,
  { row, runId }: { row: PackageImportRow; runId: string },
  { about, shapes, lines, moved, hashes, directory }: Unpacked,
): Promise<void> {
  const { project_id: projectId, organization_id: organizationId, crop_id: cropId } = row;
  const userId = row.created_by ?? '';
  if (!(await lockEmptyProject(trx, projectId)))
    throw refused(
      'not-empty',
      'Somebody has added something to the project meanwhile.',
      'Import into an empty project.',
    );
  const placed =
    cropId === null
      ? { ids: new Map<string, string>(), added: 0, found: 0 }
      : await placeLines(trx, { organizationId, cropId, userId }, lines, moved.of);
  const { rows, leftOut, bytes } = await storeRows(trx, {
    ...{ shapes, moved, lines: placed.ids, keys: new Set(hashes.keys()) },
    fileOf: (table) => join(directory, table),
    hashOf: (key) => hashes.get(key),
    from: { projectId: about.project.id },
    to: { projectId, userId },
  });
  await requireStorage(trx, services.config.quotas, organizationId, bytes).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    throw new RunError({ code: error.code, message: error.message, action: 'Nothing was imported.' });
  });
  const count = (table: string): number => rows[table] ?? 0;
  const report: PackageReport = {
    from: `${about.project.name} (${about.project.organization}), Heterosis ${about.software_version}`,
    exported_at: about.exported_at,
    ...{ files: count('files'), trials: count('trials'), observations: count('trial_observations') },
    ...{ lists: count('lists'), runs: count('runs'), decisions: count('decisions') },
    ...{ lines_added: placed.added, lines_found: placed.found, left_out: leftOut, bytes },
  };
  await publishEvent(trx, { type: 'project', id: projectId, project_id: projectId, organization_id: organizationId });
  await publishEvent(trx, { type: 'germplasm', id: organizationId, project_id: null, organization_id: organizationId });
  await endImport(services, trx, { row, runId }, { report });
}

/** Ends an import, and tells the person who began it. */
async function endImport(
  services: Services,
  trx: DatabaseTransaction,
  { row: { project_id, id }, runId }: { row: PackageImportRow; runId: string },
  outcome: { report: PackageReport } | { error: ErrorExtra },
): Promise<void> {
  const row = await lockImport(trx, project_id, id);
  if (row === undefined || row.finished_at !== null) return;
  const { name, organization_id: organizationId, created_by } = row;
  await updateImport(trx, project_id, id, {
    ...('report' in outcome
      ? { state: 'DONE' as const, report: outcome.report }
      : { state: 'FAILED' as const, error_extra: outcome.error }),
    ...{ storage_key: null, finished_at: new Date().toISOString() },
  });
  if ('report' in outcome) {
    const creator = await trx
      .selectFrom('users')
      .select(['id', 'email'])
      .where('id', '=', created_by)
      .executeTakeFirst();
    await recordAuditEvent(trx, {
      action: 'package.imported',
      ...(creator === undefined ? {} : { actor: { userId: creator.id, email: creator.email } }),
      ...{ organizationId, projectId: project_id, targetType: 'project', targetId: project_id },
      details: { name, from: outcome.report.from },
    });
  }
  const ended = { runId, id, name, projectId: project_id, organizationId, path: `/projects/${project_id}` };
  await tellEnd(
    services,
    trx,
    { ...ended, subject: 'The import of the data package', kind: null },
    'report' in outcome ? { unit: 'files', results: [`${outcome.report.files} files`], failures: [] } : outcome,
  );
}
