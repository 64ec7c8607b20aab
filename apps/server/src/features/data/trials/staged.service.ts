import type { StagedObservation } from '@heterosis/contracts/data/trial-observations';
import type { Trial } from '@heterosis/contracts/data/trials';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound } from '../../../platform/http/problem.ts';
import {
  type Cell,
  countFilled,
  findObservations,
  listCurrentOfTraits,
  listRivals,
  listStagedRows,
  raiseRevision,
  updateStaged,
  updateState,
} from './observations.queries.ts';
import { insertTrialEvent } from './trial-events.queries.ts';
import { recountCollected } from './trials.queries.ts';
import { closed, getTrial, requireTrial, tell } from './trials.service.ts';

/** Values that an answer lists. */
const MOST_STAGED = 2_000;
/** Plots that an event lists. */
const MOST_PLOTS = 200;
const REPLACED = 'A value that a client sent was accepted';

const keyOf = ({ plot, trait }: Cell): string => `${plot} ${trait}`;

/**
 * Ids of those of some new values that wait, by the rule of the trial. A value that the plot has already never does: it
 * changes nothing.
 */
export async function stagedAmong(
  trx: DatabaseTransaction,
  trialId: string,
  rule: Trial['client_values'],
  values: readonly (Cell & { id: string; value: string | null })[],
): Promise<ReadonlySet<string>> {
  const staged = new Set<string>();
  if (rule === 'ALL') return staged;
  const traits = [...new Set(values.map(({ trait }) => trait))];
  const present = new Map<string, Set<string | null>>();
  for (const one of await listCurrentOfTraits(trx, trialId, traits))
    present.set(keyOf(one), (present.get(keyOf(one)) ?? new Set()).add(one.value));
  for (const value of values) {
    const there = present.get(keyOf(value));
    if (there?.has(value.value) === true) continue;
    if (rule === 'NONE' || there !== undefined) staged.add(value.id);
    else present.set(keyOf(value), new Set([value.value]));
  }
  return staged;
}

/** `GET …/trials/{id}/staged`. */
export async function listStaged(
  call: ProjectCall,
  { id }: InputOf<typeof trialsApi.listStaged>,
): Promise<{ total: number; data: StagedObservation[] }> {
  const { db } = call.services;
  await getTrial(call, { id });
  const rows = await listStagedRows(db, id);
  const shown = rows.slice(0, MOST_STAGED);
  const current = await listCurrentOfTraits(db, id, [...new Set(shown.map(({ trait }) => trait))]);
  const present = Map.groupBy(current, keyOf);
  const data = shown.map(({ plot, trait, value, observed_at, collector, created_by, created_at, id: own }) => ({
    ...{ id: own, plot, trait, value, observed_at, collector, created_by, created_at },
    present: (present.get(keyOf({ plot, trait })) ?? []).map((one) => ({
      ...{ value: one.value, state: one.state, observed_at: one.observed_at, collector: one.collector },
    })),
  }));
  return { total: rows.length, data };
}

/**
 * `POST …/trials/{id}/staged/settle`. What is accepted counts from then on: it ends what it corrects, and other values
 * of its plot and trait are set aside, unless they are accepted too.
 */
export async function settleStaged(
  { services: { db }, access, principal }: ProjectCall,
  { id, body: { accept, decline, reason } }: InputOf<typeof trialsApi.settleStaged>,
): Promise<{ changed: number }> {
  const { userId } = principal;
  return await db.transaction().execute(async (trx) => {
    const trial = await requireTrial(trx, access.projectId, id);
    if (trial.state === 'CLOSED') throw closed(trial);
    const meant = new Set([...accept, ...decline]);
    const cells = await findObservations(trx, id, [...meant]);
    if (cells.length < meant.size) throw notFound('One of these values');
    const filled = await countFilled(trx, id, cells);
    const declined = await updateStaged(trx, id, decline, { state: 'DECLINED', reason: reason ?? null, userId });
    const accepted = await updateStaged(trx, id, accept, { state: 'KEPT', reason: reason ?? null, userId });
    if (declined.length + accepted.length === 0) return { changed: 0 };
    const ids = accepted.map((one) => one.id);
    const rivals = await listRivals(trx, id, ids);
    await updateState(trx, id, rivals, { state: 'SET_ASIDE', reason: reason ?? REPLACED, userId });
    for (const [type, settled] of [
      ['ACCEPTED', accepted],
      ['DECLINED', declined],
    ] as const)
      if (settled.length > 0)
        await insertTrialEvent(trx, id, {
          ...{ type, note: reason ?? null, created_by: userId },
          plots: [...new Set(settled.map(({ plot }) => plot))].slice(0, MOST_PLOTS),
        });
    const traits = [...new Set(accepted.map(({ trait }) => trait))];
    await raiseRevision(trx, id, { filled: (await countFilled(trx, id, cells)) - filled, traits });
    if (traits.some((trait) => !trial.traits.includes(trait))) await recountCollected(trx, id);
    await tell(trx, access, id);
    return { changed: declined.length + accepted.length };
  });
}
