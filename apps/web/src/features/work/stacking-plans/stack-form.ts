import { STACK_OPTIONS } from '@heterosis/contracts/options/stacking';
import type { createStackingPlanBody, StackingPlanDetail, StackTarget } from '@heterosis/contracts/work/stacking-plans';
import type * as z from 'zod';
import { namesIn } from '../../../lib/format/names-in.ts';
import { type ChosenFile, optionBody, optionsKept, optionValues } from '../run-dialog/index.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export type StackValues = ReturnType<typeof stackValues>;

/** Values to begin with: the usual ones, or those of a plan that is made again with changes. */
export function stackValues(source: StackingPlanDetail | undefined, name: string) {
  const parameters = source?.provenance.parameters;
  return {
    name,
    genotype_id: (source?.genotype ?? undefined) as ChosenFile | undefined,
    linkage_map_id: (source?.linkage_map ?? undefined) as ChosenFile | undefined,
    recurrent: parameters?.recurrent ?? '',
    donors: (parameters?.donors ?? []).join('\n'),
    targets: targetsText(parameters?.targets ?? []),
    ...optionValues(STACK_OPTIONS, parameters),
    kept: optionsKept(STACK_OPTIONS, { ...parameters, seed: source?.provenance.seed }),
  };
}

/** What the request holds. */
export function stackBody(values: StackValues): z.input<typeof createStackingPlanBody> {
  const { name, genotype_id: genotype, linkage_map_id: map, recurrent } = values;
  return {
    ...values.kept,
    ...optionBody(STACK_OPTIONS, values),
    ...{ name, genotype_id: genotype?.id ?? '', donors: namesIn(values.donors) },
    ...(map ? { linkage_map_id: map.id } : {}),
    ...(recurrent.trim() === '' ? {} : { recurrent: recurrent.trim() }),
    targets: targetsIn(values.targets),
  };
}

export const targetsText = (targets: readonly StackTarget[]): string =>
  targets.map(({ marker, allele }) => `${marker} ${allele}`).join('\n');

/** A marker and an allele a line, between them a space, a tab or =; a line without an allele has an empty one. */
export function targetsIn(text: string): StackTarget[] {
  return text
    .split(/[\n\r]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, marker = line, allele = ''] = /^(.*?)[\s=,;]+(\S+)$/.exec(line) ?? [];
      return { marker, allele };
    });
}
