import { isMissing } from '@heterosis/file-formats/tables/text/cell-values';
import * as z from 'zod';
import { Problem } from '../../../platform/http/problem.ts';
import type { Json } from '../envelope.ts';

/** Entries of one request. */
const MOST_ENTRIES = 5_000;

const text = z.string().trim().max(255);

/** Properties of an object whose names clients choose. */
const MOST_PROPERTIES = 100;
const TOO_MANY = `has more than ${MOST_PROPERTIES} properties`;
const isShort = (object: object): boolean => Object.keys(object).length <= MOST_PROPERTIES;

/** Kept as they are and sent back: Field Book finds its observations again by them. */
export const externalReferences = z
  .array(z.record(z.string().max(100), z.string().max(500)).refine(isShort, TOO_MANY))
  .max(20)
  .nullish()
  .transform((references): Json[] => references ?? []);

/** The standard allows text only. */
export const additionalInfo = z
  .record(z.string().max(100), z.union([z.string().max(1_000), z.null()]))
  .refine(isShort, TOO_MANY)
  .nullish()
  .transform(
    (info): Record<string, string> =>
      Object.fromEntries(
        Object.entries(info ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
      ),
  );

/** A time as ISO 8601; null where there is none. */
export const timeStamp = z
  .string()
  .max(60)
  .nullish()
  .transform((written, context) => {
    if (written == null || written === '') return null;
    const time = Date.parse(written);
    if (!Number.isNaN(time)) return new Date(time).toISOString();
    context.addIssue(`"${written}" is no time: write it as 2026-05-01T10:30:00+02:00`);
    return z.NEVER;
  });

/** Writing to projects, with any token that may. */
export const WRITING = { guard: 'signed-in', accessTokens: 'own-projects', anyQuery: true } as const;

/** Fields that we keep; all others are ignored, as the standard wants. */
export const newObservation = z.object({
  observationUnitDbId: text.min(1),
  observationVariableDbId: text.nullish(),
  observationVariableName: text.nullish(),
  studyDbId: text.nullish(),
  value: z
    .union([z.string().trim().max(1_000), z.number(), z.boolean()])
    .nullish()
    .transform((value) => (value == null || isMissing(String(value)) ? null : String(value))),
  collector: text.nullish(),
  observationTimeStamp: timeStamp,
  externalReferences,
});
export type NewObservation = z.output<typeof newObservation>;

const level = z.object({ levelName: text.nullish(), levelCode: text.nullish() });

export const newUnit = z.object({
  observationUnitName: text.min(1),
  studyDbId: text.min(1),
  germplasmDbId: text.nullish(),
  germplasmName: text.nullish(),
  // Trials refuse them.
  ...{ seedLotDbId: text.nullish(), crossDbId: text.nullish(), observationUnitPUI: text.nullish() },
  observationUnitPosition: z
    .object({
      entryType: text.nullish(),
      geoCoordinates: z.unknown().optional(),
      observationLevel: level.nullish(),
      observationLevelRelationships: z.array(level).max(20).nullish(),
      positionCoordinateX: text.nullish(),
      positionCoordinateXType: text.nullish(),
      positionCoordinateY: text.nullish(),
      positionCoordinateYType: text.nullish(),
    })
    .nullish(),
  treatments: z
    .array(z.object({ factor: text.nullish(), modality: text.nullish() }))
    .max(20)
    .nullish(),
  additionalInfo,
  externalReferences,
});
export type NewUnit = z.output<typeof newUnit>;

/** The entries of a POST. */
export function readEntries<Entry>(schema: z.ZodType<Entry>, body: unknown): Entry[] {
  return read(z.array(schema).min(1, 'has no entries').max(MOST_ENTRIES), body);
}

/** The entries of a PUT, by id. */
export function readChanges(body: unknown): [id: string, change: Json][] {
  const schema = z.record(z.string().max(255), z.record(z.string(), z.unknown()));
  const changes = Object.entries(read(schema, body));
  if (changes.length === 0) throw new Problem('request/invalid', 'body: has no entries');
  if (changes.length > MOST_ENTRIES)
    throw new Problem('request/invalid', `body: has more than ${MOST_ENTRIES} entries; send them in several requests`);
  return changes;
}

export function read<Value>(schema: z.ZodType<Value>, body: unknown, where = 'body'): Value {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [where, ...(issue?.path ?? [])].join('.');
  throw new Problem('request/invalid', `${path}: ${issue?.message ?? 'is not valid'}. Nothing was saved.`);
}
