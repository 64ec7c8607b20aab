import type {
  NewTrialObservation,
  ObservationsOfTrait,
  RecordedObservations,
  RefusedObservation,
  TrialCompleteness,
  TrialConflict,
  TrialObservation,
} from '@heterosis/contracts/data/trial-observations';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Principal, ProjectAccess } from '../../../platform/http/access.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { findTraitSettings, knownTraits } from '../../people/projects/index.ts';
import {
  type Cell,
  countFilled,
  findObservations,
  findRevision,
  insertObservations,
  listConflictCells,
  listConflicts as listConflictRows,
  listPlotHistory,
  listRivals,
  raiseRevision,
  readCompleteness,
  readTrait,
  updateState,
} from './observations.queries.ts';
import { listPlots } from './plots.queries.ts';
import { settleValues } from './settle-values.ts';
import { stagedAmong } from './staged.service.ts';
import { insertTrialEvent } from './trial-events.queries.ts';
import { recountCollected, updateTrial } from './trials.queries.ts';
import { closed, getTrial, requireTrial, tell } from './trials.service.ts';

/** Errors that an answer lists. */
const MOST_ERRORS = 200;
const MOST_CONFLICTS = 500;
const NONE_STAGED: ReadonlySet<string> = new Set();

/** A write of values, from whatever client. */
export interface NewObservations {
  observations: readonly (NewTrialObservation & { external_references?: unknown })[];
  origin: 'FILE' | 'BRAPI' | 'TYPED';
}

/** `POST …/trials/{id}/observations`. */
export async function recordObservations(
  { services: { db }, access, principal }: ProjectCall,
  { id, body }: InputOf<typeof trialsApi.recordObservations>,
): Promise<RecordedObservations> {
  return await db.transaction().execute((trx) => recordIn(trx, { access, principal }, id, body));
}

/**
 * Records values of a trial within a transaction, which holds the trial locked until its end: values that two devices
 * send at once are stored one after the other, and neither hides the other's.
 */
export async function recordIn(
  trx: DatabaseTransaction,
  { access, principal }: { access: Pick<ProjectAccess, 'projectId' | 'organizationId'>; principal: Principal },
  id: string,
  { observations, origin }: NewObservations,
): Promise<RecordedObservations> {
  const { projectId } = access;
  const trial = await requireTrial(trx, projectId, id);
  if (trial.state === 'CLOSED') throw closed(trial);
  const ids = observations.flatMap((one) => [one.id, ...one.corrects]);
  const names = [...new Set(observations.map(({ trait }) => trait))];
  const traits = await knownTraits(trx, projectId, names);
  const { fresh, known, errors } = settleValues(observations, {
    plots: new Map((await listPlots(trx, id, unique(observations))).map((plot) => [plot.number, plot])),
    traits: new Map((await findTraitSettings(trx, projectId, traits)).map((one) => [one.name, one])),
    observations: new Map((await findObservations(trx, id, ids)).map((one) => [one.id, one])),
  });
  if (errors.length > 0) throw refused(errors);
  if (fresh.length > 0) {
    const staged = origin === 'BRAPI' ? await stagedAmong(trx, id, trial.client_values, fresh) : NONE_STAGED;
    const counting = fresh.filter((one) => !staged.has(one.id));
    const filled = await countFilled(trx, id, counting);
    await insertObservations(
      trx,
      id,
      fresh.map(({ collector, ...one }) => ({
        ...one,
        ...{ origin, collector: collector ?? null, created_by: principal.userId, isStaged: staged.has(one.id) },
      })),
    );
    if (trial.state === 'DRAFT') {
      await updateTrial(trx, projectId, id, { state: 'SOWN' });
      await insertTrialEvent(trx, id, {
        ...{ type: 'SOWN', note: 'The first value fixed the layout.', created_by: principal.userId },
      });
    }
    await raiseRevision(trx, id, {
      filled: (await countFilled(trx, id, counting)) - filled,
      traits: unique(counting, ({ trait }) => trait),
    });
    if (counting.some(({ trait }) => !trial.traits.includes(trait))) await recountCollected(trx, id);
    await tell(trx, access, id);
  }
  return { recorded: fresh.length, known, conflicts: await listConflictCells(trx, id, observations) };
}

function unique(cells: readonly Cell[]): number[];
function unique<Value>(cells: readonly Cell[], of: (cell: Cell) => Value): Value[];
function unique(cells: readonly Cell[], of: (cell: Cell) => unknown = ({ plot }) => plot): unknown[] {
  return [...new Set(cells.map(of))];
}

