import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';

/**
 * An option of GWAS that is nothing but its row: the analysis would read `smallestClass`. Import it first, like the row
 * of the kind.
 */
Object.assign(GWAS_OPTIONS, {
  smallest_class: {
    kind: 'integer',
    min: 1,
    max: 500,
    about: 'Markers with fewer individuals in a class of genotypes are not tested.',
    says: (count: number) => `Markers with fewer than ${count} individuals in a class were not tested.`,
  },
});
