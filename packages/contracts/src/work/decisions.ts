import * as z from 'zod';
import { description, id, name, pageQuery, reference, timestamp, trait, withoutControls } from '../common.ts';
import { PLAN_OPTIONS } from '../options/crossing.ts';
import { decidedKinds } from './run-kinds.ts';

/** Most candidates of a decision, most traits on the table, and most marks of one request. */
export const MAX_CANDIDATES = 2_000;
export const MAX_DECIDED_TRAITS = 12;
export const MAX_MARKS = 2_000;

export const decisionMarkValue = z.enum(['ADVANCE', 'HOLD', 'DROP', 'UNDECIDED']);
export type DecisionMarkValue = z.infer<typeof decisionMarkValue>;

/** What a decision may begin with: its lines are the candidates. */
export const decisionSourceKind = z.enum(['list', ...decidedKinds]);

const line = z.string().min(1).max(255);
const ofTraits = z
  .record(trait, z.number().min(-1e12).max(1e12))
  .refine((values) => Object.keys(values).length <= MAX_DECIDED_TRAITS, `At most ${MAX_DECIDED_TRAITS} traits`)
  .meta({ maxProperties: MAX_DECIDED_TRAITS });
const text = (most: number) =>
  z.string().trim().max(most).refine(withoutControls, 'Control characters are not allowed');

/** How the numbers on the table are weighed, and what the closed decision does. */
export const decisionSettings = z.strictObject({
  check: line
    .nullable()
    .default(null)
    .describe('The line to be beaten; it stands among the candidates or beside them.'),
  best: z.number().int().min(1).max(MAX_CANDIDATES).default(10).describe('n of the true best n.'),
  index_method: z.enum(PLAN_OPTIONS.index_method.choices).default('base').describe(PLAN_OPTIONS.index_method.about),
  weights: ofTraits
    .default({})
    .describe('Trait → weight, or desired gain; empty: the weights of the project over the standard deviations.'),
  kept_traits: z.array(trait).max(MAX_DECIDED_TRAITS).default([]).describe('Traits that shall not change.'),
  error_correlation: z
    .enum(['as_values', 'none'])
    .default('as_values')
    .describe(
      'Correlation of the errors of traits: that of the genetic covariances of the model that predicted the traits together, otherwise that of the values on the table; or none.',
    ),
  is_blind: z.boolean().default(false).describe('Names are hidden until the decision is closed.'),
  stages: z
    .strictObject({
      ADVANCE: text(100).min(1).default('Advanced'),
      HOLD: text(100).min(1).default('On hold'),
      DROP: text(100).min(1).default('Dropped'),
    })
    .prefault({})
    .describe('Stage that lines of each mark reach when the decision is closed.'),
  plots_per_line: z.number().int().min(0).max(10_000).default(4).describe('Plots that an advanced line costs.'),
  seed_per_plot: z.number().min(0).max(1e6).default(0).describe('Grams of seed a plot; 0: not counted.'),
});
export type DecisionSettings = z.output<typeof decisionSettings>;

/** Where values on the table come from: a run as it was, pinned by the hash of its result. */
export const decisionColumn = z
  .object({
    trait,
    unit: z.string().nullable(),
    kind: z.enum(decidedKinds),
    run_id: id,
    run_name: z.string(),
    run_at: timestamp,
    sha256: z.string().describe('Of the table of results.'),
    what: z.string().describe('What its values are.'),
    is_higher_better: z.boolean(),
    in_index: z.boolean().describe('The index and the probabilities rest on it.'),
    has_error_covariance: z
      .boolean()
      .optional()
      .describe(
        'The errors of two lines are known to vary together as its analysis says; otherwise that counts as 0. Absent in decisions of before 1.3.',
      ),
    genetic_covariance: z
      .record(z.string(), z.number())
      .nullable()
      .optional()
      .describe(
        'Trait → genetic covariance with it, where one model predicted the traits together: the index and the correlation of errors rest on it. Absent in decisions of before 1.3.',
      ),
    weight: z.number().nullable().describe('In the index, per unit; null outside of it.'),
    gain: z
      .number()
      .nullable()
      .describe('Expected gain per unit of selection intensity on the index; null outside of it.'),
  })
  .meta({ id: 'DecisionColumn' });
export type DecisionColumn = z.infer<typeof decisionColumn>;

const counts = z.object({
  ADVANCE: z.number().int(),
  HOLD: z.number().int(),
  DROP: z.number().int(),
  UNDECIDED: z.number().int(),
  disagreed: z.number().int().describe('People have marked them differently, and the chair has not settled them.'),
});

export const decision = z
  .object({
    id,
    project_id: id,
    name: z.string(),
    state: z.enum(['OPEN', 'CLOSED']),
    version: z.number().int().describe('Rises when it is reopened.'),
    line_count: z.number().int(),
    counts,
    people: z.number().int().describe('Who have marked.'),
    list: reference.nullable().describe('The advanced lines, once it is closed; null when the list was deleted.'),
    chair: z.string().nullable(),
    chair_id: id.nullable(),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
    closed_at: timestamp.nullable(),
  })
  .meta({ id: 'Decision' });
