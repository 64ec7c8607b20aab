import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MAX_PACKAGE_BYTES, MAX_PACKAGE_FILES } from '@heterosis/contracts/data/data-packages';
import { RUN_KINDS, type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { sql } from 'kysely';
import { SOFTWARE_VERSION } from '../../../platform/config/config.ts';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { ObjectNotFoundError } from '../../../platform/object-storage/object-storage.ts';
import { trialTable } from '../../data/trials/index.ts';
import { readLines } from './package-lines.ts';
import { createPaths, LINES_FILE, OBJECTS_FILE, PACKAGE_FILE, PACKAGE_FORMAT, tableFile } from './package-paths.ts';
import { keysOf, type PackageRow } from './package-rows.ts';
import { columnsOf, readShapes, rowsOf, type TableShape } from './packaged-tables.ts';

/** A file of a package: one that was written for it, or an object of the storage. */
export interface PackagedFile {
  path: string;
  from: { local: string } | { key: string };
  /** As the product knows it since it was uploaded. */
  sha256?: string;
  contentType?: string;
  /** What it is of, for the description of the package. */
  of?: { kind: 'file' | RunKind | 'trial' | 'list' | 'decision' | 'photo'; id: string };
}

/** A run as the description of the package tells it. */
export interface DescribedRun {
  id: string;
  kind: RunKind;
  name: string;
  description: string | null;
  /** Ids of files. */
  inputs: string[];
  seed: number | null;
  startedAt: string | null;
  endedAt: string | null;
  softwareVersion: string;
  creator: string | null;
}

export interface PackageAbout {
  format: typeof PACKAGE_FORMAT;
  software_version: string;
  exported_at: string;
  project: { id: string; name: string; description: string | null; crop: string | null; organization: string };
  columns: ReturnType<typeof columnsOf>;
  rows: Record<string, number>;
}

export interface Snapshot {
  about: PackageAbout;
  files: PackagedFile[];
  runs: DescribedRun[];
}

/**
 * Writes the rows of a project, of one moment, and tables for people into a directory, and lists the objects that the
 * rows name. Throws a `Problem` for more than an archive holds.
 */
export async function takeSnapshot(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  projectId: string,
  directory: string,
): Promise<Snapshot> {
  // Before the rows: what comes later is not named by them.
  const stored = new Map<string, number>();
  for await (const { key, sizeBytes } of storage.list(`projects/${projectId}/`)) stored.set(key, sizeBytes);
  const snapshot = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => readProject(trx, projectId, directory));
  let bytes = 0;
  for (const { from } of snapshot.files) {
    if (!('key' in from)) continue;
    const size = stored.get(from.key) ?? (await storage.find(from.key))?.sizeBytes;
    if (size === undefined) throw new ObjectNotFoundError(from.key);
    bytes += size;
  }
  if (bytes > MAX_PACKAGE_BYTES || snapshot.files.length > MAX_PACKAGE_FILES)
    throw new Problem(
      'packages/too-large',
      `"${snapshot.about.project.name}" has ${snapshot.files.length} files of ${(bytes / 1e9).toFixed(1)} GB; a package takes ${MAX_PACKAGE_FILES} of ${MAX_PACKAGE_BYTES / 1e9} GB. Move what you do not need to the bin, or ask the operator for a backup.`,
    );
  return snapshot;
}

