import { createHash } from 'node:crypto';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import {
  type DecisionDetail,
  type DecisionMarkValue,
  type DecisionRefresh,
  type DecisionSet,
  type LineOutcome,
  outcomesOf,
} from '@heterosis/contracts/work/decisions';
import type { Citation } from '@heterosis/contracts/work/runs';
import { setDiversity } from '@heterosis/statgen/decisions/set-diversity';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { SOFTWARE_VERSION } from '../../../platform/config/config.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { createListsIn } from '../../data/lists/index.ts';
import { cite } from '../runs/results/index.ts';
import { meanOf } from './board.ts';
import {
  type DecisionRow,
  findMinutes,
  insertVersion,
  listLines,
  readNames,
  readRelationships,
  type StoredLine,
  updateDecision,
  updateReopened,
} from './decisions.queries.ts';
import { detailOf, requireChair, requireDecision, requireLocked, requireOpen, tell } from './decisions.service.ts';
import { listAllMarks } from './marks.queries.ts';
import type { Minutes, MinutesLine } from './minutes.ts';
import { minutesAsCsv } from './minutes-csv.ts';
import { insertStages } from './stages.queries.ts';

type Input<Name extends keyof typeof decisionsApi> = InputOf<(typeof decisionsApi)[Name]>;

/** `GET …/decisions/{id}/set`. */
export async function getDecisionSet(
  { services: { db }, access: { projectId } }: ProjectCall,
  { id }: Input<'getDecisionSet'>,
): Promise<DecisionSet> {
  const row = await requireDecision(db, projectId, id);
  return setOf(row, await listLines(db, id), outcomesOf(await listAllMarks(db, id)), await readRelationships(db, id));
}

/** What the lines that are to advance are together; the check is no candidate. */
function setOf(
  { columns, settings, computed }: Pick<DecisionRow, 'columns' | 'settings' | 'computed'>,
  lines: readonly StoredLine[],
  outcomes: ReadonlyMap<number, LineOutcome>,
  relationships: Float32Array | null,
): DecisionSet {
  const all = lines.flatMap(({ name }, i) => (name === settings.check ? [] : [i]));
  const places = all.filter((i) => outcomes.get(i + 1)?.mark === 'ADVANCE');
  const diversity = (of: readonly number[]) => {
    const at = (a: number, b: number): number => {
      const [i, j] = [Math.max(of[a] ?? 0, of[b] ?? 0), Math.min(of[a] ?? 0, of[b] ?? 0)];
      return relationships?.[(i * (i + 1)) / 2 + j] ?? 0;
    };
    const { coancestry, statusNumber, families, effectiveFamilies } = setDiversity(
      of.map((i) => lines[i]?.family ?? null),
      relationships === null ? undefined : { at },
    );
    return { coancestry, status_number: statusNumber, families, effective_families: effectiveFamilies };
  };
  const gain = (valueOf: (i: number) => number | null | undefined): number | null => {
    const known = (of: readonly number[]) => of.map((i) => valueOf(i) ?? null).filter((one) => one !== null);
    const [set, everybody] = [known(places), known(all)];
    return set.length === 0 ? null : meanOf(set) - meanOf(everybody);
  };
  const plots = places.length * settings.plots_per_line;
  return {
    ...{ lines: places.length, ...diversity(places), all: diversity(all) },
    gains: columns.map((_, c) => gain((i) => lines[i]?.values[c])),
    index_gain: gain((i) => computed.index[i]),
    ...{ plots, seed_g: settings.seed_per_plot === 0 ? null : plots * settings.seed_per_plot },
  };
}

