import { SEED } from './shared.ts';

const SAMPLED = ['brr', 'bayescpi', 'bayesb', 'bayesr'] as const;

/** On a server the lengths of chains rest where no model is sampled. */
function sampled<const Flag extends string>(flag: Flag) {
  const rule = {
    message: `${flag} is about models by sampling.`,
    action: 'Add --model bayescpi, for one.',
    place: 'cli',
  } as const;
  return { needs: { model: rule }, not: { model: { ...rule, unless: { model: SAMPLED } } } } as const;
}

const OTHER_RUNS = 'A server has other runs.';

/** Of the chains of a model by sampling, in training and evaluation. */
export const CHAIN_OPTIONS = {
  cycles: {
    ...sampled('--cycles'),
    kind: 'integer',
    min: 100,
    max: 200_000,
    default: 12_000,
    about: 'Cycles of each chain of a model by sampling, with the burn-in.',
    label: 'Cycles of a chain',
    group: 'Advanced',
    hint: 'With the burn-in. More where the chains have not met.',
    cli: { max: 10_000_000, why: OTHER_RUNS },
    input: false,
  },
  burn_in: {
    ...sampled('--burn-in'),
    kind: 'integer',
    min: 0,
    max: 100_000,
    default: 2000,
    about: 'Cycles at the beginning of each chain that do not count.',
    label: 'Burn-in',
    group: 'Advanced',
    hint: 'Cycles at the beginning that do not count.',
    cli: { max: 10_000_000, why: OTHER_RUNS },
    input: false,
  },
  chains: {
    ...sampled('--chains'),
    kind: 'integer',
    min: 1,
    max: 8,
    default: 3,
    about: 'Chains of a model by sampling. They tell whether they have met (R̂), and run side by side.',
    label: 'Chains',
    group: 'Advanced',
    hint: 'They tell whether they have met (R̂).',
    cli: { max: 64, why: OTHER_RUNS },
    input: false,
  },
  early_stop: {
    ...sampled('--early-stop'),
    kind: 'flag',
    about:
      'Stop before --cycles once the chains have met: R̂ at most 1.01 for the variances, the number of markers with an effect and every GEBV, and 400 effective draws (looked at every 1,000 cycles).',
    label: 'Stop once the chains have met',
    group: 'Advanced',
    input: false,
  },
} as const;

/** Of `heterosis train` alone. */
export const SAMPLED_TRAINING_OPTIONS = {
  model: {
    kind: 'choice',
    choices: ['rrblup', 'gaussian', 'kernel-average', ...SAMPLED],
    default: 'rrblup',
    about:
      'Prior of the marker effects, or kernel. rrblup: normal, its variance by REML. gaussian: no effects of markers, but the kernel exp(−h·D²/median of D²) of the squared distances D² between marker codes, h of the largest REML likelihood; kernel-average: the mean of such kernels with h = 0.2, 1 and 5. To predict others they need the genotype of the training, and crosses cannot be judged by them. The other models are sampled from their posterior (Gibbs): brr, normal; bayescpi, no effect or a normal one, the share of markers with an effect unknown; bayesb, the same with a variance of its own for each effect; bayesr, no effect or one that explains 0.01, 0.1 or 1 % of the genetic variance. They are worth their time where a few genes are large.',
    only: { place: 'cli', why: 'The server trains RR-BLUP.' },
    input: false,
  },
  ...CHAIN_OPTIONS,
  seed: {
    ...SEED,
    about: 'Seed of the chains: the same seed gives the same bytes on any number of threads.',
    only: { place: 'cli', why: 'It belongs to `cycles`.' },
    input: false,
  },
  effects_out: {
    kind: 'text',
    about:
      'Write posterior means of the marker effects, per copy of A2, and posterior inclusion probabilities to this CSV file: marker, effect, pip, with several traits after a column trait.',
    only: { place: 'cli', why: 'It belongs to `cycles`.' },
    input: false,
    ...sampled('--effects-out'),
    cli: { path: 'write', placeholder: 'FILE' },
  },
} as const;
