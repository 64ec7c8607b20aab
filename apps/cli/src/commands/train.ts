import { modelJson, sampledEffectsCsv } from '@heterosis/analysis/prediction/model-file';
import { estimateTraining, trainModel } from '@heterosis/analysis/prediction/train-model';
import type {
  Agreement,
  KernelFigures,
  SamplingFigures,
  TrainedModel,
  TraitFit,
} from '@heterosis/analysis/prediction/trained-model';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { OUT } from '@heterosis/contracts/options/inputs';
import { TRAIN_OPTIONS } from '@heterosis/contracts/options/models';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, inputError } from '../command.ts';
import { describeTogether, share } from '../describe-together.ts';
import { chainLengths } from '../options/chain-options.ts';
import { GENOTYPE_OPTION, withGenotype } from '../options/genotype-option.ts';
import { LEAVE_OUT_DESCRIPTION, LEAVE_OUT_OPTIONS, leaveOutByOptions } from '../options/leaving-out-options.ts';
import {
  ENGINE_FLAGS,
  estimateResult,
  PEDIGREE_COLUMNS_OPTION,
  refuseTogether,
  reportFailedTraits,
  TRAITS_OPTION,
} from '../options/model-options.ts';
import { readPanelInputs } from '../options/panel-inputs.ts';
import { PHENOTYPE_OR_MEANS_OPTIONS, readTraitSource } from '../options/trait-source.ts';
import { writeOutput } from '../write-output.ts';