async function readProject(trx: DatabaseTransaction, projectId: string, directory: string): Promise<Snapshot> {
  const { rows: projects } = await sql<PackageAbout['project']>`
    select p.id, p.name, p.description, c.name as crop, o.name as organization from projects p
    join organizations o on o.id = p.organization_id left join crops c on c.id = p.crop_id where p.id = ${projectId}
  `.execute(trx);
  const [project] = projects;
  if (project === undefined) throw new Error(`There is no project ${projectId}.`);
  const shapes = await readShapes(trx);
  const paths = createPaths();
  const files: PackagedFile[] = [];
  const write = async (path: string, chunks: AsyncIterable<string> | Iterable<string>, of?: PackagedFile['of']) => {
    const local = join(directory, `${files.length}`);
    await pipeline(Readable.from(chunks, { objectMode: false }), createWriteStream(local));
    files.push({ path, from: { local }, ...(of === undefined ? {} : { of }) });
  };
  const about: PackageAbout = {
    format: PACKAGE_FORMAT,
    software_version: SOFTWARE_VERSION,
    exported_at: new Date().toISOString(),
    project,
    columns: columnsOf(shapes),
    rows: {},
  };
  const rows = new Map<string, PackageRow[]>();
  for (const shape of shapes) {
    const kept: PackageRow[] | undefined = READ.has(shape.name) ? [] : undefined;
    const counted = { rows: 0 };
    await write(tableFile(shape.name), linesOf(trx, shape, { projectId, kept, counted }));
    about.rows[shape.name] = counted.rows;
    if (kept !== undefined) rows.set(shape.name, kept);
  }
  await write(LINES_FILE, inJson(readLines(trx, shapes, projectId)));
  const objects = listObjects(rows, paths, projectId);
  for (const trial of rowsOfTable<{ id: string; name: string; traits: string[] }>(rows, 'trials'))
    await write(paths('trials', `${trial.name}.csv`), await trialTable(trx, projectId, trial), {
      ...{ kind: 'trial', id: trial.id },
    });
  for (const list of rowsOfTable<{ id: string; name: string; kind: string; members: string[] }>(rows, 'lists'))
    await write(
      paths('lists', `${list.name}.csv`),
      csvChunks(
        [list.kind.toLowerCase()],
        list.members.map((member) => [member]),
      ),
      { kind: 'list', id: list.id },
    );
  const names = new Map(rowsOfTable<{ id: string; name: string }>(rows, 'decisions').map(({ id, name }) => [id, name]));
  for (const { decision_id: id, version, minutes } of rowsOfTable<Minutes>(rows, 'decision_versions'))
    await write(
      paths('decisions', `${names.get(id) ?? id}, version ${version}.json`),
      [`${JSON.stringify(minutes, undefined, 1)}\n`],
      { kind: 'decision', id },
    );
  await write(OBJECTS_FILE, [
    objects.map(({ path, from }) => `${JSON.stringify({ path, key: (from as { key: string }).key })}\n`).join(''),
  ]);
  await write(PACKAGE_FILE, [`${JSON.stringify(about, undefined, 1)}\n`]);
  return { about, files: [...files, ...objects], runs: await describeRuns(trx, rows, projectId) };
}

interface Minutes {
  decision_id: string;
  version: number;
  minutes: unknown;
}

/** Tables whose rows are looked into: they name objects, or things for people. All are small. */
const READ = new Set([
  ...runKinds.flatMap((kind) => [RUN_KINDS[kind].path, `${kind}_traits`]),
  ...['folders', 'files', 'photos', 'trials', 'lists', 'decisions', 'decision_versions', 'runs'],
]);

const rowsOfTable = <Row>(rows: ReadonlyMap<string, PackageRow[]>, table: string): Row[] =>
  (rows.get(table) ?? []) as Row[];

/** Rows per statement. */
const BATCH = 2_000;

/** The rows of a table as lines of JSON, without the people. */
async function* linesOf(
  trx: DatabaseTransaction,
  { name, columns }: TableShape,
  { projectId, kept, counted }: { projectId: string; kept: PackageRow[] | undefined; counted: { rows: number } },
): AsyncGenerator<string> {
  const people = columns.filter(({ refersTo }) => refersTo === 'users').map((column) => column.name);
  const stored = columns.map((column) => column.name).filter((column) => !people.includes(column));
  const order = columns.some((column) => column.name === 'id') ? sql`t.id` : sql`t::text`;
  await sql`
    declare package_rows no scroll cursor for
    select to_jsonb(one)::text as line from ${sql.table(name)} t
    cross join lateral (select ${sql.join(stored.map((column) => sql.ref(`t.${column}`)))}) one
    where ${rowsOf(name, projectId)} order by ${order}
  `.execute(trx);
  for (;;) {
    const { rows: batch } = await sql<{ line: string }>`fetch ${sql.lit(BATCH)} from package_rows`.execute(trx);
    if (batch.length === 0) break;
    counted.rows += batch.length;
    for (const { line } of batch) kept?.push(JSON.parse(line) as PackageRow);
    yield `${batch.map(({ line }) => line).join('\n')}\n`;
  }
  await sql`close package_rows`.execute(trx);
}

async function* inJson(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map((one) => `${JSON.stringify(one)}\n`).join('');
}

interface NamedRow {
  id: string;
  name: string;
  folder_id?: string | null;
}

