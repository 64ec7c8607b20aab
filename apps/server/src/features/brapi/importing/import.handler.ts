import type { FileType } from '@heterosis/contracts/data/files';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import type { Services, WorkerServices } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { RefusedAddressError } from '../../../platform/outgoing/guarded-fetch.ts';
import { createMadeFile } from '../../data/files/index.ts';
import { ofProject, uploadGermplasm } from '../../data/germplasm/index.ts';
import { findProjectAccess } from '../../people/projects/index.ts';
import { type Entity, type ErrorExtra, RunError, registerWorkOn, tellEnd } from '../../work/runs/work/index.ts';
import { importJob } from '../jobs.ts';
import { type BrapiClient, createBrapiClient, RemoteError } from './brapi-client.ts';
import { genotypesOf } from './genotypes.ts';
import { germplasmTable } from './germplasm-as-table.ts';
import { findImport, type ImportRow, lockImport, type StoredStep, updateImport } from './imports.queries.ts';
import { mapTable, phenotypeTables } from './phenotypes-as-table.ts';
import { unsealToken } from './sealed-token.ts';

/** An import in the frame of the work on any entity. */
const importEntity = (services: WorkerServices): Entity<ImportRow> => ({
  kind: 'brapi_import',
  find: findImport,
  lock: async (trx, projectId, id) => (await lockImport(trx, projectId, id)) !== undefined,
  fail: (trx, row, { runId }, error) => endImport(services, trx, { row, runId }, error),
});

/**
 * Works on the steps that are not done, one after the other. A step is done in the transaction that makes its last
 * file, so a worker that takes over does none of them twice.
 */
export const importRegistration = (services: WorkerServices): JobRegistration =>
  registerWorkOn(services, importEntity(services), importJob, {
    inputs: async (row) => row,
    begin: (trx, { project_id, id }) => updateImport(trx, project_id, id, { state: 'RUNNING' }),
    compute: (row, _row, { signal }) => runImport(services, row, signal),
    store: (trx, row, _done, { runId }) => endImport(services, trx, { row, runId }, null),
  });

async function runImport(services: Services, row: ImportRow, signal: AbortSignal): Promise<void> {
  const { db, config } = services;
  const access =
    row.created_by === null ? undefined : await findProjectAccess(db, { userId: row.created_by }, row.project_id);
  if (access === undefined || access.readOnly || access.billingState !== 'active')
    throw new RunError({
      code: 'request/not-allowed',
      message: 'The person who began the import may not add files any more.',
      action: 'Somebody who may add files can take it up again.',
    });
  const token = await unsealToken(config, row.token);
  const client = createBrapiClient(row.url, { allowed: config.outgoingNetworks, token, signal });
  for (const [place, step] of row.steps.entries()) {
    if (step.state === 'DONE') continue;
    const isGoing = await changeStep(services, row, place, { state: 'RUNNING', done: 0, message: null });
    if (!isGoing) return;
    try {
      const onProgress = progressOf(services, row, place);
      await WORK[step.kind]({ services, access, row, place, step, client, signal, onProgress });
    } catch (error) {
      // Cancelled by a person, or the worker stops and another one takes over.
      if (signal.aborted || !isTold(error)) throw error;
      await changeStep(services, row, place, { state: 'FAILED', message: error.message });
    }
  }
}

/** Reasons that concern the other server or what was chosen; all others are failures of the job. */
const isTold = (error: unknown): error is Error =>
  error instanceof RemoteError || error instanceof RefusedAddressError || error instanceof Problem;

interface Step {
  services: Services;
  access: ProjectAccess;
  row: ImportRow;
  place: number;
  step: StoredStep;
  client: BrapiClient;
  signal: AbortSignal;
  onProgress(done: number, total: number | null): void;
}

const WORK: Record<StoredStep['kind'], (step: Step) => Promise<void>> = {
  async germplasm(context) {
    const { services, access, client, step, onProgress, signal } = context;
    const { chunks, count } = await germplasmTable(client, step.trials ?? [], onProgress);
    if (count === 0) return await done(context, 'There is no germplasm.');
    const name = `${fileName(step.name)} germplasm.csv`;
    const principal = { userId: context.row.created_by ?? '' };
    await uploadGermplasm(
      { services, principal, germplasm: await ofProject(services.db, access) },
      async (store) => ({
        fileName: name,
        fields: { existing: 'fill', generate_unknown_parent: 'true' },
        stored: await store(encoded(chunks)),
      }),
      { signal },
    );
    await done(context, `${groupedNumber(count)} lines were added to the germplasm list, or were in it.`);
  },
  async phenotypes(context) {
    const { client, step, onProgress } = context;
    let files = 0;
    for await (const { name, chunks } of phenotypeTables(client, { id: step.source_id, name: step.name }, onProgress)) {
      const what = files === 0 ? step.name : `${step.name}, ${name}`;
      // A step that is taken up again has some of its files.
      if (files++ < step.file_ids.length) continue;
      await makeFile(
        context,
        { name: `${fileName(name)}.csv`, fileType: 'PHENOTYPE', contentType: 'text/csv', bytes: encoded(chunks) },
        what,
      );
    }
    await done(context, files === 0 ? 'Its studies have no observations.' : null);
  },
  async genotypes(context) {
    const { client, step, onProgress, services } = context;
    const { ending, contentType, bytes } = await genotypesOf(
      client,
      step.source_id,
      services.config.limits.uploadBytes,
      onProgress,
    );
    await makeFile(
      context,
      { name: `${fileName(step.name)}${ending}`, fileType: 'GENOTYPE', contentType, bytes },
      step.name,
      true,
    );
  },
  async map(context) {
    const { client, step, onProgress } = context;
    const bytes = encoded(mapTable(client, step.source_id, onProgress));
    await makeFile(
      context,
      { name: `${fileName(step.name)}.csv`, fileType: 'LINKAGE_MAP', contentType: 'text/csv', bytes },
      step.name,
      true,
    );
  },
};

