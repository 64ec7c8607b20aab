import * as z from 'zod';
import { additionalInfo, externalReferences } from '../collecting/collected.ts';
import type { Json } from '../envelope.ts';

const text = z.string().trim().max(255);

const day = z
  .string()
  .max(60)
  .nullish()
  .transform((written, context) => {
    if (written == null || written === '') return null;
    // The day as it was written: in another time zone it may be the day before.
    const read = z.iso.date().safeParse(written.slice(0, 10));
    if (read.success && !Number.isNaN(Date.parse(written))) return read.data;
    context.addIssue(`"${written}" is no date: write it as 2026-03-20 or 2026-03-20T00:00:00Z`);
    return z.NEVER;
  });

/** Fields of a study that a trial has. */
export const newStudy = z.object({
  studyName: text.min(1),
  studyType: text.nullish(),
  studyDescription: z.string().max(10_000).nullish(),
  active: z.boolean().nullish(),
  commonCropName: text.nullish(),
  trialDbId: text.nullish(),
  trialName: text.nullish(),
  locationDbId: text.nullish(),
  locationName: text.nullish(),
  seasons: z.array(text).max(100).nullish(),
  startDate: day,
  endDate: day,
  observationVariableDbIds: z.array(text).max(1_000).nullish(),
  experimentalDesign: z
    .object({ PUI: z.string().max(500).nullish(), description: z.string().max(1_000).nullish() })
    .nullish(),
  additionalInfo,
  externalReferences,
});
export type NewStudy = z.output<typeof newStudy>;

/** Fields of the standard for which a trial has no place. */
const NOT_HELD = [
  ...['contacts', 'dataLinks', 'documentationURL', 'environmentParameters', 'license', 'studyCode', 'studyPUI'],
  ...['observationUnitsDescription', 'culturalPractices', 'growthFacility'],
];

/** Fields that say of a study what follows from its trial. */
const FOLLOWING = ['studyDbId', 'lastUpdate', 'observationLevels'];

const isEmpty = (value: unknown): boolean =>
  value == null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isEmpty));

/** The first of some fields that an entry fills. */
export const filled = (entry: Json, fields: readonly string[]): string | undefined =>
  fields.find((field) => !isEmpty(entry[field]));

export const fieldNotHeld = (entry: Json): string | undefined => filled(entry, NOT_HELD);

/** Names that a warning lists. */
const MOST_NAMED = 20;

/** Names in entries that no study has, each once; the standard wants them to be ignored. */
export const unknownFields = (entries: readonly Json[]): string[] =>
  [...new Set(entries.flatMap(Object.keys))]
    .filter((name) => !(name in newStudy.shape) && !NOT_HELD.includes(name) && !FOLLOWING.includes(name))
    .slice(0, MOST_NAMED)
    .map((name) => name.slice(0, 100));
