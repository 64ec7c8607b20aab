import { defineOptions } from './define-options.ts';
import { hasMarkerEffects, KERNEL_TYPES, MODEL_TYPES, type ModelType } from './model-types.ts';
import { POLYPLOID_PEDIGREE_OPTIONS } from './pedigrees.ts';
import { definePresets } from './presets.ts';
import { CHAIN_OPTIONS, SAMPLED_TRAINING_OPTIONS } from './sampler.ts';
import { COVARIATES, FIXED, KINSHIP_FILE_OPTION, MARKER_OPTIONS, MEANS_OPTIONS, SEED } from './shared.ts';
import { enumeration } from './words.ts';

const LONG_RUNS = 'Each fold is a model of its own, and a server has other runs.';
/** Where several traits are fitted together. */
const TOGETHER = { multi_trait: [true] } as const;
/** Models of lines in several environments. */
const ENVIRONMENT_MODELS = ['gxe-mm', 'gxe-mds', 'gxe-mde'] as const;
/** Models of one trait on the same folds, the simplest first. */
const COMPARED_MODELS = ['rrblup', 'gaussian', 'kernel-average', 'brr', 'bayescpi', 'bayesb', 'bayesr'] as const;
/** Models on the same folds. */
const EVALUATED_MODELS = [...COMPARED_MODELS, ...ENVIRONMENT_MODELS] as const;
/** Where environments may stand as traits. */
const TOGETHER_OR_MODELS = { ...TOGETHER, model: EVALUATED_MODELS } as const;
const KERNELS_ALONE = {
  message: '--model compares kernels of additive models of phenotype files, whose only fixed effect is the mean.',
  action: 'Leave out one of the two.',
};
const RRBLUP_ALONE = {
  message: 'Models by kernels and by sampling learn from markers alone, with the mean as their only fixed effect.',
  action: 'Leave out one of the two, or take --model rrblup.',
};
/** Models by a kernel of marker distances. */
const KERNEL_MODELS = ['gaussian', 'kernel-average'] as const;
const BESIDE_KINSHIP = {
  message: 'Fixed markers stand beside the additive kinship of the markers.',
  action: 'Leave out one of the two.',
};
const NOT_NAMED = 'A request names the file as an input.';