/** `POST …/decisions/{id}/close`: minutes, list and stages in one transaction. */
export async function closeDecision(call: ProjectCall, { id, body }: Input<'closeDecision'>): Promise<DecisionDetail> {
  const { services, access, principal, requestId } = call;
  const { projectId, organizationId } = access;
  return await services.db.transaction().execute(async (trx) => {
    const locked = await requireLocked(trx, projectId, id);
    requireChair(call, locked.chair_id, 'close a decision');
    requireOpen(locked);
    if (body.version !== locked.version || (body.last_mark ?? locked.last_mark) < locked.last_mark)
      throw new Problem(
        'decisions/changed-meanwhile',
        `"${locked.name}" was marked by somebody since you looked. Look at it again, and close it then.`,
      );
    const row = await requireDecision(trx, projectId, id);
    const lines = await listLines(trx, id);
    const marks = await listAllMarks(trx, id);
    const outcomes = outcomesOf(marks);
    refuseUnsettled(lines, outcomes);
    const of = (mark: DecisionMarkValue) => lines.filter(({ number }) => outcomes.get(number)?.mark === mark);
    const advanced = of('ADVANCE');
    if (advanced.length === 0)
      throw new Problem('decisions/nobody-advances', 'No line advances yet. Mark at least one before you close.');
    const name =
      body.list_name ?? (locked.version === 1 ? locked.name : `${locked.name.slice(0, 240)} (${locked.version})`);
    const members = advanced.map((line) => line.name);
    const description = `Advanced by the decision "${locked.name}".`;
    const [listId] = await createListsIn(trx, access, principal, [{ kind: 'germplasm', name, description, members }]);
    const names = await readNames(trx, projectId, principal.userId);
    const minutesLines = lines.map((line) => minutesLine(row, line, outcomes.get(line.number)));
    const minutes: Minutes = {
      ...{ name: locked.name, project: names.project, description: row.description, version: locked.version },
      ...{ closed_at: new Date().toISOString(), closed_by: names.person, chair: row.chair },
      people: [...new Set(marks.map(({ person }) => person ?? 'Somebody'))].sort(),
      ...{
        source: row.source,
        settings: row.settings,
        columns: row.columns,
        notes: [...row.computed.notes, ...row.refreshes.map(refreshInWords)],
      },
      ...{ set: setOf(row, lines, outcomes, await readRelationships(trx, id)), list: name },
      sha256: createHash('sha256').update(JSON.stringify(minutesLines)).digest('hex'),
      lines: minutesLines,
    };
    await insertVersion(trx, { decisionId: id, version: locked.version, minutes, closedBy: principal.userId });
    const stages = (['ADVANCE', 'HOLD', 'DROP'] as const).flatMap((mark) =>
      of(mark).flatMap(({ germplasm_id: germplasm }) =>
        germplasm === null ? [] : [{ germplasm_id: germplasm, stage: row.settings.stages[mark] }],
      ),
    );
    await insertStages(trx, { projectId, decisionId: id, setBy: principal.userId }, stages);
    await updateDecision(trx, id, { state: 'CLOSED', list_id: listId, closed_at: minutes.closed_at });
    await recordAuditEvent(trx, {
      ...{ action: 'decision.closed', actor: principal, organizationId, projectId, requestId },
      ...{ targetType: 'decision', targetId: id },
      details: { name: locked.name, version: locked.version, advanced: advanced.length },
    });
    await tell(trx, access, id);
    return await detailOf(trx, call, id);
  });
}

const refreshInWords = ({ refreshed_at: at, refreshed_by: who, runs }: DecisionRefresh): string => {
  const said = runs.map(
    ({ name, instead_of: before }) => `"${name}"${before === null ? '' : ` instead of "${before}"`}`,
  );
  return `${who} put newer runs on the table on ${at.slice(0, 10)}: ${said.join(', ')}.`;
};

function refuseUnsettled(lines: readonly StoredLine[], outcomes: ReadonlyMap<number, LineOutcome>): void {
  const open = lines.filter(({ number }) => outcomes.get(number)?.isDisagreed === true);
  if (open.length === 0) return;
  throw new Problem(
    'decisions/unsettled',
    `People disagree on ${open.length} ${open.length === 1 ? 'line' : 'lines'}. Settle them as the chair, then close.`,
    { details: { lines: open.map(({ number }) => number) } },
  );
}

