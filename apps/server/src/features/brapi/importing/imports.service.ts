import type { Page } from '@heterosis/contracts/common';
import type { BrapiImport, BrapiOffer } from '@heterosis/contracts/data/brapi-import';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { brapiImportsApi } from '@heterosis/contracts/endpoints/data/brapi-imports';
import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { RefusedAddressError } from '../../../platform/outgoing/guarded-fetch.ts';
import { beginRun, cancelRuns } from '../../work/runs/work/index.ts';
import { importJob } from '../jobs.ts';
import { RemoteError } from './brapi-client.ts';
import {
  findImport,
  type ImportRow,
  insertImport,
  listImports,
  lockImport,
  type StoredStep,
  updateImport,
} from './imports.queries.ts';
import { lookAside } from './look-aside.ts';
import { sealToken } from './sealed-token.ts';

/** A call that ends when the client has left. */
interface PatientCall extends ProjectCall {
  gone: AbortSignal;
}

/** `POST …/brapi_imports/look`. */
export async function look(
  { services: { config }, principal: { userId }, gone }: PatientCall,
  { body: { url, token } }: Pick<InputOf<typeof brapiImportsApi.look>, 'body'>,
): Promise<BrapiOffer> {
  const given = { url, token: token ?? null, allowed: config.outgoingNetworks };
  return await answering(() => lookAside(userId, given, gone));
}

/** What the other server does is no fault of ours: the person is told. */
async function answering<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedAddressError || error instanceof RemoteError)
      throw new Problem('request/invalid', error.message, {
        invalidParams: [{ name: isRefusal(error) ? 'body.token' : 'body.url', reason: error.message }],
      });
    throw error;
  }
}

const isRefusal = (error: Error): boolean =>
  error instanceof RemoteError && (error.status === 401 || error.status === 403);

/** `POST …/brapi_imports`: what is chosen is looked up, so that the steps have names. */
export async function startImport(
  call: PatientCall,
  { body: { url, token, germplasm, trials, variant_sets, maps } }: InputOf<typeof brapiImportsApi.startImport>,
): Promise<BrapiImport> {
  const { db, config } = call.services;
  const { projectId } = call.access;
  const offer = await look(call, { body: { url, token } });
  const chosen = (ids: readonly string[], among: readonly { id: string; name: string }[], kind: StoredStep['kind']) =>
    [...new Set(ids)].map((id): StoredStep => {
      const found = among.find((one) => one.id === id);
      if (found === undefined)
        throw new Problem('request/invalid', `${offer.server_name} does not offer "${id}" any more. Look again.`);
      return newStep(kind, id, found.name);
    });
  const steps: StoredStep[] = [
    ...(germplasm ? [{ ...newStep('germplasm', 'germplasm', offer.server_name), trials }] : []),
    ...chosen(maps, offer.maps, 'map'),
    ...chosen(variant_sets, offer.variant_sets, 'genotypes'),
    ...chosen(trials, offer.trials, 'phenotypes'),
  ];
  const id = uuidv7();
  const sealed = token === undefined || token === '' ? null : await sealToken(config, token);
  await db.transaction().execute(async (trx) => {
    await insertImport(trx, {
      ...{ id, project_id: projectId, url: offer.url, server_name: offer.server_name, token: sealed, steps },
      created_by: call.principal.userId,
    });
    await begin(trx, call, id);
  });
  return await getImport(call, { id });
}

const begin = (trx: DatabaseTransaction, { services, access, principal }: ProjectCall, id: string): Promise<void> =>
  beginRun(services, trx, importJob, {
    ...{ project_id: access.projectId, entity_kind: 'brapi_import', entity_id: id, step: 'import' },
    by: { requested_by: principal.userId },
  });

const newStep = (kind: StoredStep['kind'], source_id: string, name: string): StoredStep => ({
  ...{ kind, source_id, name: name.slice(0, 255), state: 'WAITING', done: 0, total: null, message: null, file_ids: [] },
});

export async function listProjectImports(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query }: InputOf<typeof brapiImportsApi.listProjectImports>,
): Promise<Page<BrapiImport>> {
  const rows = await listImports(db, projectId, { limit: query.limit, after: decodeIdCursor(query.cursor)?.[0] });
  const { data, next_cursor } = toPage(rows, query.limit, ({ id }) => [id]);
  return { data: data.map(toImport), next_cursor };
}

export async function getImport(
  { services: { db }, access: { projectId } }: ProjectCall,
  { id }: InputOf<typeof brapiImportsApi.getImport>,
): Promise<BrapiImport> {
  const row = isUuid(id) ? await findImport(db, projectId, id) : undefined;
  if (row === undefined) throw notFound('This import');
  return toImport(row);
}

function toImport({ id, url, server_name, state, steps, creator, created_at, finished_at }: ImportRow): BrapiImport {
  return {
    ...{ id, url, server_name, state, created_by: creator, created_at, finished_at },
    steps: steps.map(({ trials: _trials, ...step }) => step),
  };
}

/** `POST …/brapi_imports/{id}/resume`: works on the steps that are not done. */
export async function resumeImport(
  call: ProjectCall,
  { id, body: { token } }: InputOf<typeof brapiImportsApi.resumeImport>,
): Promise<BrapiImport> {
  const { db, config } = call.services;
  const { projectId } = call.access;
  const sealed = token === undefined || token === '' ? null : await sealToken(config, token);
  await db.transaction().execute(async (trx) => {
    const row = isUuid(id) ? await lockImport(trx, projectId, id) : undefined;
    if (row === undefined) throw notFound('This import');
    if (row.finished_at === null) throw new Problem('request/conflict', 'The import is under way.');
    const steps = row.steps.map((step) =>
      step.state === 'DONE' ? step : { ...newStep(step.kind, step.source_id, step.name), ...pick(step) },
    );
    if (steps.every(({ state }) => state === 'DONE'))
      throw new Problem('request/conflict', 'Everything of this import has arrived.');
    await updateImport(trx, projectId, id, { state: 'WAITING', steps, token: sealed, finished_at: null });
    await begin(trx, call, id);
  });
  return await getImport(call, { id });
}

/** What a step that is begun again keeps. */
const pick = ({ trials, file_ids }: StoredStep) => ({ file_ids, ...(trials === undefined ? {} : { trials }) });

/** `DELETE …/brapi_imports/{id}`: stops it. What has arrived stays. */
export async function cancelImport(
  call: ProjectCall,
  { id }: InputOf<typeof brapiImportsApi.cancelImport>,
): Promise<BrapiImport> {
  const { projectId } = call.access;
  await call.services.db.transaction().execute(async (trx) => {
    const row = isUuid(id) ? await lockImport(trx, projectId, id) : undefined;
    if (row === undefined) throw notFound('This import');
    if (row.finished_at !== null) throw new Problem('runs/not-cancellable', 'The import has ended already.');
    await updateImport(trx, projectId, id, {
      ...{ state: 'CANCELLED', token: null, finished_at: new Date().toISOString() },
      steps: row.steps.map((step) => (step.state === 'RUNNING' ? { ...step, state: 'WAITING' } : step)),
    });
    await call.services.jobs.cancel(
      trx,
      ...((await cancelRuns(trx, { entity_kind: 'brapi_import', entity_id: id })) ?? []),
    );
    const { organization_id } = row;
    await publishEvent(trx, { type: 'brapi_import', id, project_id: projectId, organization_id });
  });
  return await getImport(call, { id });
}
