import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileDetail, FileType } from '@heterosis/contracts/data/files';
import type { RunPath } from '@heterosis/contracts/work/run-kinds';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Principal, ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import { createFile, createUploadLink, getFile, uploadKey } from '../../data/files/index.ts';
import { createLists, listListsOfProjects } from '../../data/lists/index.ts';

export const DATA: string = join(import.meta.dirname, 'data');

/** Somebody, and his or her access to a project. */
export interface Visitor {
  principal: Principal;
  access: ProjectAccess;
}

/** The three steps of an upload; returns the id of the file. */
export async function upload(
  services: Services,
  { principal, access }: Visitor,
  name: string,
  fileType: FileType,
): Promise<string> {
  const existing = await findByName(services.db, 'files', access, name);
  if (existing !== undefined) return existing;
  const path = join(DATA, name);
  const { size } = await stat(path);
  const contentType = name.endsWith('.gz') ? 'application/gzip' : 'text/csv';
  const { file_id } = await createUploadLink(
    { services, access, principal },
    {
      body: {
        file_type: fileType,
        content_type: contentType,
        size_bytes: size,
      },
    },
  );
  // The browser would PUT the bytes to `put_url`; here no HTTP is needed.
  await services.storage.put(uploadKey(file_id), createReadStream(path), { contentType, expectedBytes: size });
  const { id } = await createFile(
    { services, access, principal, consumers: [] },
    { body: { name, file_id, file_type: fileType } },
  );
  return id;
}

/** The id of what has this name in a project. */
export async function findByName(
  db: Queryable,
  table: 'files' | 'trials' | RunPath,
  { projectId }: ProjectAccess,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

export async function untilReady(
  services: Services,
  { access }: Visitor,
  files: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const id of files) {
    const { status, name } = await until(() => getFile({ services, access }, { file_id: id }), isChecked, signal);
    if (status === 'INVALID') throw new Error(`the demo file ${name} was found to be invalid`);
  }
}

/** Keeps the parents of a project's crossing table as a list. */
export async function keepParents(services: Services, visitor: Visitor, members: string[]): Promise<void> {
  const { access, principal } = visitor;
  const [known] = await listListsOfProjects(services.db, [access.projectId]);
  if (known === undefined)
    await createLists(services, access, principal, [{ name: 'Parents of the crosses', kind: 'germplasm', members }]);
}

const isChecked = ({ status }: FileDetail): boolean => status !== 'UPLOADED' && status !== 'CHECKING';

const POLL_MS = 250;
/** The work takes seconds. If this is not enough on a slow machine, the next start completes the demo. */
const PATIENCE_MS = 10 * 60_000;

export async function until<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
  signal: AbortSignal,
): Promise<Value> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error('the demo was not finished in time');
    await sleep(POLL_MS, undefined, { signal });
  }
}
