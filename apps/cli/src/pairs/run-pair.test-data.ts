import { rmSync } from 'node:fs';
import { leaveOut } from '@heterosis/analysis/dense/leave-out.test-data';
import { indexes, partOfPanel } from '@heterosis/analysis/dense/world.test-data';
import { heterosis } from '../main.test-data.ts';
import { type Asked, Files, newAsked, writeGenotype, writePhenotype } from './asked.test-data.ts';
import { type AskedCross, CROSS_SETTINGS, inputsOfCross, newAskedCross } from './asked-cross.test-data.ts';
import { type AskedPlan, inputsOfPlan, newAskedPlan, PLAN_SETTINGS } from './asked-plan.test-data.ts';
import { Comparison } from './compare.test-data.ts';
import { compareCross } from './cross-pair.test-data.ts';
import { compareGwas } from './gwas-pair.test-data.ts';
import type { Pair } from './pair.test-data.ts';
import { comparePlan } from './plan-pair.test-data.ts';
import { compareEvaluation, comparePredictions, compareTraining } from './prediction-pairs.test-data.ts';
import {
  EVALUATE_SETTINGS,
  GWAS_SETTINGS,
  PREDICT_SETTINGS,
  type SettingOf,
  TRAIN_SETTINGS,
} from './settings.test-data.ts';

/** How a command is run with what is asked, and compared. */
interface PairedDefinition<A> {
  /** By option. */
  settings: Record<string, SettingOf<A>>;
  /** What surrounds the options: engines, kinds of material. */
  variants: readonly string[];
  ask(pair: Pair, seed: number): A;
  /** Arguments that every run has; `given` are the options set; `added` goes into the summary. */
  inputs(
    asked: A,
    files: Files,
    given: ReadonlySet<string>,
    added: Record<string, unknown>,
  ): string[] | Promise<string[]>;
  /** Whether only the need of memory and time is asked for. */
  isEstimate?(asked: A): boolean;
  compare(asked: A, summary: Record<string, unknown>, table: string, found: Comparison): void;
}

/** A command whose options are tried in pairs. */
interface PairedCommand {
  /** Options with a setting. */
  options: readonly string[];
  variants: readonly string[];
  run(pair: Pair, files: Files, seed: number): Promise<Outcome>;
}

function paired<A>(definition: PairedDefinition<A>): PairedCommand {
  const { settings, variants } = definition;
  return { options: Object.keys(settings), variants, run: (pair, files, seed) => runOf(definition, pair, files, seed) };
}

const ENGINES = ['individuals', 'markers'] as const;

const filesAndTrait = (asked: Asked, files: Files): string[] => [
  ...['--engine', asked.engine],
  ...['--genotype', writeGenotype(asked, asked.world.panel, files)],
  ...['--phenotype', writePhenotype(asked, files), '--trait', asked.trait],
];

/** Individuals of the training of a model that predicts all. */
const TRAINED = 27;

const ofPanel = {
  variants: ENGINES,
  ask: ({ variant, trait }: Pair, seed: number): Asked => ({ ...newAsked(seed, trait), engine: variant }),
  isEstimate: ({ estimate }: Asked): boolean => estimate,
};

export const PAIRED_COMMANDS: Record<string, PairedCommand> = {
  train: paired({ ...ofPanel, settings: TRAIN_SETTINGS, inputs: filesAndTrait, compare: compareTraining }),
  evaluate: paired<Asked>({
    ...ofPanel,
    settings: EVALUATE_SETTINGS,
    inputs(asked, files, _, added) {
      const folds = files.path('folds.csv');
      added['folds'] = folds;
      const sizes = ['--n-fold', String(asked.folds), '--n-repetition', String(asked.repetitions)];
      return [...filesAndTrait(asked, files), ...sizes, '--folds-out', folds];
    },
    compare: compareEvaluation,
  }),
  predict: paired<Asked>({
    settings: PREDICT_SETTINGS,
    variants: ['individuals'],
    ask({ trait }, seed) {
      const asked = newAsked(seed, trait);
      const { panel } = asked.world;
      const every = indexes(panel.markers.length);
      const later = indexes(panel.individuals.length).filter((i) => i >= TRAINED);
      // The candidates lack some markers of the model.
      asked.candidates = partOfPanel(
        panel,
        later,
        every.filter((j) => j % 10 !== 3),
      );
      asked.world = { ...asked.world, panel: partOfPanel(panel, indexes(TRAINED), every) };
      return asked;
    },
    inputs: inputsOfPrediction,
    compare: comparePredictions,
  }),
  gwas: paired({ ...ofPanel, settings: GWAS_SETTINGS, inputs: filesAndTrait, compare: compareGwas }),
  cross: paired<AskedCross>({
    settings: CROSS_SETTINGS,
    variants: ['inbred', 'phased'],
    ask: newAskedCross,
    inputs: inputsOfCross,
    compare: compareCross,
  }),
  plan: paired<AskedPlan>({
    settings: PLAN_SETTINGS,
    variants: ['inbred', 'phased', 'pedigree'],
    ask: newAskedPlan,
    inputs: inputsOfPlan,
    compare: comparePlan,
  }),
};