function minutesLine(
  { computed, settings }: DecisionRow,
  line: StoredLine,
  outcome: LineOutcome | undefined,
): MinutesLine {
  const { number, name, family, values, ses, reliabilities } = line;
  const settled = outcome?.isSettled === true ? outcome.settlement : undefined;
  const at = (of: readonly (number | null)[]): number | null => of[number - 1] ?? null;
  return {
    ...{ number, name, family, values, ses, reliabilities, is_check: name === settings.check },
    ...{
      mark: outcome?.mark ?? 'UNDECIDED',
      settled_by: settled?.person ?? null,
      settled_reason: settled?.reason ?? null,
    },
    marks: (outcome?.marks ?? []).map(({ person, mark, reason, marked_at }) => ({
      ...{ person: person ?? 'Somebody', mark, reason, marked_at },
    })),
    ...{ index: at(computed.index), beats_check: at(computed.beatsCheck), beats_every: at(computed.beatsEvery) },
    among_best: at(computed.amongBest),
  };
}

/** `POST …/decisions/{id}/reopen`: marks stay as they are, and so do list and minutes of the version before. */
export async function reopenDecision(
  call: ProjectCall,
  { id, body: { reason } }: Input<'reopenDecision'>,
): Promise<DecisionDetail> {
  const { services, access, principal, requestId } = call;
  const { projectId, organizationId } = access;
  return await services.db.transaction().execute(async (trx) => {
    const { state, version, name, chair_id: chairId } = await requireLocked(trx, projectId, id);
    requireChair(call, chairId, 'reopen a decision');
    if (state === 'OPEN') throw new Problem('request/conflict', `"${name}" is open already.`);
    await updateReopened(trx, id, version, reason);
    await updateDecision(trx, id, { state: 'OPEN', version: version + 1, closed_at: null });
    await recordAuditEvent(trx, {
      ...{ action: 'decision.reopened', actor: principal, organizationId, projectId, requestId },
      ...{ targetType: 'decision', targetId: id, details: { name, version: version + 1, reason } },
    });
    await tell(trx, access, id);
    return await detailOf(trx, call, id);
  });
}

/** `GET …/decisions/{id}/minutes`. */
export async function getMinutes(
  { services: { db }, access: { projectId } }: ProjectCall,
  { id, query: { version } }: Input<'getMinutes'>,
): Promise<Download> {
  const row = await requireDecision(db, projectId, id);
  const { minutes, version: closed } = await requireMinutes(db, row, version);
  return { bytes: minutesAsCsv(minutes), fileName: `${row.name} minutes${closed > 1 ? ` ${closed}` : ''}.csv` };
}

/** `GET …/decisions/{id}/citation`: of the version that was closed last. */
export async function citeDecision(
  { services: { db, config }, access: { projectId } }: ProjectCall,
  { id }: Input<'citeDecision'>,
): Promise<Citation> {
  const row = await requireDecision(db, projectId, id);
  const { minutes, version } = await requireMinutes(db, row, undefined);
  return await cite(
    db,
    { publicUrl: config.publicUrl, projectId },
    {
      ...{ name: row.name, path: `/projects/${projectId}/decisions/${id}`, sha256: minutes.sha256 },
      what: `decision on ${minutes.lines.length} lines, version ${version}`,
      ...{ endedAt: minutes.closed_at, softwareVersion: SOFTWARE_VERSION },
    },
  );
}

/**
 * The minutes of a version that was closed, by default of the last one. Refuses a decision that never was, and one
 * whose meeting hides the names that earlier minutes have.
 */
export async function requireMinutes(
  db: Queryable,
  { id, name, state, settings }: DecisionRow,
  version: number | undefined,
): Promise<{ version: number; minutes: Minutes }> {
  if (state === 'OPEN' && settings.is_blind)
    throw new Problem(
      'decisions/names-hidden',
      `The minutes of earlier versions of "${name}" have the names that its meeting hides. Close it, or show names.`,
    );
  const found = await findMinutes(db, id, version);
  if (found !== undefined) return found;
  if (version !== undefined) throw notFound('This version');
  throw new Problem('decisions/no-minutes', `"${name}" has no minutes yet: they are written when it is closed.`);
}

/** The minutes of the version that is closed; refuses an open decision. */
export async function closedMinutes(db: Queryable, row: DecisionRow): Promise<Minutes> {
  const found = row.state === 'CLOSED' ? await findMinutes(db, row.id, row.version) : undefined;
  if (found === undefined)
    throw new Problem('decisions/no-minutes', `"${row.name}" is open: what came of it is told once it is closed.`);
  return found.minutes;
}