export type Decision = z.infer<typeof decision>;

const decisionRefresh = z.object({
  refreshed_at: timestamp,
  refreshed_by: z.string(),
  runs: z.array(
    z.object({
      kind: z.enum(decidedKinds),
      run_id: id,
      name: z.string(),
      instead_of: z.string().nullable().describe('Name of the run of this kind that was on the table before.'),
    }),
  ),
});
export type DecisionRefresh = z.infer<typeof decisionRefresh>;

export const decisionDetail = decision
  .extend({
    description: z.string().nullable(),
    source: z.object({ kind: decisionSourceKind, id, name: z.string() }),
    settings: decisionSettings,
    columns: z.array(decisionColumn),
    notes: z.array(z.string()).describe('What the numbers on the table ignore, and how surely they are known.'),
    refreshes: z.array(decisionRefresh).describe('When newer runs came to the table, the first first.'),
    versions: z.array(
      z.object({
        version: z.number().int(),
        closed_by: z.string().nullable(),
        closed_at: timestamp,
        reopened_reason: z.string().nullable(),
      }),
    ),
    may_chair: z.boolean().describe('Whether the caller may settle, change settings, close and reopen.'),
  })
  .meta({ id: 'DecisionDetail' });
export type DecisionDetail = z.infer<typeof decisionDetail>;

const figures = z.array(z.number().nullable());

/** The candidates as columns of one length, in the order of their numbers. */
export const decisionLines = z
  .object({
    number: z.array(z.number().int()).describe('From 1; marks name a line by it.'),
    name: z.array(z.string().nullable()).describe('Null in a blind decision that is open.'),
    germplasm_id: z.array(id.nullable()),
    family: z.array(z.string().nullable()).describe('Its parents, otherwise its collection.'),
    is_check: z.array(z.boolean()),
    stage: z.array(z.string().nullable()).describe('That an earlier decision gave it.'),
    values: z.array(figures).describe('By column of the decision, then by line.'),
    ses: z.array(figures).describe('Root of the prediction error variance.'),
    reliabilities: z.array(figures),
    index: figures,
    beats_check: figures.describe('Probability that it beats the check on the index.'),
    beats_every: figures.describe('Probability that it beats the check in every trait of the index.'),
    beats_every_error: z.number().describe('Largest error of these: three standard errors; 0 where they are exact.'),
    among_best: figures.describe('Probability that it is among the true best n on the index.'),
    among_best_error: z.number().describe('Largest error of these: three standard errors; 0 where they are exact.'),
  })
  .meta({ id: 'DecisionLines' });
export type DecisionLines = z.infer<typeof decisionLines>;

export const listDecisionsQuery = pageQuery.extend({
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
});

export const createDecisionBody = z.object({
  name,
  description: description.nullable().optional(),
  source: z.object({ kind: decisionSourceKind, id }),
  traits: z
    .array(trait)
    .min(1)
    .max(MAX_DECIDED_TRAITS)
    .optional()
    .describe('Absent: the first traits of the runs that are on the table.'),
  settings: decisionSettings.prefault({}),
});

/** Absent fields stay unchanged; only the chair and managers of the project change settings and the chair. */
export const updateDecisionBody = z.object({
  name: name.optional(),
  description: description.nullable().optional(),
  chair_id: id.optional(),
  settings: decisionSettings.optional(),
});

const reason = text(1_000);
const newMark = z.object({
  id: id.describe('Made by the client, a UUID: what is sent again under it is not stored twice.'),
  line: z.number().int().min(1).max(MAX_CANDIDATES).describe('Number of the line.'),
  mark: decisionMarkValue,
  reason: reason.default(''),
  marked_at: timestamp.describe('Of several marks of a person for a line the last counts.'),
});
export type NewMark = z.output<typeof newMark>;

export const recordMarksBody = z.object({
  marks: z.array(newMark).min(1, 'There is nothing to record').max(MAX_MARKS),
  settles: z.boolean().default(false).describe('As the chair: these count, whatever others marked.'),
  version: z.number().int().describe('The version that the caller sees: a mark is for no other.'),
});

export const recordedMarks = z
  .object({
    recorded: z.number().int().describe('Stored by this request.'),
    known: z.number().int().describe('Stored before under the same ids.'),
    last: z.number().int().describe('Place of the last mark of the decision.'),
  })
  .meta({ id: 'RecordedMarks' });
export type RecordedMarks = z.infer<typeof recordedMarks>;

export const decisionMark = z
  .object({
    place: z.number().int().describe('In the order of arrival; no two have the same.'),
    id,
    line: z.number().int(),
    mark: decisionMarkValue,
    reason: z.string(),
    settles: z.boolean(),
    person_id: id.nullable(),
    person: z.string().nullable(),
    marked_at: timestamp,
  })
  .meta({ id: 'DecisionMark' });
export type DecisionMark = z.infer<typeof decisionMark>;

/** `GET …/decisions/{id}/marks`. */
export const listMarksQuery = z.object({
  after: z.coerce.number().int().min(0).default(0).describe('Only those of a later place.'),
});
export const decisionMarks = z
  .object({
    version: z.number().int(),
    data: z.array(decisionMark).describe('In the order of arrival, of this version; at most 20,000 at a time.'),
  })
  .meta({ id: 'DecisionMarks' });
