import { defineOptions } from './define-options.ts';

/** In the order of `heterosis predict`. */
export const PREDICTION_OPTIONS = defineOptions({
  genotype_train: {
    kind: 'text',
    about: 'The genotype that the model was trained on. With it the reliabilities of new individuals are computed too.',
    only: { place: 'cli', why: 'The server knows the genotype of the model.' },
    input: false,
    cli: { path: 'genotype', placeholder: 'G' },
  },
  known: {
    kind: 'text',
    about:
      'Records of some traits of the individuals predicted, as a phenotype file: with a model of several traits together they serve the values of all its traits, at the covariances of the model. Needs the genotype of the training, by --genotype-train or because --genotype has its individuals too. A record given here replaces that of the training.',
    only: { place: 'cli', why: 'A request names the file as an input (`phenotype_id`).' },
    input: false,
    cli: { path: 'read', placeholder: 'P' },
  },
  min_marker_share: {
    kind: 'number',
    min: 0,
    max: 1,
    default: 0.5,
    about: 'A smaller share of found markers is refused.',
    title: 'Share of shared markers, at least',
    stored: 'always',
    cli: { help: "Smallest share of the model's markers that the genotype must have." },
  },
  exclusions: {
    kind: 'own',
    about: 'Individuals that are left out.',
    label: 'Leave out',
    cli: { why: '--only-samples, --leave-out-samples and the flags after them read lists from files.' },
  },
});
