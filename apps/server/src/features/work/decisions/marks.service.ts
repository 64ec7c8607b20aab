import type { InputOf } from '@heterosis/contracts/endpoint';
import type { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import {
  type DecisionMarks,
  type LineOutcome,
  outcomesOf,
  type RecordedMarks,
} from '@heterosis/contracts/work/decisions';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type DecisionCounts, updateDecision } from './decisions.queries.ts';
import { requireChair, requireDecision, requireLocked, requireOpen, tell } from './decisions.service.ts';
import { countPeople, findMarks, insertMarks, listMarks as listMarkRows, listMarksOfLines } from './marks.queries.ts';

type Input<Name extends keyof typeof decisionsApi> = InputOf<(typeof decisionsApi)[Name]>;

/** `GET …/decisions/{id}/marks`. */
export async function listMarks(
  { services: { db }, access: { projectId } }: ProjectCall,
  { id, query: { after } }: Input<'listMarks'>,
): Promise<DecisionMarks> {
  const { version } = await requireDecision(db, projectId, id);
  return { version, data: await listMarkRows(db, id, after) };
}

/**
 * `POST …/decisions/{id}/marks`. The decision stays locked until the end: marks that several people send at once arrive
 * one after the other, so that places have no gaps that fill later.
 */
export async function recordMarks(call: ProjectCall, { id, body }: Input<'recordMarks'>): Promise<RecordedMarks> {
  const { services, access, principal } = call;
  const { marks, settles, version } = body;
  return await services.db.transaction().execute(async (trx) => {
    const decision = await requireLocked(trx, access.projectId, id);
    const stored = new Map(
      (
        await findMarks(
          trx,
          id,
          marks.map((one) => one.id),
        )
      ).map((one) => [one.id, one]),
    );
    const fresh = uniqueById(marks).filter((one) => !stored.has(one.id));
    // What is known already was stored when the decision was as its sender saw it.
    if (fresh.length === 0) return { recorded: 0, known: stored.size, last: decision.last_mark };
    requireOpen(decision);
    if (version !== decision.version)
      throw new Problem(
        'decisions/changed-meanwhile',
        `"${decision.name}" was closed and reopened meanwhile. Load it again, and repeat your marks. Nothing was saved.`,
      );
    if (settles) requireChair(call, decision.chair_id, 'settle a line');
    const unknown = fresh.find(({ line }) => line > decision.line_count);
    if (unknown !== undefined)
      throw new Problem(
        'request/invalid',
        `There is no line ${unknown.line} in this decision: it has ${decision.line_count}. Nothing was saved.`,
      );
    const lines = [...new Set(fresh.map(({ line }) => line))];
    const before = outcomesOf(await listMarksOfLines(trx, id, lines));
    const last = decision.last_mark + fresh.length;
    const inserted = { decisionId: id, version, personId: principal.userId, settles, after: decision.last_mark };
    await insertMarks(trx, inserted, fresh);
    const after = outcomesOf(await listMarksOfLines(trx, id, lines));
    await updateDecision(trx, id, {
      ...{ last_mark: last, counts: changedCounts(decision.counts, lines, before, after) },
      people: await countPeople(trx, id),
    });
    await tell(trx, access, id);
    return { recorded: fresh.length, known: stored.size, last };
  });
}

const uniqueById = <Mark extends { id: string }>(marks: readonly Mark[]): Mark[] => [
  ...new Map(marks.map((one) => [one.id, one])).values(),
];

/** The counts after some lines have changed. */
function changedCounts(
  counts: DecisionCounts,
  lines: readonly number[],
  before: ReadonlyMap<number, LineOutcome>,
  after: ReadonlyMap<number, LineOutcome>,
): DecisionCounts {
  const changed = { ...counts };
  for (const line of lines) {
    const [was, is] = [before.get(line), after.get(line)];
    changed[was?.mark ?? 'UNDECIDED']--;
    changed[is?.mark ?? 'UNDECIDED']++;
    changed.disagreed += Number(is?.isDisagreed ?? false) - Number(was?.isDisagreed ?? false);
  }
  return changed;
}