export type DecisionMarks = z.infer<typeof decisionMarks>;
export const MARKS_AT_ONCE = 20_000;

export const closeDecisionBody = z.object({
  version: z.number().int(),
  list_name: name.optional().describe('Of the list of advanced lines; absent: the name of the decision.'),
  last_mark: z.number().int().min(0).optional().describe('Refuse if a mark has arrived after this place.'),
});
export const reopenDecisionBody = z.object({ reason: reason.min(1, 'Say why') });

/** `GET …/decisions/{id}/minutes`, and its report. */
export const minutesQuery = z.object({
  version: z.coerce.number().int().min(1).optional().describe('Absent: the last one that was closed.'),
});

const figure = z.number().nullable();

/** `GET …/decisions/{id}/set`: what the lines that are to advance are together. */
export const decisionSet = z
  .object({
    lines: z.number().int(),
    coancestry: figure.describe('Group coancestry from the pedigree of the germplasm list; null without parents.'),
    status_number: figure.describe('1/(2 · coancestry).'),
    families: z
      .number()
      .int()
      .nullable()
      .describe('A line of no known family counts as one of its own; null where none is known.'),
    effective_families: figure.describe('1/Σp² of the shares p of the families.'),
    all: z.object({
      coancestry: figure,
      status_number: figure,
      families: z.number().int().nullable(),
      effective_families: figure,
    }),
    gains: z.array(figure).describe('By column: mean of the set less mean of the candidates.'),
    index_gain: figure,
    plots: z.number().int(),
    seed_g: figure.describe('Null while seed is not counted.'),
  })
  .meta({ id: 'DecisionSet' });
export type DecisionSet = z.infer<typeof decisionSet>;

/** `GET …/decisions/{id}/outcome`: what came of a closed decision, by the newest trial analysis since. */
export const decisionOutcome = z
  .object({
    run: reference.nullable().describe('The trial analysis; null while there is none since.'),
    run_at: timestamp.nullable(),
    traits: z.array(
      z.object({
        trait,
        unit: z.string().nullable(),
        advanced: z.number().int().describe('Advanced lines with a value since.'),
        others: z.number().int(),
        expected_gain: figure,
        realized_gain: figure,
        accuracy: figure.describe('Correlation of the values then with those since.'),
        regret: figure.describe('What the best as many would have had above the advanced, of the values since.'),
        check_since: figure,
        regretted: z.array(z.string()).describe('Lines that did not advance and are better than the check since.'),
        lines: z.array(
          z.object({ name: z.string(), mark: decisionMarkValue, before: figure, since: figure, since_se: figure }),
        ),
      }),
    ),
  })
  .meta({ id: 'DecisionOutcome' });
export type DecisionOutcome = z.infer<typeof decisionOutcome>;

/** How a line stands: from the chair, otherwise from those who agree. */
export interface LineOutcome {
  mark: DecisionMarkValue;
  isSettled: boolean;
  /** Marks of people differ, and nobody has settled them. */
  isDisagreed: boolean;
  /** The last mark of each person who has marked the line, the latest first. */
  marks: DecisionMark[];
  settlement: DecisionMark | undefined;
}

/**
 * What the marks of a version come to, by number of line. Of each person the mark with the latest `marked_at` counts
 * (of equals the one that arrived later), of the chair's settlements likewise. Who is undecided disagrees
 * with nobody.
 */
export function outcomesOf(marks: readonly DecisionMark[]): Map<number, LineOutcome> {
  const byLine = new Map<number, Map<string, DecisionMark>>();
  for (const mark of marks) {
    const of = byLine.get(mark.line) ?? new Map<string, DecisionMark>();
    byLine.set(mark.line, of);
    const key = mark.settles ? 'chair' : (mark.person_id ?? `gone ${mark.person ?? ''}`);
    const before = of.get(key);
    if (before === undefined || isLater(mark, before)) of.set(key, mark);
  }
  return new Map([...byLine].map(([number, of]) => [number, outcomeOfLine([...of.values()])]));
}

const isLater = (one: DecisionMark, before: DecisionMark): boolean => {
  const difference = Date.parse(one.marked_at) - Date.parse(before.marked_at);
  return difference > 0 || (difference === 0 && one.place > before.place);
};

function outcomeOfLine(last: DecisionMark[]): LineOutcome {
  const settlement = last.find(({ settles }) => settles);
  const marks = last.filter(({ settles }) => !settles).sort((a, b) => (isLater(a, b) ? -1 : 1));
  const said = new Set(marks.flatMap(({ mark }) => (mark === 'UNDECIDED' ? [] : [mark])));
  // A settlement that was taken back leaves the line to the marks.
  const isSettled = settlement !== undefined && settlement.mark !== 'UNDECIDED';
  const [only = 'UNDECIDED'] = said.size === 1 ? said : [];
  return {
    mark: isSettled ? settlement.mark : only,
    isSettled,
    isDisagreed: !isSettled && said.size > 1,
    marks,
    settlement,
  };
}
