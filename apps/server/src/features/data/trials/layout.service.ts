import type { Page } from '@heterosis/contracts/common';
import type { Trial, TrialEvent, TrialPlots } from '@heterosis/contracts/data/trials';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import type { Queryable } from '../../../platform/database/database.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { resolveEntries } from './entries.ts';
import { plotsOfLayout, summaryOf } from './layout.ts';
import { deletePlots, insertPlots, listPlots, plotColumns, swapEntries } from './plots.queries.ts';
import { findTrialEvent, insertTrialEvent, listTrialEvents as listEventRows } from './trial-events.queries.ts';
import { recountCollected, updateLayout } from './trials.queries.ts';
import { closed, getTrial, requireTrial, tell } from './trials.service.ts';

export async function getPlots(call: ProjectCall, { id }: InputOf<typeof trialsApi.getPlots>): Promise<TrialPlots> {
  const { version } = await getTrial(call, { id });
  return { version, ...plotColumns(await listPlots(call.services.db, id)) };
}

/** `PUT …/trials/{id}/layout`, of a DRAFT only. */
export async function replaceLayout(
  { services: { db }, access, principal }: ProjectCall,
  { id, body: { entries, layout, plot_name, design, version } }: InputOf<typeof trialsApi.replaceLayout>,
): Promise<Trial> {
  const { projectId } = access;
  const resolved = await resolveEntries(db, projectId, entries);
  return await db.transaction().execute(async (trx) => {
    const trial = await requireTrial(trx, projectId, id, version);
    if (trial.state !== 'DRAFT')
      throw new Problem(
        'trials/layout-fixed',
        `"${trial.name}" is ${trial.state}, so its layout is fixed. Swap plots that were sown in another order.`,
      );
    const template = plot_name ?? trial.plot_name;
    const plots = plotsOfLayout(layout, resolved, { template, place: trial.location_name, where: 'body.layout' });
    await deletePlots(trx, id);
    await insertPlots(trx, id, plots);
    await updateLayout(trx, { projectId, id }, summaryOf(plots), { design, plot_name: template });
    await insertTrialEvent(trx, id, { type: 'LAYOUT_REPLACED', created_by: principal.userId });
    await tell(trx, access, id);
    return await getTrial({ services: { db: trx }, access }, { id });
  });
}

/** `POST …/trials/{id}/swaps`. */
export async function swapPlots(
  { services: { db }, access, principal }: ProjectCall,
  { id, body: { plots, undoes, note } }: InputOf<typeof trialsApi.swapPlots>,
): Promise<TrialEvent> {
  const { projectId } = access;
  return await db.transaction().execute(async (trx) => {
    const trial = await requireTrial(trx, projectId, id);
    if (trial.state === 'CLOSED') throw closed(trial);
    const [one, other] = plots ?? (await plotsOfSwap(trx, id, undoes ?? ''));
    const found = await listPlots(trx, id, [one, other]);
    const missing = [one, other].find((number) => !found.some((plot) => plot.number === number));
    if (missing !== undefined)
      throw new Problem('request/invalid', `"${trial.name}" has no plot ${missing}. Nothing was swapped.`, {
        invalidParams: [{ name: 'body.plots', reason: `There is no plot ${missing}` }],
      });
    await swapEntries(trx, id, one, other);
    // Kinds may have changed places, and with them the map in lists.
    await updateLayout(trx, { projectId, id }, summaryOf(await listPlots(trx, id)), { plot_name: trial.plot_name });
    await recountCollected(trx, id);
    const event = await insertTrialEvent(trx, id, {
      type: undoes === undefined ? 'SWAPPED' : 'SWAP_UNDONE',
      plots: [one, other],
      note,
      ...(undoes === undefined ? {} : { undoes }),
      created_by: principal.userId,
    });
    await tell(trx, access, id);
    const written = await findTrialEvent(trx, id, event);
    if (written === undefined) throw new Error(`event ${event} was not written`);
    return written;
  });
}

/** The plots of a swap that is to be taken back. */
async function plotsOfSwap(db: Queryable, trialId: string, eventId: string): Promise<[number, number]> {
  const event = isUuid(eventId) ? await findTrialEvent(db, trialId, eventId) : undefined;
  if (event === undefined) throw notFound('This swap');
  const [one, other] = event.plots;
  if (event.type !== 'SWAPPED' || one === undefined || other === undefined)
    throw new Problem('trials/not-undoable', 'Only a swap of two plots can be taken back.');
  if (event.undone) throw new Problem('trials/not-undoable', 'This swap was taken back already.');
  return [one, other];
}

export async function listTrialEvents(
  call: ProjectCall,
  { id, query: { limit, cursor } }: InputOf<typeof trialsApi.listTrialEvents>,
): Promise<Page<TrialEvent>> {
  await getTrial(call, { id });
  const rows = await listEventRows(call.services.db, id, { limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, (event) => [event.id]);
}
