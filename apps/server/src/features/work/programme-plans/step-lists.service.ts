import { MAX_MEMBERS } from '@heterosis/contracts/data/lists';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { programmePlansApi } from '@heterosis/contracts/endpoints/work/programme-plans';
import {
  PLAN_STEPS,
  type PlannedStep,
  type PlanStepKind,
  type ProgrammePlan,
  plannedSteps,
} from '@heterosis/contracts/work/programmes/programme-plans';
import type { Queryable } from '../../../platform/database/database.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { addLinesIn, type DescendedLine } from '../../data/germplasm/index.ts';
import { createListsIn, getList } from '../../data/lists/index.ts';
import { plannedCrosses } from '../crossing-plans/index.ts';
import { founderNames, type ProgrammeRow } from '../programmes/index.ts';
import { linesToCome, type Sources } from './lines-to-come.ts';
import { findPlanList } from './plan-lists.queries.ts';
import { listLinks, type PlanRow } from './programme-plans.queries.ts';
import { changed, linkWith, requirePlan, requireStep } from './programme-plans.service.ts';

type Input = InputOf<typeof programmePlansApi.keepStepList>;

/** `POST …/plan/steps/{step}/list`: parents, what is selected among, lines to come, or what a trial tests. */
export async function keepStepList(call: ProjectCall, { id, step, body }: Input): Promise<ProgrammePlan> {
  const { services, access, principal } = call;
  const before = await requirePlan(services.db, access.projectId, id);
  const planned = requireStep(before.row, step);
  const kinds: readonly string[] = PLAN_STEPS[planned.kind];
  if (!kinds.includes('list'))
    throw new Problem(
      'request/invalid',
      `Step ${step} has no list. Lists belong to crosses, new lines, trials and selections.`,
    );
  const makes = linesOf(before, planned);
  // Founders and crosses are read from files, which takes too long for a transaction.
  const sources = makes === undefined ? null : await sourcesOf(call, before, makes);
  const founders = makes === undefined ? await foundersOf(call, before, planned) : [];
  return await changed(call, id, async (trx, its) => {
    const { name: programme } = its.programme;
    const name = body.name ?? listName(programme, makes ?? planned);
    const kept = makes === undefined || makes === planned ? undefined : await findListOf(trx, call, its, [makes.step]);
    if (kept !== undefined) {
      await linkWith(trx, call, its, { step, kind: 'list', itemId: kept });
      return { step, linked: 'list', item: kept };
    }
    const lines = makes === undefined ? undefined : linesToCome(programme, makes, sources, body);
    const members = lines?.map((line) => line.name) ?? (await earlierMembers(trx, call, its, planned)) ?? founders;
    if (members.length === 0 || members.length > MAX_MEMBERS)
      throw new Problem(
        'lists/too-long',
        `A list has 1 to ${MAX_MEMBERS} names; this one would have ${members.length}.`,
      );
    if (lines !== undefined) await addLinesIn(trx, call, lines, name);
    else if (planned.kind === 'TRIAL' && planned.source === null)
      await addLinesIn(trx, call, members.map(lineOfUnknownParents), null);
    const [list = ''] = await createListsIn(trx, access, principal, [{ kind: 'germplasm', name, members }]);
    for (const of of new Set([makes?.step ?? step, step]))
      await linkWith(trx, call, its, { step: of, kind: 'list', itemId: list });
    return { step, linked: 'list', item: list };
  });
}

/** The step whose lines these are: its own, or those that a trial tests. */
function linesOf({ row }: Its, planned: PlannedStep): PlannedStep | undefined {
  if (planned.kind === 'LINES') return planned;
  if (planned.kind !== 'TRIAL' || planned.source === null) return undefined;
  const source = requireStep(row, planned.source);
  return source.kind === 'LINES' ? source : undefined;
}

const lineOfUnknownParents = (name: string): DescendedLine => ({
  ...{ name, mother: null, father: null, crossType: null, selfingGenerations: null },
});

/**
 * The crosses or plants that the lines of a step come from, as far as the step that makes them tells: by its crossing
 * plan, by the list of its parents in a circle, or by its own list. Null where they are not known.
 */
async function sourcesOf(call: ProjectCall, its: Its, { source }: PlannedStep): Promise<Sources | null> {
  const { services, access } = call;
  if (source === null) return null;
  const maker = requireStep(its.row, source);
  if (maker.kind === 'CROSSES') {
    const links = await listLinks(services.db, { projectId: access.projectId, programmeId: its.programme.id });
    const plan = links.findLast(({ step, kind, name }) => step === source && kind === 'crossing_plan' && name !== null);
    const crosses = plan === undefined ? [] : await plannedCrosses(services, access.projectId, plan.item_id);
    if (crosses.length > 0)
      return {
        parents: crosses.map(({ female, male }) => ({ mother: female, father: male })),
        planned: Math.max(1, maker.crosses),
      };
  }
  const list = await findListOf(services.db, call, its, [source]);
  if (list === undefined) return null;
  const { members } = await getList(call, { id: list });
  if (maker.kind !== 'CROSSES')
    return { parents: members.map((mother) => ({ mother, father: null })), planned: Math.max(1, maker.individuals) };
  const isCircle = 'plan' in maker.stage && maker.stage.plan === 'circular' && maker.stage.with === undefined;
  // A list of others than the scheme crosses is not its circle.
  if (!isCircle || members.length !== maker.crosses) return null;
  const parents = members.map((mother, i) => ({ mother, father: members[(i + 1) % members.length] ?? null }));
  return { parents, planned: maker.crosses };
}

const findListOf = (db: Queryable, { access }: ProjectCall, { programme }: Its, steps: readonly string[]) =>
  findPlanList(db, { projectId: access.projectId, programmeId: programme.id }, steps);

type Its = { programme: ProgrammeRow; row: PlanRow };

/** Those that the scheme names, otherwise all. */
async function foundersOf(call: ProjectCall, { programme, row }: Its, planned: PlannedStep): Promise<string[]> {
  const from = 'from' in planned.stage ? planned.stage.from : '';
  const named = row.scheme.start.find((stage) => stage.do === 'take' && stage.into === from);
  const individuals = named?.do === 'take' ? named.individuals : undefined;
  return individuals ?? (await founderNames(call.services, programme));
}

/** Of the list that an earlier step has; undefined where none has. */
async function earlierMembers(
  trx: Queryable,
  call: ProjectCall,
  its: Its,
  planned: PlannedStep,
): Promise<string[] | undefined> {
  const steps = plannedSteps(its.row.scheme, its.row.founders).map(({ step }) => step);
  const id = await findListOf(trx, call, its, steps.slice(0, steps.indexOf(planned.step)));
  return id === undefined ? undefined : (await getList({ services: { db: trx }, access: call.access }, { id })).members;
}

function labelOf({ kind, stage, cycle }: PlannedStep): string {
  const isMade = 'into' in stage && kind !== 'SELECTION';
  const population = isMade ? stage.into : 'from' in stage ? stage.from : stage.population;
  return `${cycle === 0 ? '' : `C${cycle} `}${population}`;
}

const listName = (programme: string, planned: PlannedStep): string =>
  `${programme.slice(0, 180)} ${labelOf(planned)}${LIST_WORD[planned.kind] ?? ''}`;

const LIST_WORD: Partial<Record<PlanStepKind, string>> = {
  CROSSES: ' parents',
  SELECTION: ' candidates',
  TRIAL: ' entries',
};