/** Of a model. In the order of `heterosis train`. */
export const TRAINING_OPTIONS = defineOptions({
  dominance_effect: {
    kind: 'flag',
    about: 'Fits dominance beside additive effects.',
    label: 'Dominance Effect Model',
    hint: 'Needs heterozygous individuals; dominance cannot be estimated from inbred lines alone.',
    input: 'dominance',
    stored: 'elsewhere',
    cli: { name: 'dominance', help: 'Fit dominance effects beside the additive ones (not for homozygous lines).' },
  },
  multi_trait: {
    kind: 'flag',
    about:
      'Fits two to six traits together, with genetic and residual covariances between them by REML: a record of one trait serves the values of all, and a line may lack some of them.',
    label: 'Fit the traits together',
    group: 'Advanced',
    hint: 'Two to six traits, with genetic and residual correlations between them. It gains where a correlated trait is known of lines whose own trait is not, and nothing where traits are hardly correlated; the evaluation shows both.',
    says: (_: boolean, { genetic_factors: factors }: { genetic_factors?: number }) =>
      `The traits were fitted together, with ${factors === undefined ? 'unstructured genetic and residual covariances' : `genetic covariances of ${factors} ${factors === 1 ? 'factor' : 'factors'} and specific variances (Smith, Cullis & Thompson 2001) and unstructured residual covariances`} between them (Henderson & Quaas 1976), estimated by average-information REML (Johnson & Thompson 1995); predictive abilities are those of lines without any record.`,
    not: {
      dominance_effect: {
        message: 'Several traits together have additive effects only.',
        action: 'Leave out --dominance, or --multi-trait.',
      },
      residual_lines: {
        message:
          'Several traits together estimate their residual covariances, and know errors only relative to each other.',
        action: 'Leave out --residual-lines, or --multi-trait.',
      },
    },
  },
  genetic_factors: {
    kind: 'integer',
    min: 1,
    max: 4,
    about:
      'Factors that make the genetic covariances of traits fitted together, beside a variance of its own of each trait (factor-analytic). Absent: the covariances are unstructured, with two to six traits; with factors there may be twelve.',
    label: 'Genetic factors',
    group: 'Advanced',
    hint: 'Of traits together: a few factors in place of a covariance for each pair. With them up to twelve traits; empty for unstructured covariances of up to six.',
    needs: {
      multi_trait: {
        message: '--genetic-factors is about traits that are fitted together.',
        action: 'Add --multi-trait.',
        hint: 'Of traits that are fitted together.',
      },
    },
    judgedBefore: true,
  },
  kinship: {
    kind: 'choice',
    choices: ['vanraden1', 'standardized'],
    default: 'vanraden1',
    about: 'vanraden1: VanRaden 2008, method 1; standardized: method 2.',
    stored: 'always',
    says: (kinship: 'vanraden1' | 'standardized') =>
      ({ vanraden1: 'VanRaden 2008, method 1', standardized: 'VanRaden 2008, method 2' })[kinship],
    cli: { help: 'vanraden1 is RR-BLUP on allele counts; standardized gives rare alleles larger effects.' },
  },
  ...MARKER_OPTIONS,
  fixed: {
    ...FIXED,
    about: 'Principal components of the kinship fitted as fixed effects.',
    hint: 'Axes of the population structure as fixed effects; 0 for none.',
    input: 'principalComponents',
    says: (axes: number) => `${axes} principal components`,
    cli: {
      help: 'Principal components of the kinship of all genotyped individuals as fixed effects. They follow from the genotypes, so their part stays in the values predicted.',
    },
  },
  covariates: {
    ...COVARIATES,
    about: 'Columns of the phenotype file fitted as fixed effects, in training and in each part of the evaluation.',
    says: (names: readonly string[]) => names.join(', '),
    cli: {
      placeholder: 'NAME,NAME',
      help: 'Columns of the phenotype file as fixed effects: numbers (age) as they are, words and design columns (origin, location) as groups. Individuals that lack one of them take no part. Values predicted by a model hold for average covariates.',
    },
  },
  covariate_kinds: {
    kind: 'own',
    byName: true,
    title: 'Kind of covariate',
    about: 'Covariate → factor for numbers that are codes for groups, numeric for a measurement.',
    cli: { why: '--covariates NAME:factor and NAME:numeric say it.' },
  },
  fixed_markers: {
    kind: 'list',
    most: 50,
    trims: true,
    default: [],
    about:
      'Markers, by name, with fixed effects beside the kinship or kernel, such as large genes found before: their effects are not shrunk, and stand among those of all markers. Markers found in the same records win less in new ones than here.',
    label: 'Markers with fixed effects',
    hint: 'Large genes, such as hits of a GWAS: their effects are not shrunk. Of hits in the same records the cross-validation promises too much.',
    input: false,
    judgedBefore: true,
    cli: { placeholder: 'NAME,NAME' },
    not: {
      dominance_effect: BESIDE_KINSHIP,
      kinship_file: BESIDE_KINSHIP,
      pedigree: BESIDE_KINSHIP,
      multi_trait: BESIDE_KINSHIP,
    },
    says: (markers: readonly string[]) =>
      `${enumeration(markers)} ${markers.length === 1 ? 'was' : 'were'} fitted with fixed effects beside the relationships, which count among the genetic values (Bernardo 2014).`,
  },
  ...MEANS_OPTIONS,
  optimize_time: {
    kind: 'number',
    min: 0,
    max: 86_400,
    nullable: true,
    default: 120,
    unit: 's',
    label: 'Time limit of the fit',
    title: 'Time limit of the fit (s)',
    hint: 'Of the search for variance components with dominance. Empty for none: the result then does not depend on the speed of the machine.',
    group: 'Advanced',
    about: 'Time limit in seconds for the variance estimation of a trait; null for none.',
    input: 'optimizeSeconds',
    stored: 'always',
    cli: {
      max: Number.POSITIVE_INFINITY,
      default: null,
      placeholder: 'SECONDS',
      help: 'Stop the search for variance components with dominance after so many seconds and keep the best found. Default: no limit.',
      why: 'A server has other runs, and results of the command line shall not depend on the speed of the machine.',
    },
  },
  ...KINSHIP_FILE_OPTION,
  pedigree: {
    kind: 'text',
    about:
      'Single-step prediction: combine the relationships of this pedigree with those of the markers (H of Legarra and others, 2009). Individuals of the pedigree without genotype train the model when they have a phenotype, and get a GEBV. Not with --dominance, --fixed or --kinship-file.',
    only: { place: 'cli', why: `${NOT_NAMED} (\`pedigree_id\`).` },
    input: false,
    cli: { path: 'read', placeholder: 'P' },
  },
  ...POLYPLOID_PEDIGREE_OPTIONS,
});

