import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { leftOut } from '../runs/results/index.ts';

const KINSHIPS = {
  vanraden1: 'VanRaden 2008, method 1',
  standardized: 'VanRaden 2008, method 2',
};

/** The weight of A22 that training uses. */
const PEDIGREE_SHARE = '5 %';

/** A paragraph for the methods section of a paper. */
export function modelMethods({ provenance, fit, evaluation, traits, left_out }: ModelDetail): string {
  const { parameters, seed, software_version } = provenance;
  const { include_dominance_effects: hasDominance, n_fold, n_repetition, kinship, leave_out } = parameters;
  const sizes = traits.flatMap((trait) => {
    const figures = fit[trait];
    const r = evaluation[trait]?.pearson_r.mean;
    if (!figures) return [];
    return [
      `${trait} (n = ${groupedNumber(figures.n)}, ${groupedNumber(figures.m)} markers${r == null ? '' : `, r = ${r.toFixed(3)}`})`,
    ];
  });
  const hasFixedEffects = parameters.covariates !== undefined || parameters.fixed !== undefined;
  const correlation = hasFixedEffects
    ? 'the correlation of predicted genetic values with observed values less the fixed effects (Legarra et al. 2008)'
    : 'the correlation of observed and predicted values';
  return [
    hasDominance
      ? `Breeding values were predicted by genomic best linear unbiased prediction with an additive (${KINSHIPS[kinship]}) and a dominance relationship matrix (Vitezica et al. 2013);`
      : `Breeding values were predicted by ridge-regression best linear unbiased prediction, fitted as its equivalent with the genomic relationship matrix of ${KINSHIPS[kinship]};`,
    ...(parameters.single_step === true
      ? [
          `this matrix was brought to the scale of the pedigree (Christensen et al. 2012), blended with ${PEDIGREE_SHARE} of the relationships by pedigree, and combined with those of individuals without genotype in one step (Legarra et al. 2009; Christensen and Lund 2010);`,
        ]
      : []),
    'variance components were estimated by restricted maximum likelihood.',
    ...(!hasFixedEffects
      ? []
      : [
          `Fixed effects beside the mean were ${[...(parameters.covariates ?? []), ...(parameters.fixed === undefined ? [] : [`${parameters.fixed} principal components`])].join(', ')}.`,
        ]),
    ...leftOut.inWords(left_out),
    `Markers with a minor allele frequency below ${parameters.thresh_maf} or a call rate below ${parameters.thresh_callrate} were left out, and missing calls were set to the marker mean.`,
    ...Object.values(sentencesOf(MODEL_OPTIONS, parameters)),
    leave_out === undefined
      ? `Predictive ability is ${correlation} in ${n_repetition} repetitions of ${n_fold}-fold cross-validation (seed ${seed}); every fold estimated its own variance components.`
      : `Predictive ability is ${correlation} when each group of ${leave_out} is predicted from all others, with variance components of these others.`,
    ...(sizes.length > 0 ? [`Traits: ${sizes.join('; ')}.`] : []),
    `Effects refer to allele A2. Computed with Heterosis ${software_version}.`,
  ].join(' ');
}