function refused(errors: readonly RefusedObservation[]): Problem {
  const more = errors.length > 1 ? ` So are ${errors.length - 1} further values.` : '';
  return new Problem(
    'trials/values-refused',
    `A value is refused. ${errors[0]?.message}${more} Nothing was saved: correct or leave out what is refused, and send the others again.`,
    { details: { errors: errors.slice(0, MOST_ERRORS), total: errors.length } },
  );
}

export async function listObservations(
  call: ProjectCall,
  { id, query: { trait } }: InputOf<typeof trialsApi.listObservations>,
): Promise<ObservationsOfTrait> {
  const { db } = call.services;
  await getTrial(call, { id });
  const { revision } = await findRevision(db, id);
  const rows = await readTrait(db, id, trait);
  const kept = new Map<number, Set<string | null>>();
  for (const [k, plot] of rows.plot.entries())
    if (rows.state[k] === 'KEPT') kept.set(plot, (kept.get(plot) ?? new Set()).add(rows.value[k] ?? null));
  return {
    ...{ trait, revision },
    ...rows,
    conflict: rows.plot.map((plot, k) => rows.state[k] === 'KEPT' && (kept.get(plot)?.size ?? 0) > 1),
  };
}

export async function getPlotHistory(
  call: ProjectCall,
  { id, plot }: InputOf<typeof trialsApi.getPlotHistory>,
): Promise<{ data: TrialObservation[] }> {
  const { db } = call.services;
  await getTrial(call, { id });
  if ((await listPlots(db, id, [plot])).length === 0) throw notFound('This plot');
  return { data: await listPlotHistory(db, id, plot) };
}

export async function setAsideObservations(
  call: ProjectCall,
  { id, body: { observations, reason } }: InputOf<typeof trialsApi.setAsideObservations>,
): Promise<{ changed: number }> {
  return await judge(call, id, { state: 'SET_ASIDE', reason, ids: async () => observations });
}

export async function keepObservations(
  call: ProjectCall,
  { id, body: { observations, reason } }: InputOf<typeof trialsApi.keepObservations>,
): Promise<{ changed: number }> {
  return await judge(call, id, { state: 'KEPT', reason: reason ?? null, ids: async () => observations });
}

/** `POST …/conflicts/settle`: all other values of the same plots and traits are set aside. */
export async function settleConflicts(
  call: ProjectCall,
  { id, body: { keep, reason } }: InputOf<typeof trialsApi.settleConflicts>,
): Promise<{ changed: number }> {
  return await judge(call, id, {
    ...{ state: 'SET_ASIDE', reason },
    async ids(trx) {
      await requireAll(trx, id, keep);
      return await listRivals(trx, id, keep);
    },
  });
}

interface Judgement {
  state: 'KEPT' | 'SET_ASIDE';
  reason: string | null;
  ids(trx: DatabaseTransaction): Promise<readonly string[]>;
}

async function judge(
  { services: { db }, access, principal }: ProjectCall,
  id: string,
  { state, reason, ids }: Judgement,
): Promise<{ changed: number }> {
  return await db.transaction().execute(async (trx) => {
    const trial = await requireTrial(trx, access.projectId, id);
    if (trial.state === 'CLOSED') throw closed(trial);
    const meant = await ids(trx);
    const cells = await requireAll(trx, id, meant);
    const filled = await countFilled(trx, id, cells);
    const changed = await updateState(trx, id, meant, { state, reason, userId: principal.userId });
    if (changed.length > 0) {
      await insertTrialEvent(trx, id, {
        type: state,
        plots: unique(changed).slice(0, MOST_ERRORS),
        note: reason,
        created_by: principal.userId,
      });
      await raiseRevision(trx, id, { filled: (await countFilled(trx, id, cells)) - filled, traits: [] });
      await tell(trx, access, id);
    }
    return { changed: changed.length };
  });
}

async function requireAll(trx: DatabaseTransaction, trialId: string, ids: readonly string[]): Promise<Cell[]> {
  const found = await findObservations(trx, trialId, ids);
  if (found.length < new Set(ids).size) throw notFound('One of these values');
  return found;
}

export async function getCompleteness(
  call: ProjectCall,
  { id }: InputOf<typeof trialsApi.getCompleteness>,
): Promise<TrialCompleteness> {
  const { db } = call.services;
  const { traits } = await getTrial(call, { id });
  return { ...(await findRevision(db, id)), ...(await readCompleteness(db, id, traits)) };
}

export async function listConflicts(
  call: ProjectCall,
  { id }: InputOf<typeof trialsApi.listConflicts>,
): Promise<{ total: number; data: TrialConflict[] }> {
  const { db } = call.services;
  await getTrial(call, { id });
  const cells = await listConflictCells(db, id);
  return { total: cells.length, data: await listConflictRows(db, id, cells.slice(0, MOST_CONFLICTS)) };
}