export const trainCommand: Command = defineCommand({
  name: 'train',
  summary: 'train a genomic prediction model (RR-BLUP, by a kernel, or by sampling)',
  description: [
    'Fits y = Xb + Zu + e with random marker effects and variance components by REML, for one or several traits. Markers are filtered on all genotyped individuals; individuals without a value of the trait take no part in its fit and are predicted.',
    'With --kinship-file the model is GBLUP on the kinships given: it holds the GEBV and the reliability of every individual in both files, but no marker effects, so it cannot predict other genotypes.',
    'With --pedigree the model is single-step: it holds the GEBV and the reliability of every individual of the pedigree up to 5,000, genotyped or not. Its marker effects carry what the markers explain; 5 % of the variance among the genotyped stays with the pedigree.',
    'Covariates and principal components are fixed effects. A group is compared with the first group of its column. A covariate that is constant, or a combination of those before it, is left out and named.',
    'With --fixed-markers the effects of these markers are fixed effects, with their standard errors, beside the random effects of all markers; both add up in the effects, GEBVs and predictions of the model. Reliabilities stay those of the random effects.',
    'With --means, or --standard-errors, the errors of the values are known: their covariance is Ω in place of a residual variance times the identity, and residual is the average error of a value. --residual-lines estimates a variance of lines beside Ω, for what the relationships do not explain.',
    'With --multi-trait the traits are fitted together: u ~ N(0, G ⊗ K), e ~ N(0, R ⊗ I), G and R estimated without restriction by REML (average information, exact scores, several starts). Lines may lack records of some traits. Standard errors of covariances and correlations rest on the average information. With known errors, R ⊗ D: D is the mean over the traits of a line of its error variance relative to others.',
    'With --model gaussian or kernel-average lines are alike by exp(−h·D²/median of D²) of the squared distances D² between their marker codes, in place of the kinship (Gianola and van Kaam 2008; de los Campos and others 2010). The median is that of all genotyped individuals, and h that of the largest REML likelihood, or 0.2, 1 and 5, averaged. Such a model has no effects of markers, but those of --fixed-markers: predict takes the genotype of the training beside it, and cross and plan refuse it.',
    'With the other names of --model the effects of markers have other priors (brr, bayescpi, bayesb, bayesr) and are sampled from their posterior in several chains. Priors are the defaults of the R package BGLR: half of the variance is expected to come from the markers. R̂ and effective draws say whether the chains have met; when they have not, give more --cycles. The same --seed gives the same bytes on any number of --threads, which run chains side by side.',
    'Names of the two files are matched exactly, then without case and punctuation. A trait that cannot be fitted is reported; the command fails when no trait can.',
    LEAVE_OUT_DESCRIPTION,
  ],
  options: {
    genotype: GENOTYPE_OPTION,
    ...PHENOTYPE_OR_MEANS_OPTIONS,
    trait: TRAITS_OPTION,
    ...flagsOf(TRAIN_OPTIONS),
    'pedigree-columns': PEDIGREE_COLUMNS_OPTION,
    ...LEAVE_OUT_OPTIONS,
    ...ENGINE_FLAGS,
    ...flagsOf({ out: { ...OUT, about: 'The model to write, as JSON.' } }),
  },
  output: [
    'JSON with the markers kept (id, chromosome, position, A1, A2, frequency of A2) and for each trait the intercept, additive and dominance effects per marker, variance components (additive and dominance on the scale of their kinships) with standard errors from the average information (none where a component ended at zero), h2 = additive / (additive + dominance + residual), H2 with dominance in the numerator too, kinship_pve = the share of the phenotypic variance of the individuals observed that additive effects explain, REML log-likelihood with all constants, and the GEBV (breeding value) and reliability of every genotyped individual. Without dominance GEBV = intercept + Σ copies of A2 × additive effect. With dominance that sum plus Σ heterozygous × dominance effect is the genotypic value, given beside the breeding value, in which each copy of A2 counts its average effect of substitution, additive + (1 − 2p) × dominance, p the frequency of A2 among the individuals with the trait. With --multi-trait, multiTrait has the covariances, correlations with standard errors, and the REML log-likelihood without ½ log|XᵀX|, and with it (log_likelihood_contrasts, as of one trait and as GEMMA prints it); --json has them as multi_trait. Of a model by a kernel additive has only the effects of fixed markers, and the fit a part kernel: bandwidths, the profile of the likelihood, the median distance, and the weights of the individuals; variance.additive is that of the kernel. Of a model by sampling the fit has a part sampling: the chains, posterior means and standard deviations of the variances with R̂ and effective draws, and by marker the inclusion probability with its Monte-Carlo error; variance.additive is the genetic variance among the individuals with a value, reliability = 1 − posterior variance of the GEBV / genetic variance, scaled by how far an individual is from the mean genotype.',
  ],
  examples: [
    'heterosis train --genotype maize.vcf.gz --phenotype traits.csv --trait EarHT,dpoll --out model.json',
    'heterosis train --genotype lines.vcf.gz --means means.csv --covariance covariance.csv --trait Yield --out model.json',
    'heterosis train --genotype maize.vcf.gz --phenotype traits.csv --trait EarHT,dpoll --multi-trait --out together.json',
    'heterosis train --genotype maize.vcf.gz --phenotype traits.csv --trait EarHT --model bayescpi --early-stop --effects-out sampled.csv --out model.json',
    'heterosis train --genotype maize.vcf.gz --phenotype traits.csv --trait EarHT --model gaussian --out kernel.json',
    'heterosis predict --model model.json --genotype candidates.vcf.gz --out predictions.csv',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  async run(options, io) {
    const asked = optionsOfFlags(TRAIN_OPTIONS, options);
    refuseTogether(TRAIN_OPTIONS, asked);
    const source = await readTraitSource(options, io);
    const inputsOfPanel = await readPanelInputs(options, source, io);
    const trained = await withGenotype(options.genotype, io, async (whole) => {
      const leftOut = await leaveOutByOptions(whole, options, io);
      const input = { ...inputsOf(TRAIN_OPTIONS, asked), ...(await inputsOfPanel(leftOut.panel)) };
      const { model } = asked;
      if (model === 'gaussian' || model === 'kernel-average') {
        refuseComputation(options, 'kernels');
        const { trainByKernel } = await import('@heterosis/analysis/prediction/kernels/train-by-kernel');
        return { plan: null, model: await trainByKernel(input, model, io.context), leftOut };
      }
      if (model !== undefined && model !== 'rrblup') {
        refuseComputation(options, 'sampling');
        const { trainBySampling } = await import('@heterosis/analysis/prediction/sampling/train-by-sampling');
        const trained = await trainBySampling(input, { model, ...chainLengths(options) }, io.context);
        return { plan: null, model: trained, leftOut };
      }
      return options.estimate
        ? { plan: await estimateTraining(input, io.context), model: null }
        : { plan: null, model: await trainModel(input, io.context), leftOut };
    });
    if (trained.model === null) return estimateResult(trained.plan);
    const { model, leftOut } = trained;
    reportFailedTraits(model.traits, source.path, io);
    io.context.onProgress?.({ stage: 'write', done: 0, total: 1 });
    await writeOutput(options.out, [
      modelJson(leftOut.report === undefined ? model : { ...model, leftOut: leftOut.report }),
    ]);
    if (options['effects-out'] !== undefined) await writeOutput(options['effects-out'], sampledEffectsCsv(model));
    return {
      summary: {
        n_genotyped: model.individuals.length,
        m: model.markers.id.length,
        markers_read: model.markersRead,
        imputed_calls: model.imputedCalls,
        ...leftOut.summary,
        engine: model.engine?.name,
        engine_reason: model.engine?.reason,
        ...(model.singleStep === undefined ? {} : { single_step: model.singleStep }),
        ...(model.multiTrait === undefined ? {} : { multi_trait: { ...model.multiTrait, error_weights: undefined } }),
        traits: model.traits.map(({ name, error, fit }) =>
          fit === null
            ? { trait: name, error }
            : {
                trait: name,
                n: fit.n,
                intercept: fit.intercept,
                variance: fit.variance,
                H2: fit.H2,
                ...(fit.errors === undefined
                  ? {}
                  : { errors: fit.errors.from, residual_lines: fit.errors.residual_lines }),
                ...(fit.fixedEffects.length > 0 ? { fixed_effects: fit.fixedEffects } : {}),
                ...(fit.withoutCovariate > 0 ? { without_covariate: fit.withoutCovariate } : {}),
                ...(fit.sampling === undefined ? {} : { sampling: withoutArrays(fit.sampling) }),
                ...(fit.kernel === undefined ? {} : { kernel: withoutArrays(fit.kernel) }),
                log_likelihood: finite(fit.logLikelihood),
                iterations: fit.iterations,
                converged: fit.converged,
                at_boundary: fit.atBoundary,
                seconds: fit.seconds,
              },
        ),
        out: options.out,
      },
      lines: [
        ...leftOut.lines,
        ...source.lines,
        ...describeSingleStep(model),
        model.kinshipFrom === 'file'
          ? `kinship file, ${model.individuals.length} genotyped individuals, no marker effects`
          : `${model.markers.id.length} of ${model.markersRead} markers, ${model.individuals.length} genotyped individuals`,
        ...(model.engine === undefined ? [] : [`computed from the ${model.engine.name}: ${model.engine.reason}`]),
        ...model.traits.flatMap(({ name, fit }) => {
          if (fit === null) return [];
          return fit.sampling === undefined ? describeFit(name, fit) : describeSampled(name, fit, fit.sampling);
        }),
        ...(model.multiTrait === undefined ? [] : describeTogether(model.multiTrait)),
        `written: ${options.out}`,
      ],
    };
  },
});

function refuseComputation({ estimate, engine }: { estimate: boolean; engine: string }, by: string): void {
  if (!estimate && engine === 'auto') return;
  throw inputError(
    'E-CLI-OPTION',
    `A model by ${by} does not go with ${estimate ? '--estimate' : `--engine ${engine}`}.`,
    'Leave out one of them.',
  );
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Figures without those by marker and by individual. */
const withoutArrays = (figures: SamplingFigures | KernelFigures): Record<string, unknown> =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => !(value instanceof Float64Array)));

