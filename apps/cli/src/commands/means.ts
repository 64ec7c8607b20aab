import { requireTraits } from '@heterosis/analysis/inputs/align-phenotype';
import { type MeansSummary, meansCsv, summarizeMeans } from '@heterosis/analysis/means/means-table';
import { traitMeans } from '@heterosis/analysis/means/trait-means';
import { flagsOf } from '@heterosis/contracts/options/option-flags';
import { MEANS_TABLE_OPTIONS } from '@heterosis/contracts/options/trials';
import { type Command, defineCommand, inputError } from '../command.ts';
import { PHENOTYPE_OPTIONS, readPhenotypeOption } from '../options/model-options.ts';
import { writeOutput } from '../write-output.ts';

export const meansCommand: Command = defineCommand({
  name: 'means',
  summary: 'adjusted means of lines with errors, variance components and H²',
  description: [
    'Reduces the plots of a phenotype file to one value per line and trait, the value that train, evaluate and gwas use: least-squares means of line + environment + replicate or block in environment, averaged over environments with equal weight. Columns named environment, location, year, treatment, replicate and block are the design. Standard errors are those of this fixed model.',
    'A line whose replicates share no line with the rest has no mean: it is named and left out, and the others keep the full model. Groups of lines that share no environment keep their own level and are flagged.',
    'Variance components of lines, lines by environments and residual are estimated by REML, with environments, replicates, blocks and checks fixed. Checks are the lines that a column entryType, check or Test(T)OrCheck(C) names, otherwise lines with at least three times as many plots as any other line.',
    'H² is given twice: entry-mean, 1 − MS(error)/MS(lines), and after Cullis, Smith and Coombes (2006), 1 − mean variance of a difference of two BLUPs / 2σ²g. They agree for balanced data; with missing plots, incomplete blocks and in augmented trials the second is right. evaluate takes the second, and the first where there are no variance components.',
  ],
  options: { ...flagsOf(MEANS_TABLE_OPTIONS), columns: PHENOTYPE_OPTIONS.columns },
  output: [
    'CSV with one row per line and trait: id, trait, n (observations), mean, se (standard error), flag. The flag is empty or one of missing (no observation), not_estimable (left out, see above), single_value (one value per line, from several environments: line and environment cannot be told apart), other_group (the line shares no environment with the largest group).',
    '--means of train, evaluate and gwas takes this file: the errors of the means are then known, as if independent. heterosis trial gives their covariance too, from random blocks and field trends.',
    'The summary gives the model, variance components with standard errors and both H² of each trait.',
  ],
  examples: [
    'heterosis means --phenotype trial.csv --out means.csv',
    'heterosis means --phenotype trial.csv --trait Yield,"Plant height" --out means.csv --json',
  ],
  usesMatrixProducts: true,
  async run(options, io) {
    const { table, reading } = await readPhenotypeOption(options, io);
    const traits = options.trait === undefined ? undefined : requireTraits(table, options.trait);
    if (!table.traits.some(({ kind }) => kind === 'numeric')) {
      throw inputError(
        'analysis/categorical-trait',
        'No trait of the phenotype file holds numbers.',
        'Code classes as ordered numbers (1, 2, 3, …).',
        options.phenotype,
      );
    }
    const summaries: MeansSummary[] = [];
    await writeOutput(
      options.out,
      meansCsv(
        table.individuals,
        (function* () {
          for (const trait of traitMeans(reading, io.context, traits === undefined ? {} : { traits })) {
            summaries.push(summarizeMeans(trait));
            yield trait;
          }
        })(),
      ),
    );
    return {
      summary: { individuals: table.individuals.length, traits: summaries, out: options.out },
      lines: [...summaries.flatMap(linesOf), `written: ${options.out}`],
    };
  },
});

function linesOf(summary: MeansSummary): string[] {
  const { components } = summary;
  const places = `${counted(summary.environments, 'environment')}`;
  const head = `${summary.trait}: ${counted(summary.n, 'mean')} of ${counted(summary.observations, 'observation')}, ${places}, ${summary.model ?? 'values as given'}`;
  if (components === null) return [head];
  const variance = ({ variance: value, se }: NonNullable<MeansSummary['components']>['line']) =>
    `${figure(value)}${se === null ? ' (at its bound)' : ` ± ${figure(se)}`}`;
  const parts = [
    `lines ${variance(components.line)}`,
    ...(components.line_by_environment === null
      ? []
      : [`lines × environments ${variance(components.line_by_environment)}`]),
    `residual ${variance(components.residual)}`,
  ];
  const checks = summary.checks.length === 0 ? [] : [`  checks, fixed: ${listed(summary.checks)}`];
  return [
    head,
    `  variance (REML): ${parts.join(', ')}${components.converged ? '' : '; not converged'}`,
    ...checks,
    `  H² entry-mean ${share(summary.h2_entry_mean)}, Cullis ${share(summary.h2_cullis)}${summary.h2_basis === null ? '' : `; evaluate takes ${BASES[summary.h2_basis]}`}`,
  ];
}

const BASES = { cullis: 'that of Cullis', 'entry-mean': 'that of the entry means' };
const SHOWN_NAMES = 10;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const figure = (value: number): string => String(Number(value.toPrecision(4)));
const share = (value: number | null): string => (value === null ? 'not estimable' : value.toFixed(3));
const listed = (names: readonly string[]): string =>
  names.slice(0, SHOWN_NAMES).join(', ') +
  (names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '');
