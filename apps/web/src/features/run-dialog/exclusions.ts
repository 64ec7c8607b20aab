import type { Exclusions } from '@heterosis/contracts/exclusions';
import type { TFunction } from 'i18next';
import { numberError } from '../../lib/form.ts';
import { namesIn } from '../../lib/names-in.ts';

/** What a dialog asks for: lists as text with a name a line, limits as typed; an empty one leaves out nothing. */
export interface ExclusionValues {
  samples: string;
  only_samples: string;
  markers: string;
  min_sample_call_rate: number | string;
  max_sample_heterozygosity: number | string;
  duplicates: boolean;
  /** What a run that is repeated left out besides, by rules that the dialog does not ask for. */
  others: Pick<Exclusions, 'min_marker_call_rate' | 'min_maf'>;
}

export const SHARE = { min: 0, max: 1 };
const LISTS = ['only_samples', 'samples', 'markers'] as const;
const LIMITS = ['min_sample_call_rate', 'max_sample_heterozygosity'] as const;

/** Values to begin with: nothing left out, or what an earlier run left out. */
export function exclusionValues(exclusions: Exclusions = {}): ExclusionValues {
  const { min_marker_call_rate, min_maf } = exclusions;
  return {
    samples: (exclusions.samples ?? []).join('\n'),
    only_samples: (exclusions.only_samples ?? []).join('\n'),
    markers: (exclusions.markers ?? []).join('\n'),
    min_sample_call_rate: exclusions.min_sample_call_rate ?? '',
    max_sample_heterozygosity: exclusions.max_sample_heterozygosity ?? '',
    duplicates: exclusions.duplicates ?? false,
    others: {
      ...(min_marker_call_rate === undefined ? {} : { min_marker_call_rate }),
      ...(min_maf === undefined ? {} : { min_maf }),
    },
  };
}

/** A limit that is there and no share. */
export const limitError = (t: TFunction, value: number | string): string | undefined =>
  String(value).trim() === '' ? undefined : numberError(t, value, SHARE);

/** Whether a limit is wrong: then nothing can be counted or started. */
export const hasLimitError = (t: TFunction, values: ExclusionValues): boolean =>
  LIMITS.some((limit) => limitError(t, values[limit]) !== undefined);

/** For the request; empty when nothing is left out. */
export function exclusionsBody(values: ExclusionValues): { exclusions?: Exclusions } {
  const exclusions: Exclusions = { ...values.others };
  for (const list of LISTS) {
    const names = namesIn(values[list]);
    if (names.length > 0) exclusions[list] = names;
  }
  for (const limit of LIMITS) if (String(values[limit]).trim() !== '') exclusions[limit] = Number(values[limit]);
  if (values.duplicates) exclusions.duplicates = true;
  return Object.keys(exclusions).length === 0 ? {} : { exclusions };
}
