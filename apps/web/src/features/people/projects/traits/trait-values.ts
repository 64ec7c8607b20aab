import {
  type ProjectTrait,
  type TraitScale,
  type TraitsReading,
  traitScale,
  UNSET_TRAIT,
  type UpdatedTrait,
} from '@heterosis/contracts/people/traits';
import type { TFunction } from 'i18next';
import { type FieldNumber, numberOf } from '../../../../lib/form/field-number.ts';
import { type NumberLimits, optionalNumberError } from '../../../../lib/form/form.ts';

export const SCALE_KINDS = ['any', 'numeric', 'integer', 'categories', 'date', 'text'] as const;
export type ScaleKind = (typeof SCALE_KINDS)[number];

/** What values a trait takes, as the form has it. */
export interface ScaleValues {
  kind: ScaleKind;
  min: FieldNumber;
  max: FieldNumber;
  /** A line a category: `1 = resistant`. */
  categories: string;
}

export interface TraitRow {
  name: string;
  direction: ProjectTrait['direction'];
  unit: string;
  weight: FieldNumber;
  scale: ScaleValues;
  details: string | null;
  ontology_id: string | null;
}

export const rowOf = ({ unit, scale, ...trait }: ProjectTrait): TraitRow => ({
  ...trait,
  unit: unit ?? '',
  scale: scaleValues(scale),
});

function scaleValues(scale: TraitScale | null): ScaleValues {
  const { min, max } = scale?.kind === 'numeric' || scale?.kind === 'integer' ? scale : { min: null, max: null };
  return {
    ...{ kind: scale?.kind ?? 'any', min: min ?? '', max: max ?? '' },
    categories:
      scale?.kind === 'categories'
        ? scale.categories.map(({ value, label }) => (label === null ? value : `${value} = ${label}`)).join('\n')
        : '',
  };
}

/** The scale of a row; as the contract takes it, or what it complains of. */
function scaleOf({ kind, min, max, categories }: ScaleValues): unknown {
  const limit = (value: FieldNumber): number | null => (value === '' ? null : numberOf(value));
  if (kind === 'any') return null;
  if (kind === 'numeric' || kind === 'integer') return { kind, min: limit(min), max: limit(max) };
  if (kind !== 'categories') return { kind };
  const lines = categories.split('\n').filter((line) => line.trim() !== '');
  return {
    kind,
    categories: lines.map((line) => {
      const [value = '', ...label] = line.split('=');
      return { value: value.trim(), label: label.join('=').trim() || null };
    }),
  };
}

export const LIMITS: NumberLimits = { min: -1e12, max: 1e12 };

/** What is wrong with the scale of a row, in a sentence; null for nothing. */
export function scaleError(t: TFunction, scale: ScaleValues): string | null {
  const isNumber = scale.kind === 'numeric' || scale.kind === 'integer';
  const number = isNumber && (optionalNumberError(t, scale.min, LIMITS) ?? optionalNumberError(t, scale.max, LIMITS));
  if (number) return number;
  return traitScale.nullable().safeParse(scaleOf(scale)).error?.issues[0]?.message ?? null;
}

export const updateOf = ({ unit, weight, scale, ...row }: TraitRow): UpdatedTrait => ({
  ...row,
  unit: unit.trim() === '' ? null : unit,
  weight: numberOf(weight),
  scale: traitScale.nullable().parse(scaleOf(scale)),
});

/** The values of a scale in a few words. */
export function scaleInWords(t: TFunction, { kind, min, max, categories }: ScaleValues): string {
  if (kind === 'numeric' || kind === 'integer') {
    const [least, most] = [numberOf(min), numberOf(max)];
    if (Number.isNaN(least) && Number.isNaN(most)) return t(`traits.scales.${kind}`);
    return `${Number.isNaN(least) ? '…' : least} – ${Number.isNaN(most) ? '…' : most}`;
  }
  if (kind !== 'categories') return t(`traits.scales.${kind}`);
  const values = categories.split('\n').flatMap((line) => line.split('=')[0]?.trim() || []);
  return values.length === 0 ? t('traits.scales.categories') : values.join(', ');
}

/** A scale of a file; one that says nothing new leaves the limits that are there. */
function withLimitsOf(own: ScaleValues, scale: TraitScale | null): ScaleValues {
  const says = scale === null ? null : scaleValues(scale);
  return says === null || (says.kind === own.kind && says.min === '' && says.max === '' && says.categories === '')
    ? own
    : says;
}

/** Rows with what a file says of some traits: those that are there keep direction and weight, others come behind. */
export function withRead(rows: readonly TraitRow[], read: TraitsReading['traits']): TraitRow[] {
  const byName = new Map(read.map((trait) => [trait.name, trait]));
  const known = new Set(rows.map(({ name }) => name));
  return [
    ...rows.map((row) => {
      const trait = byName.get(row.name);
      return trait === undefined
        ? row
        : {
            ...row,
            ...{ unit: trait.unit ?? row.unit, scale: withLimitsOf(row.scale, trait.scale) },
            ...{ details: trait.details ?? row.details, ontology_id: trait.ontology_id ?? row.ontology_id },
          };
    }),
    ...read.filter(({ name }) => !known.has(name)).map((trait) => rowOf({ ...UNSET_TRAIT, weight: 0, ...trait })),
  ];
}