/** Without endings of tables and signs that file names may not have. */
const fileName = (name: string): string =>
  name
    .replace(/\.(?:csv|tsv|txt|xlsx)$/i, '')
    .replaceAll(/[/\\\p{Cc}]+/gu, '-')
    .slice(0, 200) || 'import';

interface NewFile {
  name: string;
  fileType: FileType;
  contentType: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** Makes a file of the step in the root of the project, and notes it, and the end of the step, in one transaction. */
async function makeFile(
  { services, access, row, place }: Step,
  { name, fileType, contentType, bytes }: NewFile,
  what: string,
  isLast = false,
): Promise<void> {
  const { projectId, organizationId } = access;
  await createMadeFile(
    services,
    { projectId, organizationId, folderId: null, fileType, createdBy: row.created_by },
    {
      ...{ name: undefined, defaultName: name, contentType, options: {}, bytes },
      description: `Imported from ${row.server_name} (${row.url}): ${what}.`,
    },
    {
      after: async (trx, id) => {
        const current = await lockImport(trx, projectId, row.id);
        if (current === undefined || current.state === 'CANCELLED') throw new CancelledImport();
        const steps = current.steps.map(
          (step, k): StoredStep =>
            k === place ? { ...step, file_ids: [...step.file_ids, id], state: isLast ? 'DONE' : step.state } : step,
        );
        await updateImport(trx, projectId, row.id, { steps });
      },
    },
  );
}

class CancelledImport extends RemoteError {
  constructor() {
    super('The import was cancelled.');
  }
}

const done = async ({ services, row, place }: Step, message: string | null): Promise<void> => {
  await changeStep(services, row, place, { state: 'DONE', message });
};

/** Returns false when the import was cancelled or deleted. */
async function changeStep(
  { db }: Services,
  { project_id, id }: ImportRow,
  place: number,
  change: Partial<StoredStep>,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const current = await lockImport(trx, project_id, id);
    if (current === undefined || current.finished_at !== null) return false;
    const steps = current.steps.map((step, k) => (k === place ? { ...step, ...change } : step));
    await updateImport(trx, project_id, id, { steps });
    return true;
  });
}

const PROGRESS_MS = 1_000;

/** Writes progress at most once a second. */
function progressOf(services: Services, row: ImportRow, place: number): Step['onProgress'] {
  let last = Date.now();
  return (count, total) => {
    if (Date.now() - last < PROGRESS_MS) return;
    last = Date.now();
    changeStep(services, row, place, { done: count, total }).catch((error: unknown) =>
      services.logger.warn({ err: error, import_id: row.id }, 'writing the progress of an import'),
    );
  };
}

/** Ends an import with what has arrived, and tells the person who began it. */
async function endImport(
  services: Services,
  trx: DatabaseTransaction,
  { row: { project_id, id }, runId }: { row: ImportRow; runId: string },
  error: ErrorExtra | null,
): Promise<void> {
  const row = await lockImport(trx, project_id, id);
  if (row === undefined || row.finished_at !== null) return;
  const steps = row.steps.map(
    (step): StoredStep =>
      step.state === 'DONE' || step.state === 'FAILED'
        ? step
        : { ...step, state: 'FAILED', message: error?.message ?? null },
  );
  const state = steps.every((step) => step.state === 'DONE') ? 'DONE' : 'FAILED';
  await updateImport(trx, project_id, id, { state, token: null, steps, finished_at: new Date().toISOString() });
  const inWords = (wanted: StoredStep['state']): string[] =>
    steps.filter((step) => step.state === wanted).map(({ name, message }) => [name, message ?? []].flat().join(': '));
  const { server_name: name, organization_id: organizationId } = row;
  const ended = { runId, id, name, projectId: project_id, organizationId, path: `/projects/${project_id}/files` };
  await tellEnd(
    services,
    trx,
    { ...ended, subject: 'The import from', kind: null },
    { unit: 'steps', results: inWords('DONE'), failures: inWords('FAILED') },
  );
}

/** Tokens of imports whose job was lost long ago. */
export async function sweepImportTokens(db: Services['db']): Promise<void> {
  await sql`
    update brapi_imports set token = null, state = 'FAILED', finished_at = now()
    where finished_at is null and created_at < now() - interval '7 days'
  `.execute(db);
}

async function* encoded(chunks: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(chunk);
}