/** The objects that rows name, each under a path that says to people what it is. */
function listObjects(
  rows: ReadonlyMap<string, PackageRow[]>,
  paths: (...segments: string[]) => string,
  projectId: string,
): PackagedFile[] {
  const objects = new Map<string, PackagedFile>();
  const prefix = `projects/${projectId}/`;
  const add = (key: string, segments: string[], more: Partial<PackagedFile>): void => {
    if (!key.startsWith(prefix)) throw new Error(`A row of the project names the object "${key}".`);
    if (!objects.has(key)) objects.set(key, { path: paths(...segments), from: { key }, ...more });
  };
  const folders = new Map(rowsOfTable<NamedRow>(rows, 'folders').map((folder) => [folder.id, folder]));
  const placeOf = (id: string | null | undefined, below = 0): string[] => {
    const folder = id == null || below > 100 ? undefined : folders.get(id);
    return folder === undefined ? [] : [...placeOf(folder.folder_id, below + 1), folder.name];
  };
  for (const file of rowsOfTable<PackageRow & NamedRow & { storage_key: string; sha256: string | null }>(
    rows,
    'files',
  )) {
    const place = [...placeOf(file.folder_id), file.name];
    const of = { kind: 'file', id: file.id } as const;
    const contentType = String(file['content_type']);
    const known = file.sha256 === null ? {} : { sha256: file.sha256 };
    add(file.storage_key, ['files', ...place], { of, contentType, ...known });
    for (const key of keysOf(file)) add(key, ['derived', ...place, lastOf(key)], { of });
  }
  for (const photo of rowsOfTable<PackageRow & NamedRow & { storage_key: string | null }>(rows, 'photos')) {
    const of = { kind: 'photo', id: photo.id } as const;
    if (photo.storage_key !== null) add(photo.storage_key, ['photos', photo.name], { of });
    for (const key of keysOf(photo)) add(key, ['derived', 'photos', photo.name, lastOf(key)], { of });
  }
  for (const kind of runKinds) {
    const { path } = RUN_KINDS[kind];
    const runs = rowsOfTable<PackageRow & NamedRow>(rows, path);
    const names = new Map(runs.map(({ id, name }) => [id, name]));
    for (const row of [...runs, ...rowsOfTable<PackageRow>(rows, `${kind}_traits`)]) {
      const id = String(row['id'] ?? row[`${kind}_id`]);
      const trait = typeof row['trait'] === 'string' ? [row['trait']] : [];
      for (const key of keysOf(row))
        add(key, ['results', path, names.get(id) ?? id, ...trait, lastOf(key)], { of: { kind, id } });
    }
  }
  return [...objects.values()];
}

const lastOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

async function describeRuns(
  trx: DatabaseTransaction,
  rows: ReadonlyMap<string, PackageRow[]>,
  projectId: string,
): Promise<DescribedRun[]> {
  const files = new Set(rowsOfTable<NamedRow>(rows, 'files').map(({ id }) => id));
  const work = Map.groupBy(rowsOfTable<WorkRow>(rows, 'runs'), ({ entity_id }) => entity_id);
  const described: DescribedRun[] = [];
  for (const kind of runKinds) {
    const { path } = RUN_KINDS[kind];
    const { rows: creators } = await sql<{ id: string; name: string }>`
      select t.id, u.name from ${sql.table(path)} t join users u on u.id = t.created_by
      where u.name is not null and ${rowsOf(path, projectId)}
    `.execute(trx);
    const names = new Map(creators.map(({ id, name }) => [id, name]));
    for (const row of rowsOfTable<PackageRow & NamedRow & { description: string | null; seed?: number }>(rows, path)) {
      const its = work.get(row.id) ?? [];
      described.push({
        ...{ id: row.id, kind, name: row.name, description: row.description, seed: row.seed ?? null },
        inputs: [...new Set(Object.values(row).flat())].filter(
          (value): value is string => typeof value === 'string' && files.has(value),
        ),
        startedAt: its.flatMap(({ started_at }) => started_at ?? []).toSorted()[0] ?? null,
        endedAt:
          its
            .flatMap(({ finished_at }) => finished_at ?? [])
            .toSorted()
            .at(-1) ?? null,
        softwareVersion: its[0]?.software_version ?? SOFTWARE_VERSION,
        creator: names.get(row.id) ?? null,
      });
    }
  }
  return described;
}

interface WorkRow {
  entity_id: string;
  started_at: string | null;
  finished_at: string | null;
  software_version: string;
}
