import { defineOptions } from './define-options.ts';
import { GENOTYPE_READING_OPTIONS, PEDIGREE_FILE_OPTIONS, WRITTEN } from './inputs.ts';
import { MARKER_OPTIONS } from './shared.ts';

/** In the order of `heterosis pedigree`. */
export const PEDIGREE_OPTIONS = defineOptions({
  ...PEDIGREE_FILE_OPTIONS,
  pedigree: {
    ...PEDIGREE_FILE_OPTIONS.pedigree,
    cli: { ...PEDIGREE_FILE_OPTIONS.pedigree.cli, required: true },
  },
  genotype: {
    kind: 'text',
    about: 'Genotypes to combine with the pedigree: the relationships are then H.',
    input: false,
    cli: { placeholder: 'G', path: 'genotype' },
    only: { place: 'cli', why: 'The server combines them when a model is trained.' },
    needs: {
      out_relationships: {
        message: '--genotype is for the relationships, and they are not to be written.',
        action: 'Give --out-relationships, or leave out --genotype.',
      },
    },
  },
  ...MARKER_OPTIONS,
  ploidy: {
    ...GENOTYPE_READING_OPTIONS.ploidy,
    about: 'Copies of each chromosome of all plants. Default: those of the genotype, and 2 without one.',
  },
  double_reduction: {
    kind: 'number',
    min: 0,
    max: 1,
    about:
      'Probability that two genes of a gamete of a polyploid are copies of one gene of its parent: 0 where chromosomes pair as bivalents (the default), at most 1/6 in tetraploids.',
    input: false,
  },
  founders: {
    kind: 'choice',
    choices: ['non-inbred', 'equilibrium'],
    default: 'non-inbred',
    about:
      'Inbreeding of founders under double reduction: 0, or that to which random mating leads (in tetraploids λ/(2 + λ), λ the double reduction).',
    input: false,
  },
  genomic_scale: {
    kind: 'choice',
    choices: ['pedigree', 'markers'],
    about:
      'With --genotype: G is brought to the mean and the mean diagonal of the relationships by pedigree (the default of diploids), or left as the markers give it (of polyploids).',
    input: false,
    needs: {
      genotype: { message: '--genomic-scale is about the genotype.', action: 'Give --genotype, or leave it out.' },
    },
  },
  individuals: {
    kind: 'list',
    about: 'Individuals of the relationship matrix. Default: all.',
    cli: { placeholder: 'NAME,NAME' },
  },
  coancestry: { kind: 'flag', about: 'Write coancestries in place of additive relationships.' },
  out: { ...WRITTEN, about: 'CSV of all individuals with their inbreeding.' },
  out_relationships: {
    ...WRITTEN,
    about: 'CSV of the relationship matrix; --relationships says the same.',
  },
  relationships: { ...WRITTEN, about: 'CSV of the relationship matrix.' },
  out_inverse: { ...WRITTEN, about: 'CSV of the sparse inverse of A.' },
});
