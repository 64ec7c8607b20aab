import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { hasMarkerEffects, type ModelType } from '@heterosis/contracts/options/model-types';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { leftOut } from '../runs/results/index.ts';

/** The weight of A22 that training uses. */
const PEDIGREE_SHARE = '5 %';

/** Of marker effects that are sampled. */
const PRIORS = {
  BRR: 'a normal prior (Bayesian ridge regression)',
  BAYESCPI: 'the prior of BayesCπ (Habier et al. 2011)',
  BAYESB: 'the prior of BayesB (Meuwissen et al. 2001)',
  BAYESR: 'the prior of BayesR (Erbe et al. 2012)',
};

/** Of the similarity of two lines. */
const KERNELS = {
  GAUSSIAN:
    'the Gaussian kernel of squared distances between marker codes over their median (Gianola and van Kaam 2008), its bandwidth that of the largest restricted likelihood',
  KERNEL_AVERAGE:
    'the mean of three Gaussian kernels of squared distances between marker codes over their median, with bandwidths of 0.2, 1 and 5 (de los Campos et al. 2010)',
};

const isByReml = (type: ModelType): boolean => type === 'RRBLUP' || !hasMarkerEffects(type);

/** Whether the relationships of the markers were left as they are, as those of polyploids are. */
const isAsMarkersGiveIt = (fit: ModelDetail['fit']): boolean =>
  Object.values(fit).some((one) => one?.single_step?.factor === 1 && one.single_step.shift === 0);

/** A paragraph for the methods section of a paper. */
export function modelMethods({ provenance, fit, evaluation, traits, left_out }: ModelDetail): string {
  const { parameters, seed, software_version } = provenance;
  const sizes = traits.flatMap((trait) => {
    const figures = fit[trait];
    const r = evaluation[trait]?.pearson_r.mean;
    if (!figures) return [];
    const lines = figures.errors?.residual_lines;
    const h = figures.kernel?.profile.length ? figures.kernel.bandwidths[0] : undefined;
    return [
      `${trait} (n = ${groupedNumber(figures.n)}, ${groupedNumber(figures.m)} markers${r == null ? '' : `, r = ${r.toFixed(3)}`}${lines == null ? '' : `, variance of lines ${lines.value.toPrecision(3)}`}${h === undefined ? '' : `, h = ${h.toPrecision(3)}`})`,
    ];
  });
  // What has a place of its own; all other sentences follow in the order of the table.
  const { kinship, thresh_maf, covariates, fixed, leave_out, n_fold, n_repetition, ...others } = sentencesOf(
    MODEL_OPTIONS,
    parameters,
  );
  const fixedEffects = [covariates, fixed].filter((words) => words !== undefined);
  const correlation =
    fixedEffects.length > 0
      ? 'the correlation of predicted genetic values with observed values less the fixed effects (Legarra et al. 2008)'
      : 'the correlation of observed and predicted values';
  return [
    parameters.model_type === 'GAUSSIAN' || parameters.model_type === 'KERNEL_AVERAGE'
      ? `Genetic values were predicted by best linear unbiased prediction with ${KERNELS[parameters.model_type]}; on the same folds genomic best linear unbiased prediction was evaluated with the relationship matrix of ${kinship};`
      : parameters.model_type !== 'RRBLUP'
        ? `Breeding values were predicted from marker effects with ${PRIORS[parameters.model_type]}, sampled from their posterior (Gibbs); on the same folds genomic best linear unbiased prediction was evaluated with the relationship matrix of ${kinship}.`
        : parameters.include_dominance_effects
          ? `Breeding values were predicted by genomic best linear unbiased prediction with an additive (${kinship}) and a dominance relationship matrix (Vitezica et al. 2013);`
          : `Breeding values were predicted by ridge-regression best linear unbiased prediction, fitted as its equivalent with the genomic relationship matrix of ${kinship};`,
    ...(parameters.single_step === true
      ? [
          `this matrix was ${isAsMarkersGiveIt(fit) ? '' : 'brought to the scale of the pedigree (Christensen et al. 2012), '}blended with ${PEDIGREE_SHARE} of the relationships by pedigree, and combined with those of individuals without genotype in one step (Legarra et al. 2009; Christensen and Lund 2010);`,
        ]
      : []),
    ...(isByReml(parameters.model_type)
      ? ['variance components were estimated by restricted maximum likelihood.']
      : []),
    ...(fixedEffects.length > 0 ? [`Fixed effects beside the mean were ${fixedEffects.join(', ')}.`] : []),
    ...leftOut.inWords(left_out),
    thresh_maf,
    ...Object.values(others),
    leave_out === undefined
      ? `Predictive ability is ${correlation} in ${n_repetition} of ${n_fold} (seed ${seed}); every fold estimated its own variance components.`
      : `Predictive ability is ${correlation} ${leave_out}.`,
    ...(sizes.length > 0 ? [`Traits: ${sizes.join('; ')}.`] : []),
    `${hasMarkerEffects(parameters.model_type) ? 'Effects refer to allele A2. ' : ''}Computed with Heterosis ${software_version}.`,
  ].join(' ');
}
