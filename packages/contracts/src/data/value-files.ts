import * as z from 'zod';
import { givenDay, id, timestamp, trait, withoutControls } from '../common.ts';
import { observationOrigin, observationState } from './trials.ts';

/** Bytes of the largest file of values. */
export const MAX_VALUE_FILE = 10 * 2 ** 20;
/** Rows of each kind that a review lists; counts are of all. */
export const MAX_REVIEWED = 500;
/** Differences that a review lists, and that may be decided one by one. */
export const MAX_DIFFERENCES = 2_000;

const cell = { trial_id: id, plot: z.number().int(), trait: z.string() };

/** What a person says of a file of values, where the file does not say it or differs from the trial. */
export const valueFileChoices = z.object({
  traits: z
    .record(z.string().max(1_000), trait.nullable())
    .refine((traits) => Object.keys(traits).length <= 1_000, 'At most 1,000 traits')
    .meta({ maxProperties: 1_000 })
    .default({})
    .describe(
      'Which trait a column of the file (or a name in its column of traits) is: its name, or null to leave it out. A name that the project lacks is added to its traits.',
    ),
  date_order: z.enum(['day-first', 'month-first']).optional().describe('Of dates such as 03/04/2026.'),
  observed_on: givenDay.optional().describe('Day of values without a time. Default: now.'),
  collector: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .refine(withoutControls, 'Control characters are not allowed')
    .optional()
    .describe('Who observed what the file names no person for.'),
  differences: z
    .enum(['file', 'trial'])
    .optional()
    .describe(
      'Where file and trial have different values of a plot. file: that of the file counts, and the former is kept in the history. trial: that of the trial stays.',
    ),
  except: z
    .array(z.object(cell))
    .max(MAX_DIFFERENCES)
    .default([])
    .describe('Differences that are decided the other way.'),
  leave_out_refused: z.boolean().default(false).describe('Values that cannot be taken are left out.'),
  reviewed: z
    .string()
    .max(100)
    .optional()
    .describe('`review` of what was reviewed: refused when something else would be stored by now.'),
});
export type ValueFileChoices = z.output<typeof valueFileChoices>;

/** Fields of the form besides `file`. */
export const valueFileFields = z.object({
  choices: z.string().max(400_000).optional().describe('Choices as JSON: the fields of ValueFileChoices.'),
});

const listed = <Row extends z.ZodType>(row: Row, most: number) =>
  z.object({ total: z.number().int(), data: z.array(row).describe(`The first ${most}.`) });

export const refusedValueCode = z.enum([
  'unknown-plot',
  'unknown-trial',
  'contradiction',
  'not-planted',
  'closed',
  'misfit',
  'bad-date',
  'bad-value',
]);
export type RefusedValueCode = z.infer<typeof refusedValueCode>;

/** `POST …/values_file/review`: what a file of values would change. Nothing is stored. */
export const valueFileReview = z
  .object({
    file_name: z.string(),
    shape: z.enum(['long', 'wide']).describe('One value per row, or one plot per row.'),
    is_field_book: z.boolean().describe('The database export of Field Book.'),
    rows: z.number().int(),
    columns: z.array(z.object({ name: z.string(), role: z.string().nullable() })).describe('As they were read.'),
    traits: z.array(
      z.object({
        header: z.string().describe('As the file calls it.'),
        trait: z.string().nullable().describe('Null: it is left out, or still to be decided.'),
        is_new: z.boolean().describe('It is added to the traits of the project.'),
        is_open: z.boolean().describe('Somebody has to say which trait it is, or leave it out.'),
        values: z.number().int(),
        samples: z.array(z.string()),
      }),
    ),
    trials: z.array(
      z.object({
        trial_id: id,
        name: z.string(),
        location_name: z.string(),
        added: z.number().int().describe('Plots and traits that get their first value.'),
        different: z.number().int().describe('That have another value already.'),
        unchanged: z.number().int().describe('That have this value already, or had it when it was corrected.'),
      }),
    ),
    date_order_open: z.boolean().describe('No date tells whether the day or the month comes first.'),
    refused: listed(
      z.object({
        line: z.number().int(),
        column: z.string().nullable(),
        code: refusedValueCode,
        value: z.string(),
        message: z.string(),
      }),
      MAX_REVIEWED,
    ),
    differences: listed(
      z.object({
        ...cell,
        line: z.number().int(),
        value: z.string().nullable().describe('Of the file; null: nothing could be observed.'),
        observed_at: timestamp.nullable().describe('Null: the file does not say.'),
        collector: z.string().nullable(),
        present: z.array(
          z.object({
            value: z.string().nullable(),
            state: observationState,
            origin: observationOrigin,
            observed_at: timestamp,
            collector: z.string().nullable(),
          }),
        ),
      }),
      MAX_DIFFERENCES,
    ),
    repeated: listed(
      z.object({
        ...cell,
        lines: z.array(z.number().int()),
        values: z.array(z.string().nullable()).describe('In the order of their times; the last one counts.'),
      }),
      MAX_REVIEWED,
    ),
    other_entries: listed(
      z.object({
        line: z.number().int(),
        plot: z.number().int(),
        file: z.string(),
        trial: z.string(),
      }),
      MAX_REVIEWED,
    ).describe('Plots on which another line stands in the trial than the file says.'),
    review: z.string().describe('Stands for what would be stored.'),
  })
  .meta({ id: 'ValueFileReview' });
export type ValueFileReview = z.infer<typeof valueFileReview>;

/** `POST …/values_file`. */
export const recordedValueFile = z
  .object({
    recorded: z.number().int().describe('Values that were stored, corrected ones of the file itself among them.'),
    unchanged: z.number().int().describe('That were there already.'),
    kept: z.number().int().describe('Differences in which the value of the trial stays.'),
    left_out: z.number().int().describe('Values that could not be taken.'),
    trials: z.array(z.object({ trial_id: id, recorded: z.number().int() })),
  })
  .meta({ id: 'RecordedValueFile' });
export type RecordedValueFile = z.infer<typeof recordedValueFile>;
