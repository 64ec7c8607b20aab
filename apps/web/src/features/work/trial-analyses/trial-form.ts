import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import type { PlotSetAside, TrialAnalysisDetail, TrialOverride } from '@heterosis/contracts/work/trial-analyses';
import { type ChosenFile, optionBody, optionsKept, optionValues } from '../run-dialog/index.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export function trialValues(source: TrialAnalysisDetail | undefined, name: string) {
  const parameters = source?.provenance.parameters;
  return {
    name,
    phenotype_ids: (source?.phenotypes ?? []) as ChosenFile[],
    genotype_id: (source?.genotype ?? undefined) as ChosenFile | undefined,
    pedigree_id: (source?.pedigree ?? undefined) as ChosenFile | undefined,
    traits: source?.traits ?? [],
    ...optionValues(TRIAL_ANALYSIS_OPTIONS, parameters),
    overrides: (parameters?.overrides ?? []) as TrialOverride[],
    set_aside: (parameters?.set_aside ?? []) as PlotSetAside[],
  };
}

export type TrialValues = ReturnType<typeof trialValues>;

const OF_PEDIGREE = { ploidy: '2', double_reduction: 0, founders: 'non-inbred' } as const;

/**
 * Fields that say nothing: the ploidy is that of the genotype, and what polyploids pass on matters by a pedigree.
 *
 * @param ofGenotype its ploidy
 */
export function hiddenOfPedigree(
  { genotype_id: genotype, pedigree_id: pedigree, ploidy }: TrialValues,
  ofGenotype: number,
): (keyof typeof OF_PEDIGREE)[] {
  if (pedigree === undefined) return ['ploidy', 'double_reduction', 'founders'];
  const isPolyploid = (genotype === undefined ? Number(ploidy) : ofGenotype) > 2;
  return [
    ...(genotype === undefined ? [] : (['ploidy'] as const)),
    ...(isPolyploid ? [] : (['double_reduction', 'founders'] as const)),
  ];
}

/** The request; `source` is the analysis that is repeated, `ofGenotype` the ploidy of the genotype if it is known. */
export const trialBody = (asked: TrialValues, source?: TrialAnalysisDetail, ofGenotype?: number) => ({
  name: asked.name,
  phenotype_ids: asked.phenotype_ids.map(({ id }) => id),
  genotype_id: asked.genotype_id?.id,
  pedigree_id: asked.pedigree_id?.id,
  traits: asked.traits,
  ...optionsKept(TRIAL_ANALYSIS_OPTIONS, source?.provenance.parameters),
  ...optionBody(TRIAL_ANALYSIS_OPTIONS, {
    ...asked,
    ...(ofGenotype === undefined
      ? {}
      : Object.fromEntries(hiddenOfPedigree(asked, ofGenotype).map((name) => [name, OF_PEDIGREE[name]]))),
  }),
  overrides: asked.overrides.length === 0 ? undefined : asked.overrides,
  set_aside: asked.set_aside.length === 0 ? undefined : asked.set_aside,
});
