/** What a model is trained as. */
export const MODEL_TYPES = ['RRBLUP', 'GAUSSIAN', 'KERNEL_AVERAGE', 'BAYESCPI', 'BAYESB', 'BAYESR', 'BRR'] as const;
export type ModelType = (typeof MODEL_TYPES)[number];
/** Models by a kernel of marker distances have no marker effects. */
export const KERNEL_TYPES = ['GAUSSIAN', 'KERNEL_AVERAGE'] as const;

/** As the command line and the comparison of models call it. */
export const modelNameOf = (type: ModelType): string => type.toLowerCase().replace('_', '-');

/** Whether its markers have effects, by which crosses can be judged. */
export const hasMarkerEffects = (type: ModelType): boolean => !KERNEL_TYPES.some((own) => own === type);

/** Fewest and most traits that are fitted together, by whether factors make their genetic covariances. */
const TRAITS_TOGETHER = { least: 2, most: 6, mostOfFactors: 12 };

/** Why traits are not as many as can be fitted together; undefined where they are. */
export function refusedTogether(traits: number, factors: number | null | undefined): string | undefined {
  const { least, mostOfFactors } = TRAITS_TOGETHER;
  const most = factors == null ? TRAITS_TOGETHER.most : mostOfFactors;
  if (traits >= least && traits <= most) return undefined;
  const more = traits > most && traits <= mostOfFactors ? ' Genetic factors allow more.' : '';
  return `${least} to ${most} traits are fitted together, and ${traits} were asked for.${more}`;
}
