import { RUN_CONTRACTS, type RunContract } from '../work/run-contracts.ts';
import { BENCHMARK_OPTIONS } from './benchmark.ts';
import { CLUMPING_OPTIONS } from './clumping.ts';
import type { Options } from './define-options.ts';
import { DESIGN_OPTIONS } from './design.ts';
import { EXCLUSION_OPTIONS, PRUNE_OPTIONS, WINDOW_OPTIONS } from './exclusions.ts';
import { FINE_MAPPING_OPTIONS } from './fine-mapping.ts';
import {
  EXPORT_OPTIONS,
  HYBRID_OPTIONS,
  IMPORT_OPTIONS,
  KINSHIP_OPTIONS,
  PHASE_OPTIONS,
  QC_OPTIONS,
} from './genotypes.ts';
import { PHENOTYPE_OPTIONS } from './inputs.ts';
import { PEDIGREE_OPTIONS } from './pedigrees.ts';
import type { Presets } from './presets.ts';
import { SAMPLED_TRAINING_OPTIONS } from './sampler.ts';
import { ENGINE_OPTIONS } from './shared.ts';
import { MEANS_TABLE_OPTIONS, SERIES_OPTIONS, TRIAL_ANALYSIS_OPTIONS, TRIAL_OPTIONS } from './trials.ts';

/** The options of a table that another does not tell of. */
const leftOf = (options: Options, told: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(name in told)));

export interface OptionTable {
  about: string;
  options: Options;
  presets?: Presets;
  place?: 'cli';
}

const OF_RUNS = Object.entries<RunContract>(RUN_CONTRACTS).map(([path, { options, presets = {}, outputs, asked }]) => {
  const commands = asked.commands.map((command) => `\`heterosis ${command}\``);
  const about = `\`POST …/${path}\`, ${commands.join(', ')} and the dialog “${asked.dialog}”.`;
  return [asked.title, { about, options: { ...options, ...outputs }, presets }] as const;
});

/** All tables, under the titles that the page of options gives them. */
export const OPTION_TABLES: Record<string, OptionTable> = {
  ...Object.fromEntries(OF_RUNS),
  'Models by sampling': {
    about: '`heterosis train`, beside those of training; `evaluate` has the same for chains.',
    options: SAMPLED_TRAINING_OPTIONS,
    place: 'cli',
  },
  'Clumps of a GWAS': { about: 'The fields of `clumps`.', options: CLUMPING_OPTIONS },
  'Left out': {
    about: 'The fields of `exclusions`, flags of `train`, `evaluate`, `predict`, `gwas` and others.',
    options: EXCLUSION_OPTIONS,
  },
  'Designs of trials': { about: '`heterosis design`.', options: DESIGN_OPTIONS, place: 'cli' },
  'Phenotype files': {
    about: 'Of all commands that read one; the server asks when a file is uploaded.',
    options: PHENOTYPE_OPTIONS,
    place: 'cli',
  },
  'Means of lines': {
    about: '`heterosis means`.',
    options: leftOf(MEANS_TABLE_OPTIONS, PHENOTYPE_OPTIONS),
    place: 'cli',
  },
  'Field trials': {
    about: '`heterosis trial`, besides those of trial analyses.',
    options: leftOf(TRIAL_OPTIONS, { ...PHENOTYPE_OPTIONS, ...TRIAL_ANALYSIS_OPTIONS }),
    place: 'cli',
  },
  'Series of trials': {
    about: '`heterosis series`, besides those of trial analyses.',
    options: {
      ...leftOf(SERIES_OPTIONS, { ...PHENOTYPE_OPTIONS, ...TRIAL_ANALYSIS_OPTIONS }),
      phenotype: SERIES_OPTIONS.phenotype,
    },
    place: 'cli',
  },
  Scoreboard: { about: '`heterosis benchmark`.', options: BENCHMARK_OPTIONS, place: 'cli' },
  'Fine mapping': { about: '`heterosis finemap`.', options: FINE_MAPPING_OPTIONS, place: 'cli' },
  Pedigrees: { about: '`heterosis pedigree`.', options: PEDIGREE_OPTIONS, place: 'cli' },
  'Reading genotypes': { about: '`heterosis import`.', options: IMPORT_OPTIONS, place: 'cli' },
  'Writing genotypes': { about: '`heterosis export`.', options: EXPORT_OPTIONS, place: 'cli' },
  'Quality of genotypes': {
    about: '`heterosis qc`, beside “Left out”.',
    options: leftOf(QC_OPTIONS, EXCLUSION_OPTIONS),
    place: 'cli',
  },
  Kinship: {
    about: '`heterosis kinship`, beside “Left out”.',
    options: leftOf(KINSHIP_OPTIONS, EXCLUSION_OPTIONS),
    place: 'cli',
  },
  'Pruning of markers': {
    about: '`heterosis prune`, beside the windows and “Left out”.',
    options: leftOf(leftOf(PRUNE_OPTIONS, WINDOW_OPTIONS), EXCLUSION_OPTIONS),
    place: 'cli',
  },
  'Windows of pruning': {
    about: 'The fields of `ld_pruning` beside `r2`, and flags of `heterosis prune`.',
    options: WINDOW_OPTIONS,
  },
  Phasing: { about: '`heterosis phase`.', options: PHASE_OPTIONS, place: 'cli' },
  Hybrids: { about: '`heterosis hybrids`.', options: HYBRID_OPTIONS, place: 'cli' },
  'How it is computed': { about: 'Trainings, evaluations and GWAS of the command line.', options: ENGINE_OPTIONS },
};
