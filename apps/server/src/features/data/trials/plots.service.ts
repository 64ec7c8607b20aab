import { MAX_PLOTS } from '@heterosis/contracts/data/trials';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { resolveEntries } from './entries.ts';
import { type PlotRow, requirePlots, summaryOf } from './layout.ts';
import { deletePlots, insertPlots, listPlots, updatePlotDetails } from './plots.queries.ts';
import { insertTrialEvent } from './trial-events.queries.ts';
import { type LockedTrial, updateLayout, updateTrial } from './trials.queries.ts';
import { closed, requireTrial, tell } from './trials.service.ts';

/** A plot with a name of its own, and a line by its name. */
export interface WrittenPlot extends Omit<PlotRow, 'number' | 'entry' | 'germplasm_id'> {
  /** Of a new plot the number that it is to have, null for any; of a plot that is there, its own. */
  number: number | null;
  entry: string;
  /** Begins a message about it. */
  where: string;
}

type Who = Pick<ProjectCall, 'access' | 'principal'>;

/**
 * Adds plots to a trial within a transaction, all or none; returns their numbers. One that is there under its name
 * stays as it is. Clients know plots by their place in the order of numbers, so a new one comes behind all others.
 */
export async function addPlotsIn(
  trx: DatabaseTransaction,
  who: Who,
  trialId: string,
  written: readonly WrittenPlot[],
): Promise<number[]> {
  const trial = await requireTrial(trx, who.access.projectId, trialId);
  const plots = await listPlots(trx, trialId);
  const byName = new Map(plots.map((plot) => [plot.name, plot]));
  const last = plots.at(-1)?.number ?? 0;
  let next = last;
  const added: PlotRow[] = [];
  const numbers: number[] = [];
  for (const [k, plot] of (await resolved(trx, who, written)).entries()) {
    const { where = '', number: wanted = null } = written[k] ?? {};
    const known = byName.get(plot.name);
    if (known !== undefined) {
      if (!isSame(known, { ...plot, number: known.number }))
        throw new Problem(
          'request/conflict',
          `${where}: "${trial.name}" has a plot "${plot.name}" already, with ${known.entry === null ? 'nothing' : `"${known.entry}"`} in it. To change it, send PUT /observationunits. Nothing was saved.`,
        );
      numbers.push(known.number);
      continue;
    }
    const number = wanted ?? numberIn(plot.name, next);
    if (number <= last)
      throw new Problem(
        'request/conflict',
        `${where}: plot ${number} would come before plot ${last}, which is there already. Send plots in the order of their numbers. Nothing was saved.`,
      );
    next = Math.max(next, number);
    const row = { ...plot, number };
    byName.set(row.name, row);
    added.push(row);
    numbers.push(number);
  }
  if (added.length === 0) return numbers;
  requireDraft(trial, written[0]?.where ?? '');
  await layOut(trx, who, trialId, { trial, plots: [...plots, ...added], written: added });
  return numbers;
}

/** Changes plots of a trial within a transaction, all or none. What is sown keeps all but what clients say besides. */
export async function changePlotsIn(
  trx: DatabaseTransaction,
  who: Who,
  trialId: string,
  written: readonly WrittenPlot[],
): Promise<void> {
  const trial = await requireTrial(trx, who.access.projectId, trialId);
  if (trial.state === 'CLOSED') throw closed(trial);
  const plots = new Map((await listPlots(trx, trialId)).map((plot) => [plot.number, plot]));
  const changed: PlotRow[] = [];
  for (const [k, plot] of (await resolved(trx, who, written)).entries()) {
    const { where = '' } = written[k] ?? {};
    const before = plots.get(plot.number);
    if (before === undefined) throw notFound(`${where}: this plot`);
    if (isSame(before, plot)) {
      await updatePlotDetails(trx, trialId, plot);
      continue;
    }
    requireDraft(trial, where);
    plots.set(plot.number, plot);
    changed.push(plot);
  }
  if (changed.length > 0) await layOut(trx, who, trialId, { trial, plots: [...plots.values()], written: changed });
  else {
    await updateTrial(trx, who.access.projectId, trialId, {});
    await tell(trx, who.access, trialId);
  }
}

/** A number at the end of a name that is behind all others, or the next one. */
function numberIn(name: string, last: number): number {
  const number = Number(/\d{1,7}$/.exec(name)?.[0] ?? 0);
  return number > last ? number : last + 1;
}

async function resolved(
  trx: DatabaseTransaction,
  { access }: Who,
  written: readonly WrittenPlot[],
): Promise<PlotRow[]> {
  const entries = await resolveEntries(
    trx,
    access.projectId,
    written.map(({ entry }) => entry),
  );
  return written.map(({ where: _where, ...plot }, k) => ({
    ...plot,
    number: plot.number ?? 0,
    entry: entries[k]?.name ?? null,
    germplasm_id: entries[k]?.germplasm_id ?? null,
  }));
}

/** Whether two plots are the same but for what clients say besides. */
const isSame = (a: PlotRow, b: PlotRow): boolean =>
  (['number', 'name', 'row', 'column', 'replicate', 'block', 'treatment', 'kind', 'entry'] as const).every(
    (field) => a[field] === b[field],
  );

function requireDraft({ name, state }: LockedTrial, where: string): void {
  if (state === 'DRAFT') return;
  throw new Problem(
    'trials/layout-fixed',
    `${where}: "${name}" is ${state}, so its layout is fixed, and only additionalInfo and externalReferences of its plots may change. Nothing was saved.`,
  );
}

async function layOut(
  trx: DatabaseTransaction,
  { access, principal }: Who,
  id: string,
  { trial, plots, written }: { trial: LockedTrial; plots: readonly PlotRow[]; written: readonly PlotRow[] },
): Promise<void> {
  if (plots.length > MAX_PLOTS)
    throw new Problem(
      'request/too-large',
      `"${trial.name}" would have ${plots.length} plots, and a trial has at most ${MAX_PLOTS}. Nothing was saved.`,
    );
  requirePlots(plots, 'body');
  await deletePlots(
    trx,
    id,
    written.map(({ number }) => number),
  );
  await insertPlots(trx, id, written);
  await updateLayout(trx, { projectId: access.projectId, id }, summaryOf(plots), { plot_name: trial.plot_name });
  await insertTrialEvent(trx, id, {
    ...{ type: 'LAYOUT_REPLACED', created_by: principal.userId },
    note: `A BrAPI client laid out ${written.length} plot${written.length === 1 ? '' : 's'}.`,
  });
  await tell(trx, access, id);
}