/** What the chains found, and whether they agree. */
function describeSampled(name: string, { n, variance }: TraitFit, sampling: SamplingFigures): string[] {
  const { chains, cycles, burn_in, residual_variance, genetic_variance, markers_included, gebv_r_hat } = sampling;
  const quantities: [string, Agreement][] = [
    ['residual variance', residual_variance],
    ['genetic variance', genetic_variance],
    ...(markers_included === null ? [] : ([['markers with an effect', markers_included]] as [string, Agreement][])),
  ];
  const apart = quantities.filter(([, { r_hat, effective_size }]) => r_hat > 1.01 || effective_size < 400);
  const likely = sampling.inclusion.filter((share) => share > 0.5).length;
  return [
    `${name}: ${sampling.model}, n = ${n}, ${chains} ${chains === 1 ? 'chain' : 'chains'} of ${cycles} cycles, ${burn_in} of them burn-in${sampling.stopped_early ? ' (stopped early)' : ''}`,
    ...quantities.map(
      ([what, { mean, sd, r_hat, effective_size }]) =>
        `${name}: ${what} ${component(mean, sd)}, R̂ ${r_hat.toFixed(3)}, ${Math.round(effective_size)} effective draws`,
    ),
    `${name}: h² = ${share(variance.h2, null)} among the individuals with a value${markers_included === null ? '' : `; ${likely} markers have an effect with a probability above 0.5`}`,
    ...(sampling.has_met
      ? [`${name}: the chains have met (R̂ of GEBVs at most ${gebv_r_hat.toFixed(3)})`]
      : [
          `${name}: the chains have not met: ${[
            ...apart.map(([what, { r_hat, effective_size }]) =>
              r_hat > 1.01
                ? `R̂ ${r_hat.toFixed(2)} of the ${what}`
                : `${Math.round(effective_size)} effective draws of the ${what}`,
            ),
            ...(gebv_r_hat > 1.01 ? [`R̂ ${gebv_r_hat.toFixed(2)} of a GEBV`] : []),
          ].join(', ')}. Give more --cycles and --burn-in; R̂ should be at most 1.01, effective draws 400 or more.`,
        ]),
  ];
}

