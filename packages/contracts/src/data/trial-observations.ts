import * as z from 'zod';
import { id, timestamp, trait, withoutControls } from '../common.ts';
import { observationOrigin, observationState } from './trials.ts';

/** Most values of one request. */
export const MAX_OBSERVATIONS = 5_000;

const plot = z.number().int().min(1).describe('Number of the plot.');
const reason = z.string().trim().min(1, 'Say why').max(1_000);

/** A value of a trait on a plot. */
export const trialObservation = z
  .object({
    id: id.describe('Made by whoever observed it.'),
    plot,
    trait: z.string(),
    value: z.string().nullable().describe('Null: nothing could be observed.'),
    observed_at: timestamp,
    collector: z.string().nullable().describe('Who observed it.'),
    origin: observationOrigin,
    corrects: z.array(id).describe('Observations that it replaces.'),
    is_current: z.boolean().describe('Nothing replaces it.'),
    state: observationState,
    reason: z.string().nullable().describe('Why it was set aside, or kept again.'),
    judged_by: z.string().nullable().describe('Who set it aside, or kept it again.'),
    judged_at: timestamp.nullable(),
    created_by: z.string().nullable().describe('Whose account sent it.'),
    created_at: timestamp.describe('When it arrived.'),
  })
  .meta({ id: 'TrialObservation' });
export type TrialObservation = z.infer<typeof trialObservation>;

const newObservation = z.object({
  id: id.describe('Made by the client, a UUID: what is sent again under it is not stored twice.'),
  plot,
  trait: trait.describe('A name of the list of traits of the project.'),
  value: z
    .union([z.string().max(1_000), z.number().min(-1e15).max(1e15)])
    .nullable()
    .describe('Null, "NA" and empty text: nothing could be observed.'),
  observed_at: timestamp,
  collector: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .refine(withoutControls, 'Control characters are not allowed')
    .nullable()
    .optional()
    .describe('Who observed it. Default: who sends it.'),
  corrects: z
    .array(id)
    .max(20)
    .default([])
    .describe('Observations of the same plot and trait that the author saw and replaces.'),
});
export type NewTrialObservation = z.output<typeof newObservation>;

/** All or none. Those that are stored already, by their ids, stay as they are. */
export const recordObservationsBody = z.object({
  observations: z
    .array(newObservation)
    .min(1, 'There is nothing to record')
    .max(MAX_OBSERVATIONS, `One request takes at most ${MAX_OBSERVATIONS} values`),
  origin: z.enum(['TYPED', 'FILE']).default('TYPED'),
});

const cell = z.object({ plot, trait: z.string() });

export const recordedObservations = z
  .object({
    recorded: z.number().int().describe('Stored by this request.'),
    known: z.number().int().describe('Stored before under the same ids.'),
    conflicts: z.array(cell).describe('Plots and traits of the request that now have several different values.'),
  })
  .meta({ id: 'RecordedObservations' });
export type RecordedObservations = z.infer<typeof recordedObservations>;

/** Why a value was refused: in `details.errors` of `trials/values-refused`. */
export interface RefusedObservation {
  /** Place in the request. */
  index: number;
  id: string;
  plot: number;
  trait: string;
  code: 'unknown-plot' | 'unknown-trait' | 'not-planted' | 'misfit' | 'id-reused' | 'corrects-other';
  message: string;
}

export const listObservationsQuery = z.object({ trait });

/** `GET …/trials/{id}/observations`: what counts of a trait, as columns of one length, in the order of plots. */
export const observationsOfTrait = z
  .object({
    trait: z.string(),
    revision: z.number().int().describe('Rises with every write of values of the trial.'),
    id: z.array(id),
    plot: z.array(z.number().int()),
    value: z.array(z.string().nullable()),
    observed_at: z.array(timestamp),
    collector: z.array(z.string().nullable()),
    origin: z.array(observationOrigin),
    state: z.array(observationState),
    reason: z.array(z.string().nullable()),
    corrected: z.array(z.boolean()).describe('It replaces another value: the history of the plot has both.'),
    conflict: z.array(z.boolean()).describe('The plot has several different values of which none replaces another.'),
  })
  .meta({ id: 'ObservationsOfTrait' });
