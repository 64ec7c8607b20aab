import { defineOptions } from './define-options.ts';
import { WRITTEN } from './inputs.ts';

/** In the order of `heterosis parentage`. */
export const PARENTAGE_OPTIONS = defineOptions({
  pedigree: {
    kind: 'choice',
    choices: ['germplasm', 'file', 'none'],
    default: 'germplasm',
    about: '`germplasm`: the parents of the crop; `file`: those of `pedigree_id`; `none`: no comparison.',
    label: 'Compare with',
    labels: {
      germplasm: 'Parents in the germplasm list',
      file: 'A pedigree file',
      none: 'Nothing: only find copies and likely parents',
    },
    input: false,
    stored: 'always',
    cli: {
      kind: 'text',
      default: null,
      path: 'read',
      placeholder: 'FILE',
      help: 'The pedigree: three columns, Helium, or Purdy strings, as for heterosis pedigree.',
      why: 'It names a file; without it there is no comparison.',
    },
  },
  error_rate: {
    kind: 'number',
    min: 0.0001,
    max: 0.2,
    default: 0.01,
    about: 'Share of wrong calls.',
    label: 'Genotyping error rate',
    hint: 'Share of conflicts that genotyping errors may explain. A family with more conflicts is rejected.',
    percent: true,
    step: 0.5,
    stored: 'always',
    says: (rate: number) =>
      `Families with more conflicts than a share of ${rate} of wrong calls explains were refused by an exact binomial test at a level of 0.01 for all families together.`,
  },
  double_reduction: {
    kind: 'number',
    min: 0,
    max: 0.166_666_666_666_666_66,
    default: 0,
    about:
      'Polyploids: probability that two genes of a gamete are copies of one gene of its parent, 0 where chromosomes pair as bivalents, at most 1/6. Above 0, two copies of one allele of a parent are no conflict.',
    label: 'Double reduction',
    hint: '0 where chromosomes pair as bivalents, at most 1/6. Above 0, two copies of one allele of a parent are no conflict.',
    step: 0.01,
    says: (rate: number) => (rate > 0 ? `Double reduction was taken to be ${rate}.` : ''),
  },
  seek: {
    kind: 'choice',
    choices: ['unconfirmed', 'all', 'none'],
    default: 'unconfirmed',
    about: 'Whose parents are sought among all genotyped individuals.',
    label: 'Search for parents',
    title: 'Search for parents of',
    labels: {
      unconfirmed: 'Of individuals without confirmed parents',
      all: 'Of all individuals',
      none: 'Do not search',
    },
    stored: 'always',
  },
});

const ONLY_CLI = { place: 'cli', why: 'The page of the run offers its results as files.' } as const;

/** Files that `heterosis parentage` writes. */
export const PARENTAGE_OUTPUTS = defineOptions({
  out: { ...WRITTEN, about: 'A CSV file with a row for each child in the pedigree.', only: ONLY_CLI },
  out_parents: { ...WRITTEN, about: 'A CSV file with the most likely parents.', only: ONLY_CLI },
  out_findings: { ...WRITTEN, about: 'A CSV file with swapped samples, suspects and copies.', only: ONLY_CLI },
});
