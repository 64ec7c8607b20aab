import type { Page } from '@heterosis/contracts/common';
import { MAX_PLOTS, type Trial, type TrialEventType, type TrialState } from '@heterosis/contracts/data/trials';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import type { ProjectCall, ProjectReading } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { orNameTaken } from '../../../platform/http/taken-name.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { knownTraits, requireOwn, updateEntryDeleted } from '../../people/projects/index.ts';
import type { ClientDetails } from './client-details.ts';
import { matchEntries as matchNames, resolveEntries } from './entries.ts';
import { plotsOfLayout, summaryOf } from './layout.ts';
import { insertPlots } from './plots.queries.ts';
import { insertTrialEvent } from './trial-events.queries.ts';
import {
  findTrial,
  hasObservations,
  insertTrial,
  type LockedTrial,
  listTrials as listTrialRows,
  lockTrial,
  recountCollected,
  type TrialFields,
  updateTrial as updateTrialRow,
} from './trials.queries.ts';

export async function listTrials(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query: { limit, cursor, ...filter } }: InputOf<typeof trialsApi.listTrials>,
): Promise<Page<Trial>> {
  const rows = await listTrialRows(db, projectId, { ...filter, limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}

export async function getTrial(
  { services: { db }, access: { projectId } }: ProjectReading,
  { id }: InputOf<typeof trialsApi.getTrial>,
): Promise<Trial> {
  const trial = isUuid(id) ? await findTrial(db, projectId, id) : undefined;
  if (trial === undefined) throw notFound('This trial');
  return trial;
}

/** Locks a trial until the end of the transaction; refuses another version than the one that the caller knows. */
export async function requireTrial(
  db: Queryable,
  projectId: string,
  id: string,
  version?: number | undefined,
): Promise<LockedTrial> {
  const trial = isUuid(id) ? await lockTrial(db, projectId, id) : undefined;
  if (trial === undefined) throw notFound('This trial');
  if (version !== undefined && version !== trial.version)
    throw new Problem(
      'trials/changed-meanwhile',
      `"${trial.name}" has been changed since you opened it. Load it again, and repeat your change. Nothing was saved.`,
      { details: { version: trial.version } },
    );
  return trial;
}

/** `POST …/trials/match_entries`. */
export async function matchEntries(
  { services: { db }, access: { projectId } }: ProjectReading,
  { body: { entries } }: InputOf<typeof trialsApi.matchEntries>,
): Promise<Pick<Awaited<ReturnType<typeof matchNames>>, 'unknown' | 'ambiguous'>> {
  const { unknown, ambiguous } = await matchNames(db, projectId, entries);
  return { unknown, ambiguous };
}

/** `POST …/trials`: one a place, all or none. */
export async function createTrials(
  { services, access, principal }: ProjectCall,
  { body }: InputOf<typeof trialsApi.createTrials>,
): Promise<{ data: Trial[] }> {
  const { projectId } = access;
  const { name, season, places, entries, design, plot_name, ...about } = body;
  const total = places.reduce((sum, { layout }) => sum + layout.number.length, 0);
  if (total > MAX_PLOTS * 5)
    throw new Problem(
      'request/too-large',
      `The trials have ${total} plots together, and one request takes ${MAX_PLOTS * 5}. Save fewer places at once.`,
    );
  await requireTraits(services.db, projectId, about.traits);
  const resolved = await resolveEntries(services.db, projectId, entries);
  const data: Trial[] = [];
  await services.db.transaction().execute(async (trx) => {
    for (const [k, { layout, efficiency, upper_bound, ...place }] of places.entries()) {
      const plots = plotsOfLayout(layout, resolved, {
        template: plot_name,
        place: place.location_name,
        where: `body.places.${k}.layout`,
      });
      const own =
        place.name ?? (places.length === 1 ? name : `${name.slice(0, 200)} ${place.location_name}`.slice(0, 255));
      const id = await nameTaken(own, () =>
        insertTrial(trx, {
          ...{ project_id: projectId, created_by: principal.userId, name: own, season, plot_name },
          ...{
            location_name: place.location_name,
            latitude: place.latitude ?? null,
            longitude: place.longitude ?? null,
          },
          ...{ description: about.description ?? null, traits: unique(about.traits ?? []) },
          ...{ sown_on: about.sown_on ?? null, harvested_on: about.harvested_on ?? null },
          ...{ plot_length_m: about.plot_length_m ?? null, plot_width_m: about.plot_width_m ?? null },
          design: design && { ...design, efficiency: efficiency ?? null, upper_bound: upper_bound ?? null },
          ...summaryOf(plots),
        }),
      );
      await insertPlots(trx, id, plots);
      await insertTrialEvent(trx, id, { type: 'CREATED', created_by: principal.userId });
      await tell(trx, access, id);
      data.push(await getTrial({ services: { db: trx }, access }, { id }));
    }
  });
  return { data };
}

const unique = (traits: readonly string[]): string[] => [...new Set(traits)];

/** What is measured has to be in the list of traits of the project. */
async function requireTraits(db: Queryable, projectId: string, traits: readonly string[] = []): Promise<void> {
  const known = new Set(await knownTraits(db, projectId, traits));
  const unknown = traits.filter((trait) => !known.has(trait));
  if (unknown.length === 0) return;
  throw new Problem(
    'trials/unknown-traits',
    `The project has no trait ${unknown.map((trait) => `"${trait}"`).join(', ')}. Add it to the list of traits first. Nothing was saved.`,
    { invalidParams: [{ name: 'body.traits', reason: `There is no "${unknown[0]}"` }] },
  );
}

/** From which state to which a trial may go, and what that is called. */
const TRANSITIONS: Readonly<Record<string, TrialEventType>> = {
  'DRAFT SOWN': 'SOWN',
  'SOWN CLOSED': 'CLOSED',
  'CLOSED SOWN': 'REOPENED',
  'SOWN DRAFT': 'DRAFTED',
};

/** `PUT …/trials/{id}`. */
export async function updateTrial(
  { services: { db }, access, principal }: ProjectCall,
  { id, body }: InputOf<typeof trialsApi.updateTrial>,
): Promise<Trial> {
  return await db.transaction().execute(async (trx) => {
    await changeTrialIn(trx, { access, principal }, id, body);
    return await getTrial({ services: { db: trx }, access }, { id });
  });
}

/** What a BrAPI client changes besides. */
type Change = InputOf<typeof trialsApi.updateTrial>['body'] & { client_details?: ClientDetails | null };

/** Changes a trial within a transaction, which holds it locked until its end. */
export async function changeTrialIn(
  trx: Queryable,
  { access, principal }: Pick<ProjectCall, 'access' | 'principal'>,
  id: string,
  { state, version, traits, ...change }: Change,
): Promise<void> {
  const { projectId } = access;
  const before = await requireTrial(trx, projectId, id, version);
  const changed = traits !== undefined || Object.values(change).some((value) => value !== undefined);
  if (before.state === 'CLOSED' && changed && (state === undefined || state === 'CLOSED')) throw closed(before);
  await requireTraits(trx, projectId, traits);
  const type = state === undefined ? undefined : await transition(trx, id, before, state);
  await nameTaken(change.name ?? before.name, () =>
    updateTrialRow(trx, projectId, id, { ...change, state, traits: traits && unique(traits) }),
  );
  if (traits !== undefined) await recountCollected(trx, id);
  if (type !== undefined) await insertTrialEvent(trx, id, { type, created_by: principal.userId });
  await tell(trx, access, id);
}

/** Makes a trial within a transaction; its plots are laid out later. Returns its id. */
export async function draftTrialIn(
  trx: Queryable,
  { access, principal }: Pick<ProjectCall, 'access' | 'principal'>,
  trial: TrialFields,
): Promise<string> {
  await requireTraits(trx, access.projectId, trial.traits);
  const id = await nameTaken(trial.name, () =>
    insertTrial(trx, {
      ...{ ...trial, project_id: access.projectId, created_by: principal.userId, design: null },
      ...{ traits: unique(trial.traits), ...summaryOf([]) },
    }),
  );
  await insertTrialEvent(trx, id, { type: 'CREATED', created_by: principal.userId });
  await tell(trx, access, id);
  return id;
}

/** Undefined for no change. */
async function transition(
  db: Queryable,
  id: string,
  { name, state: from, plot_count: plots }: LockedTrial,
  to: TrialState,
): Promise<TrialEventType | undefined> {
  if (from === to) return undefined;
  const type = TRANSITIONS[`${from} ${to}`];
  if (type === undefined)
    throw new Problem('request/conflict', `"${name}" is ${from} and cannot become ${to}. Mark it as SOWN first.`);
  if (type === 'SOWN' && plots === 0)
    throw new Problem('trials/no-plots', `"${name}" has no plots yet. Lay them out before it is sown.`);
  if (to === 'DRAFT' && (await hasObservations(db, id)))
    throw new Problem(
      'trials/has-values',
      `Values were observed on the plots of "${name}", so its layout stays fixed. Swap plots that were sown in another order.`,
    );
  return type;
}

export const closed = ({ name }: { name: string }): Problem =>
  new Problem('trials/closed', `"${name}" is closed. Reopen it to change anything. Nothing was saved.`);

/** `DELETE …/trials/{id}`: to the bin, with plots and values. */
export async function deleteTrial(
  { services: { db }, access, principal, requestId }: ProjectCall,
  { id }: InputOf<typeof trialsApi.deleteTrial>,
): Promise<void> {
  const { projectId, organizationId } = access;
  const { created_by_id, name } = await getTrial({ services: { db }, access }, { id });
  requireOwn(access, principal, created_by_id);
  await db.transaction().execute(async (trx) => {
    await requireTrial(trx, projectId, id);
    await updateEntryDeleted(trx, 'trials', projectId, id);
    await recordAuditEvent(trx, {
      action: 'trial.deleted',
      actor: principal,
      organizationId,
      projectId,
      targetType: 'trial',
      targetId: id,
      details: { name },
      requestId,
    });
    await tell(trx, access, id);
  });
}

/** Open pages read the trial again. */
export const tell = (
  db: Queryable,
  { projectId, organizationId }: Pick<ProjectAccess, 'projectId' | 'organizationId'>,
  id: string,
): Promise<void> => publishEvent(db, { type: 'trial', id, project_id: projectId, organization_id: organizationId });

export const nameTaken = <Result>(name: string, write: () => Promise<Result>): Promise<Result> =>
  orNameTaken(
    { index: 'trials_name', detail: `The project has a trial "${name}" already. Choose another name.` },
    write,
  );