export type ObservationsOfTrait = z.infer<typeof observationsOfTrait>;

export const plotHistory = z
  .object({ data: z.array(trialObservation).describe('The latest first, replaced ones among them.') })
  .meta({ id: 'PlotHistory' });

const observationIds = z.array(id).min(1).max(MAX_OBSERVATIONS);
export const setAsideBody = z.object({ observations: observationIds, reason });
export const keepBody = z.object({ observations: observationIds, reason: reason.optional() });
export const judgedObservations = z
  .object({ changed: z.number().int().describe('Those that were in the other state.') })
  .meta({ id: 'JudgedObservations' });

const counts = {
  values: z.number().int().describe('Plots with a value that is kept.'),
  missing: z.number().int().describe('Plots of which somebody noted that nothing could be observed.'),
};

/** How far a trial is collected. */
export const trialCompleteness = z
  .object({
    planted: z.number().int().describe('Plots of entries and checks.'),
    revision: z.number().int(),
    traits: z.array(
      z.object({
        trait: z.string(),
        ...counts,
        set_aside: z.number().int(),
        conflicts: z.number().int().describe('Plots with several different values.'),
        waiting: z.number().int().describe('Plots with a value that a client sent and nobody has accepted yet.'),
        first_at: timestamp.nullable(),
        last_at: timestamp.nullable(),
      }),
    ),
    days: z.array(
      z.object({
        day: z.iso.date().describe('In UTC.'),
        trait: z.string(),
        collector: z.string().nullable(),
        values: z.number().int(),
      }),
    ),
  })
  .meta({ id: 'TrialCompleteness' });
export type TrialCompleteness = z.infer<typeof trialCompleteness>;

/** One open question: a plot whose trait has several values of which none replaces another. */
export const trialConflict = cell.extend({ observations: z.array(trialObservation) }).meta({ id: 'TrialConflict' });
export type TrialConflict = z.infer<typeof trialConflict>;

export const trialConflicts = z
  .object({
    total: z.number().int(),
    data: z.array(trialConflict).describe('The first 500.'),
  })
  .meta({ id: 'TrialConflicts' });

/** A value that a client sent and that waits, beside what the plot has. */
const stagedObservation = trialObservation
  .pick({ id: true, plot: true, trait: true, value: true, observed_at: true, collector: true, created_by: true })
  .extend({
    created_at: timestamp.describe('When it arrived.'),
    present: z
      .array(trialObservation.pick({ value: true, state: true, observed_at: true, collector: true }))
      .describe('Values that the plot has of the trait; none: it is the first.'),
  })
  .meta({ id: 'StagedObservation' });
export type StagedObservation = z.infer<typeof stagedObservation>;

export const stagedObservations = z
  .object({
    total: z.number().int(),
    data: z.array(stagedObservation).describe('The first 2,000, by plot and trait.'),
  })
  .meta({ id: 'StagedObservations' });

/** An accepted value counts, and other values of the same plot and trait are set aside. */
export const settleStagedBody = z
  .object({
    accept: z.array(id).max(MAX_OBSERVATIONS).default([]),
    decline: z.array(id).max(MAX_OBSERVATIONS).default([]).describe('They stay in the history of their plots.'),
    reason: reason.optional(),
  })
  .refine(({ accept, decline }) => accept.length + decline.length > 0, 'There is nothing to decide');

/** The other values of the same plots and traits are set aside. */
export const settleConflictsBody = z.object({
  keep: observationIds.describe('One observation for each question that is settled.'),
  reason: reason.default('Another value of the same plot was kept'),
});
