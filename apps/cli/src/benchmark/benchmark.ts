import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportProgress } from '@heterosis/analysis/context';
import { recordsCsv } from '@heterosis/analysis/results/records-csv';
import { BENCHMARK_OPTIONS } from '@heterosis/contracts/options/benchmark';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, inputError } from '../command.ts';
import { refuseTogether } from '../options/model-options.ts';
import { writeOutput } from '../write-output.ts';
import { easyGeSe } from './easygese.ts';
import { PUBLISHED_CASES } from './published-cases.ts';
import { type BenchmarkCase, type ScoreRow, score } from './scoreboard.ts';

const COLUMNS = [
  ...['case', 'quantity', 'theirs', 'ours', 'difference', 'tolerance', 'verdict'],
  ...['source', 'data', 'sha256', 'commands', 'seconds'],
] as const;

export const benchmarkCommand: Command = defineCommand({
  name: 'benchmark',
  summary: 'run again what others published, and print ours beside theirs',
  description: [
    'Figures that other programs and papers give for data that the repository has, computed again by the commands that the table names: cross-validations of rrBLUP, likelihoods and tests of gaston and GEMMA, printed analyses of field trials (lme4, ASReml), the sampler of BGLR, and accuracies of Cuevas and others (2017). Where data and folds are the same, a figure must be the same within the tolerance; where they are not, the larger is the better, and losses are listed.',
    'With --species the table of EasyGeSe (ten methods, 93 traits of ten species) stands beside a cross-validation of data that you have: from its archive, with its folds by --folds, or of the same panel.',
  ],
  options: flagsOf(BENCHMARK_OPTIONS),
  output: [
    'CSV with a row for each figure: case, quantity, theirs, ours, difference (ours − theirs), tolerance (empty where data or folds differ), verdict (same, differs; higher, lower), source, data, sha256 (of the data files, one after the other), commands, seconds.',
  ],
  examples: [
    'heterosis benchmark --out scoreboard.csv',
    'heterosis benchmark --only prediction-maize,trial-ar1 --out scoreboard.csv --json',
    'heterosis benchmark --species rice --genotype rice.vcf.gz --phenotype rice.csv --out rice-scores.csv',
  ],
  async run(options, io) {
    refuseTogether(BENCHMARK_OPTIONS, optionsOfFlags(BENCHMARK_OPTIONS, options));
    const cases = chosenCases(options);
    const folder = mkdtempSync(join(tmpdir(), 'heterosis-benchmark-'));
    const rows: ScoreRow[] = [];
    try {
      for (const [k, one] of cases.entries()) {
        io.context.signal?.throwIfAborted();
        reportProgress(io.context, 'test', k, cases.length);
        rows.push(...(await score(one, folder)));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const records = rows.map((row) => ({ ...row, difference: row.ours - row.theirs }));
    await writeOutput(options.out, recordsCsv(COLUMNS, records));
    const losses = rows.filter(({ verdict }) => verdict === 'differs' || verdict === 'lower');
    return {
      summary: { cases: cases.length, figures: rows.length, losses: losses.map(lossOf), rows, out: options.out },
      lines: [
        ...rows.map(describe),
        `${rows.length} figures of ${cases.length} comparisons, ${losses.length} of them lower or different`,
        `written: ${options.out}`,
      ],
    };
  },
});

const lossOf = ({ case: name, quantity, theirs, ours }: ScoreRow) => ({ case: name, quantity, theirs, ours });

const describe = ({ case: name, quantity, theirs, ours, verdict }: ScoreRow): string =>
  `${name}: ${quantity}: ${shown(theirs)} theirs, ${shown(ours)} ours: ${verdict}`;

const shown = (value: number): string => String(Number(value.toPrecision(6)));

function chosenCases(options: {
  only?: string[] | undefined;
  species?: string | undefined;
  genotype?: string | undefined;
  phenotype?: string | undefined;
  folds?: string | undefined;
}): readonly BenchmarkCase[] {
  const { only, species, genotype, phenotype, folds } = options;
  if (species !== undefined) {
    if (genotype === undefined || phenotype === undefined) {
      throw inputError('E-CLI-OPTION', '--species needs data.', 'Give --genotype and --phenotype.');
    }
    return [easyGeSe({ species, genotype, phenotype, folds })];
  }
  const unknown = only?.find((name) => PUBLISHED_CASES.every((one) => one.name !== name));
  if (unknown !== undefined) {
    throw inputError(
      'E-CLI-VALUE',
      `No comparison is called "${unknown}".`,
      `Choose among ${PUBLISHED_CASES.map(({ name }) => name).join(', ')}.`,
    );
  }
  return only === undefined ? PUBLISHED_CASES : PUBLISHED_CASES.filter(({ name }) => only.includes(name));
}