/** How pedigree and markers were combined. */
function describeSingleStep({ singleStep, individuals }: TrainedModel): string[] {
  if (singleStep === undefined) return [];
  const { genotyped, without_pedigree, left_out, shift, factor, pedigree_weight } = singleStep;
  return [
    `single step: ${individuals.length} individuals, ${genotyped} genotyped${without_pedigree > 0 ? `, ${without_pedigree} of them not in the pedigree` : ''}${left_out > 0 ? `; ${left_out} more of the pedigree left out` : ''}`,
    `G* = ${(1 - pedigree_weight).toFixed(2)} × (${shift.toFixed(4)} + ${factor.toFixed(4)} × G) + ${pedigree_weight.toFixed(2)} × A22`,
  ];
}

/** Components with their standard errors, then the figures derived from them. */
function describeFit(name: string, fit: TraitFit): string[] {
  const { n, variance, H2, converged, fixedEffects, withoutCovariate, errors, kernel } = fit;
  const lines = errors?.residual_lines;
  const { additive, dominance, residual, h2, kinship_pve, dominance_pve, standard_errors: se } = variance;
  const components = [
    `additive ${component(additive, se?.additive)}`,
    ...(dominance === null ? [] : [`dominance ${component(dominance, se?.dominance)}`]),
    `residual ${component(residual, errors === undefined ? se?.residual : undefined)}`,
    ...(lines === undefined || lines === null
      ? []
      : [`of which lines beyond their relationships ${component(lines.value, lines.standard_error)}`]),
  ];
  const heritabilities = [`h² = ${share(h2, se?.h2)}`, ...(dominance === null ? [] : [`H² = ${share(H2, se?.H2)}`])];
  const explained = [
    `kinship ${share(kinship_pve, se?.kinship_pve)}`,
    ...(dominance_pve === null ? [] : [`dominance ${share(dominance_pve, se?.dominance_pve)}`]),
  ];
  return [
    `${name}: n = ${n}, variance ${components.join(', ')}${converged ? '' : ', not converged'}`,
    `${name}: ${heritabilities.join(', ')}; share of the phenotypic variance explained: ${explained.join(', ')}`,
    ...(kernel === undefined ? [] : [`${name}: ${describeKernel(kernel)}`]),
    ...(withoutCovariate === 0 ? [] : [`${name}: ${withoutCovariate} individuals lack a covariate and were left out`]),
    ...fixedEffects.map(({ name: column, group, use, estimate, standard_error }) => {
      const what = group === null ? column : `${column} ${group}`;
      return `${name}: ${what} ${use === 'used' ? component(estimate, standard_error) : `left out, ${use}`}`;
    }),
  ];
}

function describeKernel({ bandwidths, is_at_end: isAtEnd, profile }: KernelFigures): string {
  if (profile.length === 0) return `mean of the kernels with h = ${bandwidths.join(', ')}`;
  const [h = Number.NaN] = bandwidths;
  const end = !isAtEnd
    ? ''
    : h === profile[0]?.bandwidth
      ? ', the least tried: nearly linear in the distances, as RR-BLUP is'
      : ', the largest tried: lines that are no near relatives tell nothing of each other';
  return `kernel with h = ${Number(h.toPrecision(4))}${end}`;
}

function component(value: number, error: number | null | undefined): string {
  const short = (digits: number) => String(Number(digits.toPrecision(4)));
  return error == null ? short(value) : `${short(value)} ± ${short(error)}`;
}
