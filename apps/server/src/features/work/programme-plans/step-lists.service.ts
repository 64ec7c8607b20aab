import { MAX_MEMBERS } from '@heterosis/contracts/data/lists';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { programmePlansApi } from '@heterosis/contracts/endpoints/work/programme-plans';
import {
  PLAN_STEPS,
  type PlannedStep,
  type ProgrammePlan,
  plannedSteps,
} from '@heterosis/contracts/work/programmes/programme-plans';
import type { Queryable } from '../../../platform/database/database.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { createListsIn, getList } from '../../data/lists/index.ts';
import { founderNames, type ProgrammeRow } from '../programmes/index.ts';
import { findPlanList } from './plan-lists.queries.ts';
import type { PlanRow } from './programme-plans.queries.ts';
import { changed, linkWith, requirePlan, requireStep } from './programme-plans.service.ts';

type Input = InputOf<typeof programmePlansApi.keepStepList>;

/** `POST …/plan/steps/{step}/list`: the parents of crosses, what is selected among, or names for the lines to come. */
export async function keepStepList(call: ProjectCall, { id, step, body }: Input): Promise<ProgrammePlan> {
  const { services, access, principal } = call;
  const before = await requirePlan(services.db, access.projectId, id);
  const planned = requireStep(before.row, step);
  const kinds: readonly string[] = PLAN_STEPS[planned.kind];
  if (!kinds.includes('list'))
    throw new Problem(
      'request/invalid',
      `Step ${step} has no list. Lists belong to crosses, new lines and selections.`,
    );
  // Founders are read from a file, which takes too long for a transaction.
  const founders = planned.kind === 'LINES' ? [] : await foundersOf(call, before, planned);
  return await changed(call, id, async (trx, its) => {
    const members =
      planned.kind === 'LINES'
        ? numberedNames(its.programme.name, planned)
        : ((await earlierMembers(trx, call, its, planned)) ?? founders);
    if (members.length === 0 || members.length > MAX_MEMBERS)
      throw new Problem(
        'lists/too-long',
        `A list has 1 to ${MAX_MEMBERS} names; this one would have ${members.length}.`,
      );
    const name = body.name ?? listName(its.programme.name, planned);
    const [list = ''] = await createListsIn(trx, access, principal, [{ kind: 'germplasm', name, members }]);
    await linkWith(trx, call, its, { step, kind: 'list', itemId: list });
    return { step, linked: 'list', item: list };
  });
}

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
  { access }: ProjectCall,
  { programme, row }: Its,
  planned: PlannedStep,
): Promise<string[] | undefined> {
  const steps = plannedSteps(row.scheme, row.founders);
  const earlier = steps.slice(
    0,
    steps.findIndex(({ step }) => step === planned.step),
  );
  const id = await findPlanList(
    trx,
    { projectId: access.projectId, programmeId: programme.id },
    earlier.map(({ step }) => step),
  );
  return id === undefined ? undefined : (await getList({ services: { db: trx }, access }, { id })).members;
}

const labelOf = ({ stage, cycle }: PlannedStep): string =>
  `${cycle === 0 ? '' : `C${cycle} `}${'into' in stage ? stage.into : 'from' in stage ? stage.from : stage.population}`;

const listName = (programme: string, planned: PlannedStep): string =>
  `${programme.slice(0, 180)} ${planned.kind === 'LINES' ? labelOf(planned) : `${labelOf(planned)} parents`}`;

/** As "Yield C1-0007": the lines do not exist yet, and trials of them can be laid out. */
function numberedNames(programme: string, { cycle, individuals }: PlannedStep): string[] {
  const digits = String(individuals).length;
  return Array.from(
    { length: Math.min(individuals, MAX_MEMBERS + 1) },
    (_, i) => `${programme.slice(0, 200)} C${cycle}-${String(i + 1).padStart(digits, '0')}`,
  );
}
