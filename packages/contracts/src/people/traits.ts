import * as z from 'zod';
import { description, isVisible, trait, withoutControls } from '../common.ts';

export const MAX_TRAIT_WEIGHT = 1000;
export const MAX_CATEGORIES = 200;

const limit = z.number().nullable();
const bounds = {
  min: limit.describe('Lowest value that is taken; null: none.'),
  max: limit.describe('Highest value that is taken; null: none.'),
};
const inOrder = ({ min, max }: { min: number | null; max: number | null }): boolean =>
  min === null || max === null || min <= max;
const IN_ORDER = 'The lower limit is above the upper one';

const line = (length: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(length, `At most ${length} characters`)
    .refine(withoutControls, 'Control characters are not allowed')
    .refine(isVisible, 'Only invisible characters');

const category = z.object({
  value: line(100).describe('What is stored.'),
  label: line(255).nullable().describe('What is read beside it; null: the value says enough.'),
});
export type TraitCategory = z.infer<typeof category>;

/** What values a trait takes. */
export const traitScale = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('numeric'), ...bounds }).refine(inOrder, IN_ORDER),
    z.object({ kind: z.literal('integer'), ...bounds }).refine(inOrder, IN_ORDER),
    z.object({
      kind: z.literal('categories'),
      categories: z
        .array(category)
        .min(1, 'A scale of categories has at least one')
        .max(MAX_CATEGORIES)
        .refine((all) => new Set(all.map(({ value }) => value)).size === all.length, 'A category is given twice')
        .describe('In their order.'),
    }),
    z.object({ kind: z.literal('date') }),
    z.object({ kind: z.literal('text') }),
  ])
  .meta({ id: 'TraitScale' });
export type TraitScale = z.infer<typeof traitScale>;

export const projectTrait = z
  .object({
    name: trait,
    direction: z.enum(['higher', 'lower']).describe('Whether higher or lower values are better.'),
    unit: line(50).nullable().describe('Null: the unit that the phenotype file gives, if it gives one.'),
    weight: z.number().min(0).max(MAX_TRAIT_WEIGHT).describe('Weight in the index over traits; 0 leaves it out.'),
    scale: traitScale.nullable().describe('Null: nobody has said; any value is taken.'),
    details: description.nullable().describe('How it is measured, as people in the field read it.'),
    ontology_id: line(100).nullable().describe('Of the variable in an ontology, for example CO_321:0000017.'),
  })
  .meta({ id: 'ProjectTrait' });
export type ProjectTrait = z.infer<typeof projectTrait>;

/** What is true of a trait until somebody sets it. */
export const UNSET_TRAIT: Omit<ProjectTrait, 'name'> = {
  direction: 'higher',
  unit: null,
  weight: 1,
  scale: null,
  details: null,
  ontology_id: null,
};

/**
 * `GET /projects/{p}/traits`: the traits of the phenotype files of a project, and those that were set before. A trait
 * that nobody has set is wanted high, with weight 1.
 */
export const projectTraits = z.object({ data: z.array(projectTrait) }).meta({ id: 'ProjectTraits' });
export type ProjectTraits = z.infer<typeof projectTraits>;

const ASIDE = { scale: true, details: true, ontology_id: true } as const;

/**
 * `PUT /projects/{p}/traits`: sets the traits that it names, and leaves the others as they are; so it does with the
 * scale, the details and the id of an ontology when they are absent.
 */
export const updateProjectTraitsBody = z.object({ traits: z.array(projectTrait.partial(ASIDE)).min(1).max(1000) });
export type UpdatedTrait = z.infer<typeof updateProjectTraitsBody>['traits'][number];

/** Bytes of the largest file of traits. The largest dictionary of the Crop Ontology seen has half a megabyte. */
export const MAX_TRAITS_FILE = 5 * 2 ** 20;

/** `POST /projects/{p}/traits/read`: what a file of traits says. Nothing is stored; `PUT` the ones that are wanted. */
export const traitsReading = z
  .object({
    format: z.enum(['Field Book', 'Crop Ontology', 'BrAPI', 'OBO']),
    traits: z.array(projectTrait.pick({ name: true, unit: true, scale: true, details: true, ontology_id: true })),
    left_out: z.array(z.object({ name: z.string(), reason: z.string() })).describe('What cannot be taken, and why.'),
  })
  .meta({ id: 'TraitsReading' });
export type TraitsReading = z.infer<typeof traitsReading>;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?$/;

/**
 * Why a value is none of its trait, as the end of a sentence after the value ("is below the lower limit 20"); null when
 * it fits. Empty cells are no values: the caller leaves them out. A category is named by its value or its label.
 */
export function misfitOf(scale: TraitScale | null, value: string): string | null {
  const text = value.trim();
  switch (scale?.kind) {
    case 'numeric':
    case 'integer': {
      const number = Number(text);
      if (!NUMBER.test(text) || !Number.isFinite(number)) return 'is not a number';
      if (scale.kind === 'integer' && !Number.isInteger(number)) return 'is not a whole number';
      if (scale.min !== null && number < scale.min) return `is below the lower limit ${scale.min}`;
      return scale.max !== null && number > scale.max ? `is above the upper limit ${scale.max}` : null;
    }
    case 'categories':
      return categoryOf(scale.categories, text) === undefined
        ? `is none of ${shortened(scale.categories.map((one) => one.value))}`
        : null;
    case 'date':
      return isDate(text) ? null : 'is not a date such as 2026-05-31';
    default:
      return null;
  }
}

/** A value as it is stored: trimmed, and a category by its value. */
export function storedValue(scale: TraitScale | null, value: string): string {
  const text = value.trim();
  return scale?.kind === 'categories' ? (categoryOf(scale.categories, text)?.value ?? text) : text;
}

const categoryOf = (categories: readonly TraitCategory[], text: string): TraitCategory | undefined =>
  categories.find(({ value }) => value === text) ?? categories.find(({ label }) => label === text);

const shortened = (values: readonly string[]): string =>
  values.length <= 12 ? values.join(', ') : `${values.slice(0, 10).join(', ')} and ${values.length - 10} more`;

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
