import { CLUMPING_OPTIONS } from './clumping.ts';
import type { Options } from './define-options.ts';
import { GWAS_OPTIONS } from './gwas.ts';
import { ENGINE_OPTIONS } from './shared.ts';

/** All tables, under the titles that the page of options gives them. */
export const OPTION_TABLES: Record<string, { about: string; options: Options }> = {
  GWAS: { about: '`POST …/gwas`, `heterosis gwas` and the dialog “Run GWAS”.', options: GWAS_OPTIONS },
  'Clumps of a GWAS': { about: 'The fields of `clumps`.', options: CLUMPING_OPTIONS },
  'How it is computed': { about: 'Trainings, evaluations and GWAS of the command line.', options: ENGINE_OPTIONS },
};