/** Of `heterosis train`: models by REML and by sampling. */
export const TRAIN_OPTIONS = defineOptions({
  ...TRAINING_OPTIONS,
  ...SAMPLED_TRAINING_OPTIONS,
  model: {
    ...SAMPLED_TRAINING_OPTIONS.model,
    not: {
      dominance_effect: RRBLUP_ALONE,
      fixed: RRBLUP_ALONE,
      covariates: RRBLUP_ALONE,
      means: RRBLUP_ALONE,
      standard_errors: RRBLUP_ALONE,
      kinship: { ...RRBLUP_ALONE, message: 'The standardized kinship is that of RR-BLUP.' },
      kinship_file: RRBLUP_ALONE,
      pedigree: RRBLUP_ALONE,
      multi_trait: RRBLUP_ALONE,
      fixed_markers: { ...RRBLUP_ALONE, unless: { model: KERNEL_MODELS } },
    },
  },
});

/** Of a cross-validation. In the order of `heterosis evaluate`. */
export const EVALUATION_OPTIONS = defineOptions({
  folds: {
    kind: 'text',
    about:
      'Use these folds: a CSV with the individuals in the first column and a column for each repetition. Replaces --n-fold, --n-repetition and --seed.',
    only: { place: 'cli', why: 'The server draws its folds by the seed, and stores them with the run.' },
    input: false,
    not: {
      leave_out: {
        message: '--leave-out makes folds of its own, and --folds gives others.',
        action: 'Leave out one of them.',
      },
    },
    cli: { path: 'read', placeholder: 'FILE' },
  },
  leave_out: {
    kind: 'text',
    about:
      'Column of the phenotype file, such as the family: each of its groups is predicted once from all others, in place of random folds. `environment`: the means of each environment of the trial are predicted from those of the others. `n_fold` and `n_repetition` are then of no use.',
    label: 'Cross-validation',
    title: 'Left out',
    says: (column: string) =>
      `when each group of ${column} is predicted from all others, with variance components of these others`,
    hint: 'How predictive ability is measured: individuals in random folds, or groups that the model has never seen.',
    cli: {
      placeholder: 'COLUMN',
      help: 'Predict each group of this column of the phenotype file (family, origin) from the others, once. environment predicts the means of each environment from those of the others. Replaces --n-fold, --n-repetition and --seed.',
    },
  },
  n_fold: {
    kind: 'integer',
    min: 2,
    max: 50,
    default: 5,
    about: 'Folds of the cross-validation.',
    label: 'Folds',
    hint: 'Of random folds.',
    group: 'Advanced',
    stored: 'always',
    says: (count: number) => `${count}-fold cross-validation`,
    cli: { max: 10_000, help: 'Number of folds.', why: LONG_RUNS },
  },
  n_repetition: {
    kind: 'integer',
    min: 1,
    max: 100,
    default: 10,
    about: 'Repetitions of the cross-validation, each with other folds.',
    label: 'Repetitions',
    hint: 'SDs are over them.',
    group: 'Advanced',
    stored: 'always',
    says: (count: number) => `${count} repetitions`,
    cli: { max: 10_000, help: 'Number of repetitions.', why: LONG_RUNS },
  },
  seed: { ...SEED, about: 'Seed of the random folds.' },
  scheme: {
    kind: 'choice',
    choices: ['cv1', 'cv2', 'cv0', 'cv00'],
    about:
      'With --means of several environments, what the cross-validation hides: cv1, lines in all environments; cv2, lines in single environments; cv0, environments; cv00, environments and lines at once. The model is that of `heterosis series`: every training part has the covariance of the errors of its own means and estimates its own variances, and r is that among the lines of an environment. With --multi-trait, cv1 hides all traits of the lines of a fold, cv2 the trait that is predicted.',
    only: {
      place: 'cli',
      why: 'The server has no means of several environments; of several traits together it shows cv1 and cv2.',
    },
    input: false,
    needs: {
      means: {
        message: '--scheme is about --means, --multi-trait or --model.',
        action: 'Give means of several environments, or add --multi-trait or --model.',
        unless: TOGETHER_OR_MODELS,
      },
    },
    not: {
      covariates: {
        message: 'The model of several environments has no covariates.',
        action: 'Leave out --covariates, or --scheme.',
        unless: TOGETHER,
      },
      fixed: {
        message: 'The model of several environments has no principal components.',
        action: 'Leave out --fixed, or --scheme.',
        unless: TOGETHER,
      },
      folds: {
        message: '--scheme makes folds of its own.',
        action: 'Leave out --folds.',
        unless: TOGETHER_OR_MODELS,
      },
      leave_out: { message: '--scheme makes folds of its own.', action: 'Leave out --leave-out.' },
    },
  },
  model: {
    kind: 'list',
    choices: EVALUATED_MODELS,
    about:
      'Compare models on the same folds: rrblup, the kinship of the markers; gaussian, the kernel exp(−h·D²/median of D²) of the squared distances D² between marker codes, h of the largest REML likelihood in each training part; kernel-average, the mean of such kernels with h = 0.2, 1 and 5; brr, bayescpi, bayesb, bayesr, models by sampling as of `heterosis train`, each fold with chains of its own. gxe-mm, gxe-mds and gxe-mde take the traits as environments of one trait (Cuevas and others, 2017): a main effect of the line with the kernel --gxe-kernel, beside it nothing, a part of its own in each environment with one variance, or with one for each environment; --scheme cv1 hides lines, cv2 records. The table has a column model.',
    only: { place: 'cli', why: 'It is `compared_models` of a request.' },
    input: false,
    not: {
      dominance_effect: KERNELS_ALONE,
      fixed: KERNELS_ALONE,
      covariates: KERNELS_ALONE,
      means: KERNELS_ALONE,
      standard_errors: KERNELS_ALONE,
      kinship_file: KERNELS_ALONE,
      pedigree: KERNELS_ALONE,
      multi_trait: KERNELS_ALONE,
      leave_out: { message: '--model predicts random or given folds.', action: 'Leave out --leave-out.' },
      compare: { message: '--model compares its models with each other.', action: 'Leave out --compare.' },
    },
    cli: { placeholder: 'NAME,NAME' },
  },
  ...CHAIN_OPTIONS,
  gxe_kernel: {
    kind: 'choice',
    choices: ['gaussian', 'linear'],
    default: 'gaussian',
    about:
      'Kernel of the lines in models with genotype by environment: gaussian, exp(−D²/median of D²); linear, products of markers less their mean over their standard deviation, divided by their number.',
    only: { place: 'cli', why: 'It belongs to `model`.' },
    input: false,
    needs: { model: { message: '--gxe-kernel is about --model.', action: 'Add --model gxe-mde.' } },
  },
  comparison: {
    kind: 'text',
    about:
      'Write the differences of r between the models of --model, or of traits together and alone, to this CSV file: model1, model2, trait, difference (the first minus the second), se, p of the corrected resampled t-test.',
    only: { place: 'cli', why: 'It belongs to `model`.' },
    input: false,
    needs: {
      model: { message: '--comparison is about --model.', action: 'Name models to compare.', unless: TOGETHER },
    },
    cli: { path: 'write', placeholder: 'FILE' },
  },
  structure: {
    kind: 'text',
    about: 'Covariance between environments with --scheme, as of `heterosis series`: cs, diag, fa1, fa2, …',
    default: 'cs',
    only: { place: 'cli', why: 'It belongs to `scheme`.' },
    input: false,
    needs: { scheme: { message: '--structure goes with --scheme.', action: 'Choose a scheme.' } },
    cli: { placeholder: 'cs|diag|fa1|…' },
  },
  compare: {
    kind: 'text',
    about:
      'Compare with an evaluation that was written before, on the same folds: the mean difference of r (this model minus that one) and the corrected resampled t-test (Nadeau and Bengio 2003).',
    only: { place: 'cli', why: 'The server has no evaluation of a second model on the same folds.' },
    input: false,
    cli: { path: 'read', placeholder: 'FILE' },
  },
  folds_out: {
    kind: 'text',
    about: 'Write the folds used to this CSV file (of the first trait).',
    only: { place: 'cli', why: 'The page of the model offers the file.' },
    input: false,
    cli: { path: 'write', placeholder: 'FILE' },
  },
});

