import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import type {
  Decision,
  DecisionColumn,
  DecisionDetail,
  DecisionLines,
  DecisionRefresh,
  DecisionSettings,
} from '@heterosis/contracts/work/decisions';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import { isAtLeast, type Principal, type ProjectAccess } from '../../../platform/http/access.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { orNameTaken } from '../../../platform/http/taken-name.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { requireOwn, updateEntryDeleted } from '../../people/projects/index.ts';
import { geneticCovariances } from './board.ts';
import { computeLines, gatherAgain, gatherLines, withWeights } from './candidates.service.ts';
import {
  type DecisionRow,
  findDecision,
  insertDecision,
  isInProject,
  type LockedDecision,
  listDecisions as listDecisionRows,
  listLines,
  listVersions,
  lockDecision,
  packErrors,
  readErrors,
  readNames,
  type StoredBoard,
  updateDecision as updateDecisionRow,
  updateValues,
} from './decisions.queries.ts';
import type { LinesComputed } from './lines-task.ts';
import { readStages } from './stages.queries.ts';

type Input<Name extends keyof typeof decisionsApi> = InputOf<(typeof decisionsApi)[Name]>;

export async function listDecisions(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query: { limit, cursor, name } }: Input<'listDecisions'>,
): Promise<Page<Decision>> {
  const rows = await listDecisionRows(db, projectId, { name, limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}

export async function requireDecision(db: Queryable, projectId: string, id: string): Promise<DecisionRow> {
  const row = isUuid(id) ? await findDecision(db, projectId, id) : undefined;
  if (row === undefined) throw notFound('This decision');
  return row;
}

/** Locks it until the end of the transaction. */
export async function requireLocked(db: Queryable, projectId: string, id: string): Promise<LockedDecision> {
  const row = isUuid(id) ? await lockDecision(db, projectId, id) : undefined;
  if (row === undefined) throw notFound('This decision');
  return row;
}

export async function getDecision(
  { services: { db }, access, principal }: ProjectCall,
  { id }: Input<'getDecision'>,
): Promise<DecisionDetail> {
  return await detailOf(db, { access, principal }, id);
}

type Who = Pick<ProjectCall, 'access' | 'principal'>;

export async function detailOf(db: Queryable, { access, principal }: Who, id: string): Promise<DecisionDetail> {
  const { computed, ...row } = await requireDecision(db, access.projectId, id);
  return {
    ...row,
    notes: computed.notes,
    versions: await listVersions(db, id),
    may_chair: mayChair(access, principal, row.chair_id) && !access.readOnly && principal.isGuest !== true,
  };
}

const mayChair = ({ role }: ProjectAccess, { userId }: Principal, chairId: string | null): boolean =>
  chairId === userId || isAtLeast(role, 'MANAGER');

/** Refuses everybody but the chair and managers of the project; `what` completes "Only the chair may …". */
export function requireChair({ access, principal }: Who, chairId: string | null, what: string): void {
  if (mayChair(access, principal, chairId)) return;
  throw new Problem('request/not-allowed', `Only the chair or a manager of the project may ${what}. Ask the chair.`);
}

export async function createDecision(call: ProjectCall, { body }: Input<'createDecision'>): Promise<DecisionDetail> {
  const { services, access, principal } = call;
  const gathered = await gatherLines(call, body);
  const settings = { ...body.settings, check: gathered.check };
  const { board, relationships } = await computeLines(call, gathered, settings, true);
  const columns = withWeights(gathered.columns, board);
  return await nameTaken(body.name, () =>
    services.db.transaction().execute(async (trx) => {
      const id = await insertDecision(
        trx,
        {
          ...{ projectId: access.projectId, createdBy: principal.userId, source: gathered.source, settings, columns },
          ...{ name: body.name, description: body.description ?? null },
          computed: storedBoard(board, columns, settings, gathered.notes),
          relationships: relationships && Buffer.from(relationships.buffer),
          error_covariances: packErrors(gathered.errors),
        },
        gathered.lines,
      );
      await tell(trx, access, id);
      return await detailOf(trx, call, id);
    }),
  );
}

function storedBoard(
  { weights: _weights, gains: _gains, refused: _refused, ...board }: LinesComputed['board'],
  columns: readonly DecisionColumn[],
  settings: DecisionSettings,
  leftOut: readonly string[],
): StoredBoard {
  const of = columns.filter(({ in_index: inIndex }) => inIndex);
  const notes = [
    ...covarianceNote(of),
    ...(of.length > 1
      ? [
          settings.error_correlation === 'none'
            ? 'Errors of different traits count as independent.'
            : isOfOneModel(of)
              ? `The traits were predicted together, in “${of[0]?.run_name}”: the index, and the correlation of errors of different traits, rest on the genetic covariances of its model.`
              : 'Errors of different traits are taken to be correlated as the values are.',
        ]
      : []),
    ...(board.amongBestError > 0
      ? [
          `Probabilities to be among the best n come from draws; they are known to ± ${inPercent(board.amongBestError)}.`,
        ]
      : []),
    ...(settings.check === null ? ['No check is named, so no probability to beat it.'] : []),
    ...(board.amongBest.every((one) => one === null)
      ? ['The values have no errors, so there are no probabilities.']
      : []),
    ...leftOut,
  ];
  return { ...board, notes };
}

const isOfOneModel = (columns: readonly DecisionColumn[]): boolean =>
  geneticCovariances(
    columns.map(({ trait, run_id: runId, genetic_covariance: genetic = null }) => ({ trait, runId, genetic })),
  ) !== null;

const inPercent = (share: number): string => `${(100 * share).toPrecision(1)} %`;

function covarianceNote(columns: readonly DecisionColumn[]): string[] {
  const without = columns.filter((column) => column.has_error_covariance !== true).map(({ trait }) => trait);
  if (without.length === 0) return [];
  const which = without.length === columns.length ? '' : ` in ${without.join(', ')}`;
  return [
    `Covariances of the errors of two lines${which} are not known and count as 0, so the probabilities shown are closer to ½ than the true ones.`,
  ];
}

export async function updateDecision(
  call: ProjectCall,
  { id, body: { settings, chair_id, ...change } }: Input<'updateDecision'>,
): Promise<DecisionDetail> {
  const { services, access } = call;
  const { db } = services;
  const row = await requireDecision(db, access.projectId, id);
  requireChair(call, row.chair_id, 'change a decision');
  if (settings !== undefined || chair_id !== undefined) requireOpen(row);
  if (chair_id !== undefined && !(await isInProject(db, access.projectId, chair_id)))
    throw new Problem('request/invalid', 'The chair has to be a member of the project.', {
      invalidParams: [{ name: 'body.chair_id', reason: 'Not a member of the project' }],
    });
  // It is computed before the row is locked: others mark meanwhile.
  const again = settings === undefined ? {} : await computeAgain(call, row, settings);
  return await nameTaken(change.name ?? row.name, () =>
    db.transaction().execute(async (trx) => {
      const locked = await requireLocked(trx, access.projectId, id);
      if (settings !== undefined || chair_id !== undefined) requireOpen(locked);
      await updateDecisionRow(trx, id, { ...change, chair_id, ...again });
      await tell(trx, access, id);
      return await detailOf(trx, call, id);
    }),
  );
}

async function computeAgain(
  call: ProjectCall,
  row: DecisionRow,
  settings: DecisionSettings,
): Promise<{ settings: DecisionSettings; columns: DecisionColumn[]; computed: StoredBoard }> {
  const lines = await listLines(call.services.db, row.id);
  if (settings.check !== null && !lines.some(({ name }) => name === settings.check))
    throw new Problem('request/invalid', `"${settings.check}" is not among the candidates. Name a check that is.`, {
      invalidParams: [{ name: 'body.settings.check', reason: 'Not a candidate' }],
    });
  const errors = await readErrors(call.services.db, row.id, row);
  const { board } = await computeLines(call, { columns: row.columns, lines, errors }, settings, false);
  const columns = withWeights(row.columns, board);
  return { settings, columns, computed: storedBoard(board, columns, settings, []) };
}

/** `POST …/decisions/{id}/refresh`: the same lines and marks with the values of the newest runs. */
export async function refreshDecision(call: ProjectCall, { id }: Input<'refreshDecision'>): Promise<DecisionDetail> {
  const { services, access, principal, requestId } = call;
  const { db } = services;
  const { projectId, organizationId } = access;
  const row = await requireDecision(db, projectId, id);
  requireChair(call, row.chair_id, 'refresh a decision');
  requireOpen(row);
  const gathered = await gatherAgain(services, row, await listLines(db, id), await readErrors(db, id, row));
  const runs = newRuns(row.columns, gathered.columns);
  if (runs.length === 0)
    throw new Problem(
      'request/conflict',
      `"${row.name}" has the newest runs on the table already. Nothing was changed.`,
    );
  const { board } = await computeLines(call, gathered, row.settings, false);
  const columns = withWeights(gathered.columns, board);
  return await db.transaction().execute(async (trx) => {
    requireOpen(await requireLocked(trx, projectId, id));
    const lines = gathered.lines.map((line, i) => ({ ...line, number: i + 1 }));
    await updateValues(trx, id, lines, packErrors(gathered.errors));
    await updateDecisionRow(trx, id, {
      ...{ columns, computed: storedBoard(board, columns, row.settings, gathered.notes) },
      refreshes: [
        ...row.refreshes,
        { refreshed_at: new Date().toISOString(), refreshed_by: await nameOf(trx, call), runs },
      ],
    });
    await recordAuditEvent(trx, {
      ...{ action: 'decision.refreshed', actor: principal, organizationId, projectId, requestId },
      ...{ targetType: 'decision', targetId: id, details: { name: row.name, runs: runs.map(({ name }) => name) } },
    });
    await tell(trx, access, id);
    return await detailOf(trx, call, id);
  });
}

const nameOf = async (db: Queryable, { access, principal }: ProjectCall): Promise<string> =>
  (await readNames(db, access.projectId, principal.userId)).person;

/** Runs that came to the table, each with the one of its kind that was there before. */
function newRuns(before: readonly DecisionColumn[], after: readonly DecisionColumn[]): DecisionRefresh['runs'] {
  const isKnown = ({ run_id: run, sha256 }: DecisionColumn) =>
    before.some((one) => one.run_id === run && one.sha256 === sha256);
  const added = new Map(after.filter((column) => !isKnown(column)).map((column) => [column.run_id, column]));
  return [...added.values()].map(({ kind, run_id, run_name: name }) => ({
    ...{ kind, run_id, name },
    instead_of: before.find((column) => column.kind === kind)?.run_name ?? null,
  }));
}

export function requireOpen({ name, state }: Pick<Decision, 'name' | 'state'>): void {
  if (state === 'OPEN') return;
  throw new Problem('decisions/closed', `"${name}" is closed. Reopen it to change anything. Nothing was saved.`);
}

export async function deleteDecision(call: ProjectCall, { id }: Input<'deleteDecision'>): Promise<void> {
  const { services, access, principal, requestId } = call;
  const { projectId, organizationId } = access;
  const { created_by_id, name } = await requireDecision(services.db, projectId, id);
  requireOwn(access, principal, created_by_id);
  await services.db.transaction().execute(async (trx) => {
    await requireLocked(trx, projectId, id);
    await updateEntryDeleted(trx, 'decisions', projectId, id);
    await recordAuditEvent(trx, {
      ...{ action: 'decision.deleted', actor: principal, organizationId, projectId, requestId },
      ...{ targetType: 'decision', targetId: id, details: { name } },
    });
    await tell(trx, access, id);
  });
}

export async function getDecisionLines(
  { services: { db }, access: { projectId } }: ProjectCall,
  { id }: Input<'getDecisionLines'>,
): Promise<DecisionLines> {
  const row = await requireDecision(db, projectId, id);
  const lines = await listLines(db, id);
  const isHidden = row.settings.is_blind && row.state === 'OPEN';
  const stages = await readStages(
    db,
    projectId,
    lines.flatMap((line) => line.germplasm_id ?? []),
  );
  const stageOf = new Map([...stages].reverse().map((one) => [one.germplasm_id, one.stage]));
  const byColumn = (of: 'values' | 'ses' | 'reliabilities') =>
    row.columns.map((_, c) => lines.map((line) => line[of][c] ?? null));
  const { computed } = row;
  return {
    number: lines.map(({ number }) => number),
    name: lines.map(({ name }) => (isHidden ? null : name)),
    germplasm_id: lines.map((line) => (isHidden ? null : line.germplasm_id)),
    family: lines.map(({ family }) => (isHidden ? null : family)),
    is_check: lines.map(({ name }) => name === row.settings.check),
    stage: lines.map((line) => stageOf.get(line.germplasm_id ?? '') ?? null),
    ...{ values: byColumn('values'), ses: byColumn('ses'), reliabilities: byColumn('reliabilities') },
    ...{ index: computed.index, beats_check: computed.beatsCheck, beats_every: computed.beatsEvery },
    ...{ beats_every_error: computed.beatsEveryError, among_best: computed.amongBest },
    among_best_error: computed.amongBestError ?? 0,
  };
}

/** Open pages read the decision again. */
export const tell = (
  db: Queryable,
  { projectId, organizationId }: Pick<ProjectAccess, 'projectId' | 'organizationId'>,
  id: string,
): Promise<void> => publishEvent(db, { type: 'decision', id, project_id: projectId, organization_id: organizationId });

const nameTaken = <Result>(name: string, write: () => Promise<Result>): Promise<Result> =>
  orNameTaken(
    { index: 'decisions_name', detail: `The project has a decision "${name}" already. Choose another name.` },
    write,
  );
