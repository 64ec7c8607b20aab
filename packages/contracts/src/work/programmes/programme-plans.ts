// What the stages of a simulated programme are in the field, when they are due, and what the project has of each.
import * as z from 'zod';
import { givenDay, id, name, timestamp, withoutControls } from '../../common.ts';
import { MAX_MEMBERS } from '../../data/lists.ts';
import type { RunKind } from '../run-kinds.ts';
import type { ProgrammeScheme, ProgrammeStage } from './programme-schemes.ts';
import { schemeSizes } from './programme-sizes.ts';

/** What a person does in a season, and what the project may have of it. */
export const PLAN_STEPS = {
  CROSSES: ['crossing_plan', 'stacking_plan', 'list'],
  LINES: ['list'],
  GENOTYPES: ['file'],
  TRIAL: ['trial', 'trial_analysis', 'list'],
  MODEL: ['model'],
  PREDICTION: ['prediction'],
  SELECTION: ['decision', 'list'],
} as const satisfies Record<string, readonly ('list' | 'file' | 'trial' | 'decision' | RunKind)[]>;
export type PlanStepKind = keyof typeof PLAN_STEPS;

/** Things of a project that a step can have. */
export type PlannedThing = (typeof PLAN_STEPS)[PlanStepKind][number];
export const PLANNED_THINGS: readonly PlannedThing[] = [...new Set(Object.values(PLAN_STEPS).flat())];

/** Stages that nobody does in the field are none. */
const KIND_OF_STAGE: Partial<Record<ProgrammeStage['do'], PlanStepKind>> = {
  cross: 'CROSSES',
  backcross: 'CROSSES',
  self: 'LINES',
  dh: 'LINES',
  genotype: 'GENOTYPES',
  phenotype: 'TRIAL',
  testcross: 'TRIAL',
  train: 'MODEL',
  predict: 'PREDICTION',
  select: 'SELECTION',
  release: 'SELECTION',
};

/** Cycles that a plan looks ahead. */
export const PLANNED_CYCLES = 10;
/** Most things of one step. */
export const MAX_STEP_LINKS = 100;

export const stepState = z.enum(['PLANNED', 'DONE', 'SKIPPED']);
export type StepState = z.infer<typeof stepState>;

/** As `start.2`, `1.4` (the fifth stage of the first cycle) or `end.0`. */
export const stepKey = z
  .string()
  .regex(/^(?:start|end|[1-9]\d{0,2})\.\d{1,3}$/, 'A step is named as start.0, 1.4 or end.2')
  .describe('List or cycle and place of the stage, from 0: `start.2`, `1.4`, `end.0`.');

const date = z.iso.date();

/** A step as its scheme says it. */
export interface PlannedStep {
  step: string;
  kind: PlanStepKind;
  stage: ProgrammeStage;
  /** The step that makes what this one begins with; null for the founders. */
  source: string | null;
  cycle: number;
  /** Years from the beginning of the programme to its begin and end. */
  begins: number;
  ends: number;
  from: number;
  individuals: number;
  crosses: number;
  plots: number;
  cost: number;
}

/** The steps of a scheme in the order of time. @param founders how many there are */
export function plannedSteps(scheme: ProgrammeScheme, founders: number): PlannedStep[] {
  const { stages, years } = schemeSizes(scheme, founders);
  const cycles = Math.min(scheme.cycles, PLANNED_CYCLES);
  const madeBy = new Map<string, string | null>();
  const of = (list: 'start' | 'cycle' | 'end', cycle: number, after: number): PlannedStep[] =>
    stages
      .filter((one) => one.list === list)
      .flatMap(({ stage, index, begins, ends, from, individuals, crosses, plots, cost }) => {
        const kind = KIND_OF_STAGE[stage.do];
        const step = `${list === 'cycle' ? cycle : list}.${index}`;
        const source = madeBy.get('from' in stage ? stage.from : stage.population) ?? null;
        if ('into' in stage) madeBy.set(stage.into, kind === undefined ? source : step);
        if (kind === undefined) return [];
        const size = { from, individuals, crosses, plots, cost };
        return [{ step, kind, stage, source, cycle, begins: after + begins, ends: after + ends, ...size }];
      });
  return [
    ...of('start', 0, 0),
    ...Array.from({ length: cycles }, (_, c) => of('cycle', c + 1, years.start + c * years.cycle)).flat(),
    ...(cycles < scheme.cycles ? [] : of('end', cycles + 1, years.start + cycles * years.cycle)),
  ];
}

const MONTHS = 12;

/** So many years after a day, to the month; the last day of a month that has no such day. */
function dayAfter(startsOn: string, years: number): Date {
  const [year = 0, month = 1, day = 1] = startsOn.split('-').map(Number);
  const months = month - 1 + Math.round(years * MONTHS);
  const lastDay = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, months, Math.min(day, lastDay)));
}

/**
 * When each step is due: so many years after the beginning. A date that a person has set holds, and moves what comes
 * after it by as much.
 *
 * @param startsOn as 2027-03-01
 * @param dates of steps, those that a person has set
 */
export function dueDates(
  steps: readonly Pick<PlannedStep, 'step' | 'ends'>[],
  startsOn: string,
  dates: ReadonlyMap<string, string>,
): Map<string, string> {
  let shift = 0;
  return new Map(
    steps.map(({ step, ends }) => {
      const planned = dayAfter(startsOn, ends).getTime();
      const own = dates.get(step);
      if (own !== undefined) shift = Date.parse(own) - planned;
      return [step, new Date(planned + shift).toISOString().slice(0, 10)];
    }),
  );
}

