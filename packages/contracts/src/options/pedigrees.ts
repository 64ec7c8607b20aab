import { defineOptions } from './define-options.ts';
import { GENOTYPE_READING_OPTIONS, PEDIGREE_FILE_OPTIONS, WRITTEN } from './inputs.ts';
import { MARKER_OPTIONS } from './shared.ts';

/** How polyploids descend by a pedigree, wherever one gives relationships. */
export const POLYPLOID_PEDIGREE_OPTIONS = defineOptions({
  double_reduction: {
    kind: 'number',
    min: 0,
    max: 1,
    default: 0,
    about:
      'With a pedigree of polyploids: probability that two genes of a gamete are copies of one gene of its parent, 0 where chromosomes pair as bivalents (the default), at most 1/6 in tetraploids.',
    label: 'Double reduction',
    hint: 'In the relationships by pedigree of polyploids: 0 where chromosomes pair as bivalents, at most 1/6 in tetraploids.',
    step: 0.01,
    group: 'Advanced',
    says: (rate: number) => `Relationships by pedigree have a double reduction of ${rate} (Kerr et al. 2012).`,
  },
  founders: {
    kind: 'choice',
    choices: ['non-inbred', 'equilibrium'],
    default: 'non-inbred',
    about:
      'Inbreeding of the founders of a pedigree of polyploids under double reduction: 0, or that to which random mating leads (in tetraploids λ/(2 + λ), λ the double reduction).',
    label: 'Founders of the pedigree',
    labels: { 'non-inbred': 'Not inbred', equilibrium: 'As inbred as random mating makes them' },
    hint: 'Matters with double reduction.',
    group: 'Advanced',
  },
});

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
  ...POLYPLOID_PEDIGREE_OPTIONS,
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
