import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TrialModel } from './trial-models.ts';
import type { PlotFactor, TrialPlots } from './trial-plots.ts';

/** The rows of a plain CSV file by column. */
function readTable(path: string): { header: string[]; rows: string[][]; column(name: string): string[] } {
  const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split(/\r?\n/);
  const header = head.split(',');
  const rows = lines.map((line) => line.split(','));
  return { header, rows, column: (name) => rows.map((row) => row[header.indexOf(name)]) };
}

const FOLDER = join(import.meta.dirname, '..', '..', 'reference', 'trials');

/** What is fixed and random in the model `blocks` of each reference trial. */
export const BLOCK_MODELS: Record<
  string,
  { fixed?: string[]; random: string[]; covariates?: string[]; hasField?: false }
> = {
  'john.alpha': { fixed: ['rep'], random: ['rep:block'] },
  'stroup.nin': { random: ['rep'] },
  'burgueno.rowcol': { random: ['rep', 'rep:row', 'rep:col'] },
  'durban.rowcol': { fixed: ['rep'], random: ['row', 'col'] },
  'kempton.rowcol': { fixed: ['rep'], random: ['rep:row', 'rep:col'], hasField: false },
  'besag.elbatan': { random: ['col'] },
  'burgueno.unreplicated': { random: ['row', 'col'] },
  'cullis.earlygen': { random: ['row', 'col'], covariates: ['weed'] },
  'gilmour.serpentine': { fixed: ['rep'], random: ['row', 'col'] },
  'cochran.lattice': { fixed: ['rep'], random: ['rep:row', 'rep:col'], hasField: false },
  'sim.prep': { random: ['block'] },
  'sim.augmented': { random: ['block'] },
  'sim.large': { fixed: ['rep'], random: ['rep:block'] },
};

/** The plots of a reference trial as its models take them. */
export function referenceTrial(trial: string, checks: readonly string[] = []): TrialPlots {
  const table = readTable(join(FOLDER, 'data', `${trial}.csv`));
  const { fixed = [], random, covariates = [], hasField = true } = BLOCK_MODELS[trial];
  const factor = (name: string): PlotFactor => {
    const parts = name.split(':').map((part) => table.column(part));
    const levels = new Map<string, number>();
    const codes = Int32Array.from(table.rows, (_, i) => {
      const level = parts.map((part) => part[i]).join('\t');
      levels.set(level, levels.get(level) ?? levels.size);
      return levels.get(level) ?? 0;
    });
    return { name, codes, levels: levels.size };
  };
  const numbers = (name: string) =>
    Float64Array.from(table.column(name), (cell) => (cell === 'NA' ? Number.NaN : Number(cell)));
  const lines = factor('gen');
  const names: string[] = [];
  table.column('gen').forEach((name, i) => {
    names[lines.codes[i]] = name;
  });
  return {
    lines: names,
    line: lines.codes,
    values: numbers('yield'),
    places: hasField && table.header.includes('row') ? { rows: numbers('row'), columns: numbers('col') } : null,
    fixed: fixed.map(factor),
    covariates: covariates.map((name) => ({ name, values: numbers(name) })),
    random: random.map(factor),
    grid:
      hasField && table.header.includes('row')
        ? [
            { ...factor('row'), name: 'row' },
            { ...factor('col'), name: 'col' },
          ]
        : [],
    checks: checks.length === 0 ? null : Uint8Array.from(names, (name) => Number(checks.includes(name))),
  };
}

export interface ReferenceFit {
  trial: string;
  /** The reference's name, `ar1+units` or `blocks-checks-fixed`. */
  name: string;
  model: TrialModel;
  lines: 'fixed' | 'random';
  logLikelihood: number;
  checks: string[];
}

/** The fits of a trial for which there are results. */
export function referenceFits(trial: string): ReferenceFit[] {
  const fits = resultTable(trial, 'fit');
  const blups = resultTable(trial, 'blups');
  const random = (name: string) => new Set(blups.rows.filter(([model]) => model === name).map((row) => row[1]));
  return fits.rows.map((row) => {
    const [name, lines] = row;
    const withChecks = name === 'blocks-checks-fixed';
    const others = random('blocks-checks-fixed');
    return {
      ...{ trial, name, lines: lines as 'fixed' | 'random' },
      model: (withChecks ? 'blocks' : name.replace('+', '-')) as TrialModel,
      logLikelihood: Number(row[fits.header.indexOf('logL')]),
      checks: withChecks ? [...random('blocks')].filter((line) => !others.has(line)) : [],
    };
  });
}

/** A table of the results of a trial; empty where there is none. */
export function resultTable(trial: string, name: string): ReturnType<typeof readTable> {
  const path = join(FOLDER, 'results', trial, `${name}.csv`);
  return existsSync(path) ? readTable(path) : { header: [], rows: [], column: () => [] };
}

/** Probabilities that lines beat a check, of the model with all lines random; none where the reference has none. */
export function beatsCheck(
  trial: string,
  { model, lines }: { model: TrialModel; lines: 'fixed' | 'random' },
): { check: string; gen: string; probability: number }[] {
  const path = join(FOLDER, 'results', trial, 'beats-check.csv');
  if (lines === 'fixed' || !existsSync(path)) return [];
  const table = readTable(path);
  const [models, checks, gens, probabilities] = ['model', 'check', 'gen', 'probability'].map(table.column);
  return models.flatMap((name, i) =>
    name === model ? [{ check: checks[i], gen: gens[i], probability: Number(probabilities[i]) }] : [],
  );
}