async function inputsOfPrediction(
  asked: Asked,
  files: Files,
  _: ReadonlySet<string>,
  added: Record<string, unknown>,
): Promise<string[]> {
  const { world, candidates } = asked;
  if (candidates === undefined) throw new TypeError('there are no candidates');
  const model = files.path('model.json');
  added['model'] = model;
  const genotype = writeGenotype(asked, world.panel, files);
  const settings = [
    '--fixed',
    String(asked.fixed),
    ...(asked.covariates.length > 0 ? ['--covariates', asked.covariates.join(',')] : []),
  ];
  const phenotype = writePhenotype(asked, files);
  const { code, stderr } = await heterosis(
    'train',
    ...['--genotype', genotype, '--phenotype', phenotype, '--trait', asked.trait, ...settings, '--out', model],
  );
  if (code !== 0) throw new Error(`no model to predict with: ${stderr}`);
  const written = writeGenotype(asked, candidates, files);
  asked.candidates = leaveOut(candidates, asked.leaveOut);
  return [...['--model', model, '--genotype', written], ...(asked.withTraining ? ['--genotype-train', genotype] : [])];
}

export type Outcome =
  | { kind: 'compared'; figures: ReadonlyMap<string, number>; notCompared: string[] }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'estimated' };

/** @throws Error when a figure differs from its definition, or the command fails without a coded reason */
export async function runPair(pair: Pair, folder: string, seed = 1): Promise<Outcome> {
  const command = PAIRED_COMMANDS[pair.command];
  if (command === undefined) throw new TypeError(`${pair.command} is not known here`);
  try {
    return await command.run(pair, new Files(folder), seed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOf<A>(definition: PairedDefinition<A>, pair: Pair, files: Files, seed: number): Promise<Outcome> {
  const { command, options } = pair;
  const asked = definition.ask(pair, seed);
  const given = new Map<string, string[]>();
  for (const option of new Set(options)) {
    const setting = definition.settings[option];
    if (setting === undefined) throw new Error(`the option --${option} of ${command} has no setting here`);
    addArguments(given, setting(asked, files));
  }
  const out = files.path('out.csv');
  const added: Record<string, unknown> = {};
  const inputs = await definition.inputs(asked, files, new Set(given.keys()), added);
  addArguments(given, [...inputs, '--out', out, '--threads', '1', '--json']);
  const { code, stdout, stderr } = await heterosis(
    command,
    ...[...given].flatMap(([name, values]) => [name, ...values]),
  );
  if (code !== 0) return refusal(stderr);
  const summary = { ...(JSON.parse(stdout) as Record<string, unknown>), ...added };
  if (definition.isEstimate?.(asked) === true) {
    if (typeof summary['engine'] !== 'string') throw new Error('the estimate names no engine');
    return { kind: 'estimated' };
  }
  const found = new Comparison();
  definition.compare(asked, summary, out, found);
  return { kind: 'compared', figures: found.figures, notCompared: found.notCompared };
}

/** An option that both settings give counts once, as the later says. */
function addArguments(given: Map<string, string[]>, args: readonly string[]): void {
  let name = '';
  for (const argument of args) {
    if (argument.startsWith('--')) given.set((name = argument), []);
    else given.get(name)?.push(argument);
  }
}

function refusal(stderr: string): Outcome {
  const records = stderr.split('\n').filter((line) => line.startsWith('{'));
  const errors = records.map((line) => JSON.parse(line) as Record<string, unknown>);
  const error = errors.find(({ severity }) => severity === 'error');
  if (error === undefined) throw new Error(`no coded reason: ${stderr.slice(0, 500)}`);
  return { kind: 'refused', code: String(error['code']), message: String(error['message']) };
}
