import { defineOptions } from './define-options.ts';
import { CSV, GENOTYPE_OPTION } from './inputs.ts';
import { COVARIATES, FIXED, MARKER_OPTIONS, MEANS_OPTIONS } from './shared.ts';

/** In the order of `heterosis finemap`. */
export const FINE_MAPPING_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  trait: { kind: 'text', about: 'The trait.', cli: { placeholder: 'NAME', required: true } },
  region: {
    kind: 'text',
    about: 'The region: chromosome, first and last position in base pairs, such as 3:1200000-1800000.',
    input: false,
    cli: { placeholder: 'CHR:FROM-TO', required: true },
  },
  fixed: {
    ...FIXED,
    about: 'Principal components of the relationships as fixed effects.',
  },
  covariates: {
    ...COVARIATES,
    cli: {
      placeholder: 'NAME,NAME',
      help: 'Columns of the phenotype file as fixed effects, as gwas takes them: numbers as they are, words as groups; NAME:factor and NAME:numeric say which. Individuals that lack one of them are left out.',
    },
  },
  condition_on: {
    kind: 'list',
    most: 50,
    trims: true,
    about:
      'Markers, by name, as further fixed effects: what is found is found beside them. Missing calls count as the mean.',
    cli: { placeholder: 'MARKER,MARKER' },
  },
  ...MEANS_OPTIONS,
  ...MARKER_OPTIONS,
  effects: {
    kind: 'integer',
    min: 1,
    max: 100,
    default: 10,
    about: 'Largest number of effects in the region. More than there are do no harm.',
  },
  coverage: {
    kind: 'number',
    min: 0.5,
    max: 0.999,
    default: 0.95,
    about: 'Probability that a credible set has a marker with an effect.',
  },
  purity: {
    kind: 'number',
    min: 0,
    max: 1,
    default: 0.5,
    about:
      'Least correlation between markers of a set, in absolute value. Sets with less tell of no place and are dropped.',
  },
  out: CSV,
});