const link = z
  .object({
    id,
    kind: z.enum(PLANNED_THINGS),
    item_id: id,
    name: z.string().nullable().describe('Null where it was deleted.'),
    status: z
      .string()
      .nullable()
      .describe('State of a run, of a trial (DRAFT, SOWN, CLOSED) or of a decision (OPEN, CLOSED); null of others.'),
    list_id: id.nullable().describe('Of the list of lines that it is, or that a closed decision gave.'),
    linked_by: z.string().nullable(),
    linked_at: timestamp,
  })
  .meta({ id: 'ProgrammeStepLink' });
export type ProgrammeStepLink = z.infer<typeof link>;

const planStep = z
  .object({
    step: stepKey,
    kind: z.enum(Object.keys(PLAN_STEPS) as [PlanStepKind, ...PlanStepKind[]]),
    stage: z.string().describe('What the scheme calls it, or what it does.'),
    population: z.string().describe('Population of the scheme that it treats or makes.'),
    source: stepKey.nullable().describe('The step that makes what this one begins with; null for the founders.'),
    cycle: z.number().int().describe('0 before the first cycle.'),
    year: z.number().describe('Since the beginning, when it ends.'),
    due_on: date,
    is_own_date: z.boolean().describe('A person has set the date.'),
    individuals: z.number().int(),
    crosses: z.number().int(),
    environments: z.number().int().nullable().describe('Of a trial.'),
    replicates: z.number().int().nullable().describe('Of a trial, in each environment.'),
    plots: z.number().int(),
    cost: z.number(),
    state: stepState,
    note: z.string(),
    links: z.array(link),
  })
  .meta({ id: 'ProgrammePlanStep' });
export type ProgrammePlanStep = z.infer<typeof planStep>;

export const programmePlan = z
  .object({
    scheme: z.string().describe('Name of the scheme.'),
    starts_on: date,
    trait: z.string().describe('Trait 1 of the programme, of which gains are.'),
    cycles: z.number().int().describe('Of the scheme; a plan looks ten ahead.'),
    steps: z.array(planStep).describe('In the order of time.'),
    started_by: z.string().nullable(),
    started_at: timestamp,
  })
  .meta({ id: 'ProgrammePlan' });
export type ProgrammePlan = z.infer<typeof programmePlan>;

/** `GET …/programmes/{id}/plan`. */
export const programmePlanAnswer = z.object({ plan: programmePlan.nullable().describe('Null before it is started.') });

export const startPlanBody = z.object({
  scheme: z
    .int()
    .min(0)
    .max(100)
    .default(0)
    .describe('Place of the scheme in the request of the programme. Of a search: the scheme with its best numbers.'),
  starts_on: givenDay.describe('First day of the first season.'),
});
export const updatePlanBody = z.object({ starts_on: givenDay });

/** Absent fields stay unchanged. */
export const updateStepBody = z.object({
  state: stepState.optional(),
  due_on: givenDay.nullable().optional().describe('Null: as the scheme says.'),
  note: z.string().trim().max(1000).refine(withoutControls, 'Control characters are not allowed').optional(),
});

export const linkStepBody = z.object({ kind: z.enum(PLANNED_THINGS), id: id.describe('Of the thing.') });

export const stepListBody = z.object({
  name: name.optional().describe('Of the list; absent: name of the programme, cycle and population.'),
  line_names: name
    .optional()
    .describe(
      'Of new lines: template of their names, with {number} through all, {cross} (or the plant that they come from) and {line} within it; {number:3} pads with zeros. Absent: name of the programme, cycle and number.',
    ),
  lines_each: z
    .int()
    .min(1)
    .max(MAX_MEMBERS)
    .optional()
    .describe('New lines of each cross, or of each plant that they come from. Absent: as the scheme says.'),
});

/** The template of names that lines of a step have unless another is given, as "Yield C1-{number:3}". */
export const lineNames = (programme: string, { cycle, individuals }: { cycle: number; individuals: number }): string =>
  `${programme.slice(0, 200)} C${cycle}-{number:${Math.min(9, String(individuals).length)}}`;

const gain = z.object({
  what: z
    .enum(['SELECTION', 'SINCE_FOUNDERS'])
    .describe(
      'SELECTION: mean of the selected less mean of the candidates. SINCE_FOUNDERS: mean less that of the founders.',
    ),
  mean: z.number(),
  low: z.number().describe('The 5 % quantile over replicates.'),
  high: z.number(),
  replicates: z.number().int(),
});

/** `GET …/programmes/{id}/plan/outcome`: what the simulation expects of the steps, and what came of them. */
export const planOutcome = z
  .object({
    trait: z.string(),
    unit: z.string().nullable(),
    steps: z.array(
      z.object({
        step: stepKey,
        cycle: z.number().int(),
        year: z.number(),
        expected: gain.nullable().describe('Null where the scheme measures nothing there.'),
        realised: z
          .array(
            z.object({
              kind: z.enum(['decision', 'trial_analysis']),
              item_id: id,
              name: z.string(),
              what: gain.shape.what,
              value: z.number().nullable().describe('Null where too little is known yet; `missing` says what.'),
              lines: z.number().int().describe('Lines with a value that it is of.'),
              others: z.number().int().describe('Candidates that were not selected, or founders.'),
              missing: z.string().nullable(),
            }),
          )
          .describe('One for each linked decision or trial analysis.'),
      }),
    ),
  })
  .meta({ id: 'ProgrammePlanOutcome' });
export type PlanOutcome = z.infer<typeof planOutcome>;
