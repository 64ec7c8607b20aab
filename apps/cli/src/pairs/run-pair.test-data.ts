import { rmSync } from 'node:fs';
import { leaveOut } from '@heterosis/analysis/dense/leave-out.test-data';
import { indexes, partOfPanel } from '@heterosis/analysis/dense/world.test-data';
import { heterosis } from '../main.test-data.ts';
import { type Asked, Files, newAsked, writeGenotype, writePhenotype } from './asked.test-data.ts';
import { Comparison } from './compare.test-data.ts';
import { compareGwas } from './gwas-pair.test-data.ts';
import { compareEvaluation, comparePredictions, compareTraining } from './prediction-pairs.test-data.ts';
import {
  EVALUATE_SETTINGS,
  GWAS_SETTINGS,
  PREDICT_SETTINGS,
  type Setting,
  TRAIN_SETTINGS,
} from './settings.test-data.ts';

/** How a command is run with what is asked, and compared. */
interface PairedCommand {
  settings: Record<string, Setting>;
  hasEngines: boolean;
  /** Before the options. */
  prepare?(asked: Asked): void;
  /** Arguments that every run has; `added` goes into the summary. */
  inputs(asked: Asked, files: Files, added: Record<string, unknown>): string[] | Promise<string[]>;
  compare(asked: Asked, summary: Record<string, unknown>, table: string, found: Comparison): void;
}

const filesAndTrait = (asked: Asked, files: Files): string[] => [
  ...['--genotype', writeGenotype(asked, asked.world.panel, files)],
  ...['--phenotype', writePhenotype(asked, files), '--trait', asked.trait],
];

/** Individuals of the training of a model that predicts all. */
const TRAINED = 27;

export const PAIRED_COMMANDS: Record<string, PairedCommand> = {
  train: { settings: TRAIN_SETTINGS, hasEngines: true, inputs: filesAndTrait, compare: compareTraining },
  evaluate: {
    settings: EVALUATE_SETTINGS,
    hasEngines: true,
    inputs(asked, files, added) {
      const folds = files.path('folds.csv');
      added['folds'] = folds;
      const sizes = ['--n-fold', String(asked.folds), '--n-repetition', String(asked.repetitions)];
      return [...filesAndTrait(asked, files), ...sizes, '--folds-out', folds];
    },
    compare: compareEvaluation,
  },
  predict: {
    settings: PREDICT_SETTINGS,
    hasEngines: false,
    prepare(asked) {
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
    },
    async inputs(asked, files, added) {
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
      return [
        ...['--model', model, '--genotype', written],
        ...(asked.withTraining ? ['--genotype-train', genotype] : []),
      ];
    },
    compare: comparePredictions,
  },
  gwas: { settings: GWAS_SETTINGS, hasEngines: true, inputs: filesAndTrait, compare: compareGwas },
};

/** Two options of a command, and what surrounds them. */
export interface Pair {
  command: string;
  options: readonly [string, string];
  engine: 'individuals' | 'markers';
  trait: string;
}

export type Outcome =
  | { kind: 'compared'; figures: string[]; largest: number; notCompared: string[] }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'estimated' };

/** @throws Error when a figure differs from its definition, or the command fails without a coded reason */
export async function runPair({ command, options, engine, trait }: Pair, folder: string, seed = 1): Promise<Outcome> {
  const paired = PAIRED_COMMANDS[command];
  if (paired === undefined) throw new TypeError(`${command} is not known here`);
  const files = new Files(folder);
  try {
    const asked = newAsked(seed, trait);
    paired.prepare?.(asked);
    const given = new Map<string, string[]>(paired.hasEngines ? [['--engine', [engine]]] : []);
    for (const option of new Set(options)) {
      const setting = paired.settings[option];
      if (setting === undefined) throw new Error(`the option --${option} of ${command} has no setting here`);
      addArguments(given, setting(asked, files));
    }
    const out = files.path('out.csv');
    const added: Record<string, unknown> = {};
    addArguments(given, [...(await paired.inputs(asked, files, added)), '--out', out, '--threads', '1', '--json']);
    const { code, stdout, stderr } = await heterosis(
      command,
      ...[...given].flatMap(([name, values]) => [name, ...values]),
    );
    if (code !== 0) return refusal(stderr);
    const summary = { ...(JSON.parse(stdout) as Record<string, unknown>), ...added };
    if (asked.estimate) {
      if (typeof summary['engine'] !== 'string') throw new Error('the estimate names no engine');
      return { kind: 'estimated' };
    }
    const found = new Comparison();
    paired.compare(asked, summary, out, found);
    return {
      kind: 'compared',
      figures: [...found.figures.keys()],
      largest: Math.max(...found.figures.values()),
      notCompared: [...asked.notCompared, ...found.notCompared],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
