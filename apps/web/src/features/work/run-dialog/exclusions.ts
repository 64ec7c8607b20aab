import { EXCLUSION_OPTIONS } from '@heterosis/contracts/options/exclusions';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { TFunction } from 'i18next';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { type NumberLimits, numberError, optionalNumberError } from '../../../lib/form/form.ts';
import { namesIn } from '../../../lib/format/names-in.ts';
import { limitsOf } from './option-values.ts';

type Pruning = NonNullable<Exclusions['ld_pruning']>;

/** What a dialog asks for: lists as text with a name a line, limits as typed; an empty one leaves out nothing. */
export interface ExclusionValues {
  samples: string;
  only_samples: string;
  markers: string;
  min_sample_call_rate: FieldNumber;
  max_sample_heterozygosity: FieldNumber;
  duplicates: boolean;
  /** Largest r² that pruning by LD leaves; empty for no pruning. */
  prune_r2: FieldNumber;
  /** Markers in its windows. */
  prune_window: FieldNumber;
  /** What a run that is repeated left out besides, by rules that the dialog does not ask for. */
  others: Pick<Exclusions, 'min_marker_call_rate' | 'min_maf'>;
  /** How far the windows of a run that is repeated move, and their length in kilobases. */
  windows: Partial<Pick<Pruning, 'step' | 'window_kb'>>;
}

/** Windows where none are chosen. */
const USUAL_WINDOW = { window: 50, step: 5 };
export const WINDOW = { min: 2, max: 10_000, isWhole: true };

/** Largest r² that is left. */
export const PRUNING = { min: 0, max: 1 };
const LISTS = ['only_samples', 'samples', 'markers'] as const;
const LIMITS = ['min_sample_call_rate', 'max_sample_heterozygosity'] as const;

/** Values to begin with: nothing left out, or what an earlier run left out. */
export function exclusionValues(exclusions: Exclusions = {}): ExclusionValues {
  const { min_marker_call_rate, min_maf, ld_pruning } = exclusions;
  const { r2 = '', window = USUAL_WINDOW.window, step, window_kb } = ld_pruning ?? {};
  return {
    samples: (exclusions.samples ?? []).join('\n'),
    only_samples: (exclusions.only_samples ?? []).join('\n'),
    markers: (exclusions.markers ?? []).join('\n'),
    min_sample_call_rate: exclusions.min_sample_call_rate ?? '',
    max_sample_heterozygosity: exclusions.max_sample_heterozygosity ?? '',
    duplicates: exclusions.duplicates ?? false,
    prune_r2: r2,
    prune_window: window,
    windows: { ...(step === undefined ? {} : { step }), ...(window_kb === undefined ? {} : { window_kb }) },
    others: {
      ...(min_marker_call_rate === undefined ? {} : { min_marker_call_rate }),
      ...(min_maf === undefined ? {} : { min_maf }),
    },
  };
}

/** A limit that is there and out of its range. */
export const limitError = (t: TFunction, value: FieldNumber, limits: NumberLimits = PRUNING): string | undefined =>
  optionalNumberError(t, value, limits);

/** A window that is no whole number, where markers are pruned. */
export const windowError = (t: TFunction, { prune_r2, prune_window }: ExclusionValues): string | undefined =>
  prune_r2 === '' ? undefined : numberError(t, prune_window, WINDOW);

/** Whether a limit is wrong: then nothing can be counted or started. */
export const hasLimitError = (t: TFunction, values: ExclusionValues): boolean =>
  LIMITS.some((limit) => limitError(t, values[limit], limitsOf(EXCLUSION_OPTIONS[limit])) !== undefined) ||
  limitError(t, values.prune_r2) !== undefined ||
  windowError(t, values) !== undefined;

/** For the request; empty when nothing is left out. */
export function exclusionsBody(values: ExclusionValues): { exclusions?: Exclusions } {
  const exclusions: Exclusions = { ...values.others };
  for (const list of LISTS) {
    const names = namesIn(values[list]);
    if (names.length > 0) exclusions[list] = names;
  }
  for (const limit of LIMITS) if (values[limit] !== '') exclusions[limit] = numberOf(values[limit]);
  if (values.duplicates) exclusions.duplicates = true;
  if (values.prune_r2 !== '') {
    const window = numberOf(values.prune_window);
    exclusions.ld_pruning = { ...USUAL_WINDOW, ...values.windows, window, r2: numberOf(values.prune_r2) };
  }
  return Object.keys(exclusions).length === 0 ? {} : { exclusions };
}
