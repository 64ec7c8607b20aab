import { defineOptions } from './define-options.ts';
import { PEDIGREE_FILE_OPTIONS, WRITTEN } from './inputs.ts';
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
  individuals: {
    kind: 'list',
    about: 'Individuals of the relationship matrix. Default: all.',
    cli: { placeholder: 'NAME,NAME' },
  },
  coancestry: { kind: 'flag', about: 'Write coancestries in place of additive relationships.' },
  out: { ...WRITTEN, about: 'CSV of all individuals with their inbreeding.' },
  out_relationships: { ...WRITTEN, about: 'CSV of the relationship matrix.' },
  out_inverse: { ...WRITTEN, about: 'CSV of the sparse inverse of A.' },
});