const { residual_lines: RESIDUAL_LINES } = MEANS_OPTIONS;

const GBLUP_ALONE = {
  message: 'Models by kernels and by sampling learn from markers alone, with the mean as their only fixed effect.',
  action: 'Leave out one of the two.',
};
type SampledChains = Partial<Record<'cycles' | 'burn_in' | 'chains', number>>;

/** In sentences. */
const COMPARED_NAMES: Readonly<Record<string, string>> = {
  ...{ rrblup: 'GBLUP', gaussian: 'the Gaussian kernel', 'kernel-average': 'the average of three Gaussian kernels' },
  ...{ brr: 'Bayesian ridge regression', bayescpi: 'BayesCπ', bayesb: 'BayesB', bayesr: 'BayesR' },
};

const COMPARED_ALONE = {
  message: 'Models are compared whose only fixed effect is the mean, with additive effects and unknown errors.',
  action: 'Leave out one of the two.',
};

/** Training and cross-validation, which are one run on a server. */
export const MODEL_OPTIONS = defineOptions({
  ...TRAINING_OPTIONS,
  multi_trait: {
    ...TRAINING_OPTIONS.multi_trait,
    not: {
      ...TRAINING_OPTIONS.multi_trait.not,
      leave_out: {
        message: 'Several traits together are evaluated in random folds.',
        action: 'Leave out --leave-out, or --multi-trait.',
      },
    },
  },
  ...EVALUATION_OPTIONS,
  fixed_markers: {
    ...TRAINING_OPTIONS.fixed_markers,
    not: {
      ...TRAINING_OPTIONS.fixed_markers.not,
      scheme: {
        message: 'The model of several environments has no markers with fixed effects.',
        action: 'Leave out --fixed-markers, or --scheme.',
        unless: TOGETHER_OR_MODELS,
      },
    },
  },
  residual_lines: {
    ...RESIDUAL_LINES,
    needs: {
      standard_errors: {
        ...RESIDUAL_LINES.needs.standard_errors,
        unless: { ...RESIDUAL_LINES.needs.standard_errors.unless, model: ENVIRONMENT_MODELS },
      },
    },
  },
  exclusions: {
    kind: 'own',
    about: 'Left out before training and evaluation, and counted before `thresh_maf` and `thresh_callrate`.',
    label: 'Leave out',
    cli: { why: '--only-samples, --leave-out-samples and the flags after them read lists from files.' },
  },
  compared_models: {
    kind: 'list',
    choices: COMPARED_MODELS,
    default: [],
    about:
      'Further models that are evaluated on the same folds and compared with the one that is trained, by paired differences of r and the corrected resampled t-test: rrblup, the kinship of the markers; gaussian, the kernel exp(−h·D²/median of D²) of the squared distances between marker codes, h of the largest REML likelihood in each training part; kernel-average, the mean of such kernels with h = 0.2, 1 and 5; brr, bayescpi, bayesb and bayesr, models by sampling, each fold with chains of its own.',
    label: 'Compare with',
    title: 'Compared models',
    group: 'Advanced',
    hint: 'Other models on the same folds. The evaluation shows which differences are more than chance, and what each took.',
    only: { place: 'api', why: 'It is --model of `heterosis evaluate`.' },
    input: false,
    not: {
      dominance_effect: COMPARED_ALONE,
      fixed: COMPARED_ALONE,
      covariates: COMPARED_ALONE,
      standard_errors: COMPARED_ALONE,
      multi_trait: { ...COMPARED_ALONE, message: 'Traits together are compared with each trait alone.' },
      leave_out: { ...COMPARED_ALONE, message: 'Models are compared in random folds.' },
    },
    says: (models: readonly string[]) =>
      `On the same folds ${enumeration(['the model', ...models.map((model) => COMPARED_NAMES[model] ?? model)])} were compared by the corrected resampled t-test (Nadeau and Bengio 2003).`,
  },
  model_type: {
    kind: 'choice',
    choices: MODEL_TYPES,
    default: 'RRBLUP',
    about:
      'The prior of the marker effects, or a kernel. RRBLUP: normal, its variance by REML, which is GBLUP. GAUSSIAN: no effects of markers, but the kernel exp(−h·D²/median of D²) of the squared distances between marker codes, h of the largest REML likelihood; KERNEL_AVERAGE: the mean of such kernels with h = 0.2, 1 and 5. They predict by the genotype of the training, which must not be deleted, and crosses cannot be judged by them. The others are sampled from their posterior in chains: BRR, normal; BAYESCPI, no effect or a normal one, the share of markers with an effect unknown; BAYESB, the same with a variance of its own for each effect; BAYESR, no effect or one that explains 0.01, 0.1 or 1 % of the genetic variance.',
    label: 'Model',
    group: 'Advanced',
    labels: {
      RRBLUP: 'GBLUP',
      GAUSSIAN: 'Gaussian kernel',
      KERNEL_AVERAGE: 'Kernel average',
      BAYESCPI: 'BayesCπ',
      BAYESB: 'BayesB',
      BAYESR: 'BayesR',
      BRR: 'Bayesian ridge',
    },
    hint: 'GBLUP is right for most traits. Models by sampling are worth their time where a few genes are large; kernels where genes act together, but crosses cannot be planned by them.',
    only: { place: 'api', why: 'It is --model of `heterosis train`.' },
    input: false,
    stored: 'always',
    not: {
      dominance_effect: GBLUP_ALONE,
      fixed: GBLUP_ALONE,
      covariates: GBLUP_ALONE,
      standard_errors: GBLUP_ALONE,
      multi_trait: GBLUP_ALONE,
      fixed_markers: {
        message: 'A model by sampling has additive effects of markers, and the mean as its only fixed effect.',
        action: 'Leave out one of the two.',
        unless: { model_type: KERNEL_TYPES },
      },
      leave_out: { ...GBLUP_ALONE, message: 'Models by kernels and by sampling are evaluated in random folds.' },
    },
    says: (model: ModelType, { cycles, burn_in, chains }: SampledChains) =>
      model === 'RRBLUP' || !hasMarkerEffects(model)
        ? ''
        : `Posterior means are those of ${chains ?? CHAIN_OPTIONS.chains.default} chains of ${cycles ?? CHAIN_OPTIONS.cycles.default} cycles, the first ${burn_in ?? CHAIN_OPTIONS.burn_in.default} left out, with the default priors of the R package BGLR (Pérez and de los Campos 2014).`,
  },
});

export const MODEL_PRESETS = definePresets(MODEL_OPTIONS, {
  quick: {
    label: 'Quick look',
    about:
      'One repetition in place of 10, and at most 30 s for each fit with dominance: a tenth of the usual cross-validation, but r has no SD.',
    values: { n_fold: 5, n_repetition: 1, optimize_time: 30 },
  },
  publication: {
    label: 'Publication',
    // The standard error of an SD over n repetitions is about 1/√(2(n − 1)) of it: 24 % with 10, 10 % with 50.
    about:
      '50 repetitions in place of 10, and no time limit: the SD of r is known to about 10 %, no result depends on the machine, and cross-validation takes five times as long.',
    values: { n_fold: 5, n_repetition: 50, optimize_time: null },
  },
});
