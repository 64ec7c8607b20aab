import { defineOptions } from './define-options.ts';
import { CSV } from './inputs.ts';

const WITH_SPECIES = {
  species: {
    message: 'Data of your own are compared with a species of EasyGeSe.',
    action: 'Name it by --species.',
    place: 'cli',
  },
} as const;

/** In the order of `heterosis benchmark`. */
export const BENCHMARK_OPTIONS = defineOptions({
  only: {
    kind: 'list',
    about: 'Only these comparisons, by name.',
    input: false,
    cli: { placeholder: 'NAME,NAME' },
  },
  species: {
    kind: 'text',
    about:
      'Compare with the table of EasyGeSe for this species (barley, bean, lentil, maize, oyster, pig, pine, rice, soybean, wheatG) on --genotype and --phenotype in place of the data of the repository.',
    input: false,
    cli: { placeholder: 'NAME' },
  },
  genotype: {
    kind: 'text',
    about: 'The genotypes of the species.',
    input: false,
    cli: { path: 'genotype', placeholder: 'G' },
    needs: WITH_SPECIES,
  },
  phenotype: {
    kind: 'text',
    about: 'Its phenotypes. Traits are those that the table has too, whatever stands between their words.',
    input: false,
    cli: { path: 'read', placeholder: 'P' },
    needs: WITH_SPECIES,
  },
  folds: {
    kind: 'text',
    about: 'Folds of the individuals, as evaluate takes them. Default: five times five folds by seed 1.',
    input: false,
    cli: { path: 'read', placeholder: 'FILE' },
    needs: WITH_SPECIES,
  },
  out: CSV,
});
