import { defineOptions } from './define-options.ts';
import { GENOTYPE_OPTION, OUT } from './inputs.ts';
import { MAP_OPTIONS, SEED } from './shared.ts';

/** A VCF that is written. */
const VCF = { ...OUT, about: 'The VCF to write, compressed (bgzip) when its name ends in .gz.' } as const;

/** In the order of `heterosis phase`. */
export const PHASE_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  ...MAP_OPTIONS,
  seed: { ...SEED, about: 'Seed of the phasing.', cli: {} },
  memory: {
    kind: 'integer',
    min: 64,
    unit: 'MB',
    about:
      'Memory for Beagle, shared by as many processes as there are threads, each with at least 1,024 MB. Default: half of the machine.',
    input: 'memoryMb',
    only: { place: 'cli', why: 'A server gives it what its worker has.' },
    cli: { placeholder: 'MB' },
  },
  out: VCF,
});

/** In the order of `heterosis hybrids`. */
export const HYBRID_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  crosses: {
    kind: 'text',
    about: 'The crossing table: female and male, optionally name.',
    input: false,
    cli: { path: 'read', placeholder: 'FILE', required: true },
  },
  out: VCF,
});
