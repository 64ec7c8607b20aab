import * as z from 'zod';
import { additionalInfo, externalReferences } from '../collecting/collected.ts';

const text = z.string().trim().max(255);

export const newCrossingProject = z.object({
  crossingProjectName: text.min(1),
  crossingProjectDescription: z.string().trim().max(2_000).nullish(),
  programDbId: text.nullish(),
  programName: text.nullish(),
  commonCropName: text.nullish(),
  additionalInfo,
  externalReferences,
});
export type NewCrossingProject = z.output<typeof newCrossingProject>;

/** Intercross names plants, which are observation units; a line stands for its plants. */
const parent = z.object({
  germplasmDbId: text.nullish(),
  germplasmName: text.nullish(),
  observationUnitDbId: text.nullish(),
  observationUnitName: text.nullish(),
  parentType: text.nullish(),
});
export type NewParent = z.output<typeof parent>;

const CROSS_TYPES = [
  'BIPARENTAL',
  'SELF',
  'OPEN_POLLINATED',
  'BULK',
  'BULK_SELFED',
  'BULK_OPEN_POLLINATED',
  'DOUBLE_HAPLOID',
] as const;

export const newPlannedCross = z.object({
  crossingProjectDbId: text.nullish(),
  plannedCrossName: z.string().trim().max(600).nullish(),
  crossType: z.enum(CROSS_TYPES).nullish(),
  status: z.enum(['TODO', 'DONE', 'SKIPPED']).nullish(),
  parent1: parent.nullish(),
  parent2: parent.nullish(),
  additionalInfo,
  externalReferences,
});
export type NewPlannedCross = z.output<typeof newPlannedCross>;

const notes = z.record(z.string().max(100), z.union([z.string().max(500), z.boolean(), z.number(), z.null()]));

export const newCross = z.object({
  crossingProjectDbId: text.nullish(),
  plannedCrossDbId: text.nullish(),
  crossName: z.string().trim().max(600).nullish(),
  crossType: z.enum(CROSS_TYPES).nullish(),
  parent1: parent.nullish(),
  parent2: parent.nullish(),
  pollinationEvents: z.array(notes).max(100).nullish(),
  crossAttributes: z.array(notes).max(100).nullish(),
  additionalInfo,
  externalReferences,
});
export type NewCross = z.output<typeof newCross>;
