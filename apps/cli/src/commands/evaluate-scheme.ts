import type { EarlierFolds } from '@heterosis/analysis/prediction/evaluation/compare-evaluations';
import type { EnvironmentScheme } from '@heterosis/analysis/prediction/evaluation/environment-folds';
import type { SeriesEvaluation } from '@heterosis/analysis/prediction/evaluation/evaluate-series';
import { evaluationCsv } from '@heterosis/analysis/prediction/evaluation/evaluation-figures';
import { nameOfStructure } from '@heterosis/analysis/trial-series/series-tables';
import { type CommandIo, type CommandResult, inputError } from '../command.ts';
import { withGenotype } from '../options/genotype-option.ts';
import { leaveOutByOptions } from '../options/leaving-out-options.ts';
import { givenPedigree } from '../options/model-options.ts';
import { structureOf } from '../options/structure-option.ts';
import type { TraitSource } from '../options/trait-source.ts';
import { writeOutput } from '../write-output.ts';
import { comparedWith } from './compare-folds.ts';

type SchemeOptions = {
  genotype: string;
  scheme: string;
  structure: string;
  pedigree?: string | undefined;
  'pedigree-columns'?: string[] | undefined;
  'double-reduction': number;
  founders: string;
  'kinship-file'?: string | undefined;
  kinship: string;
  maf: number;
  'call-rate': number;
  dominance: boolean;
  'residual-lines': boolean;
  'n-fold': number;
  'n-repetition': number;
  seed: number;
  out: string;
} & Parameters<typeof leaveOutByOptions>[1];

/** `evaluate --scheme`: cross-validation of lines in environments. */
export async function evaluateScheme(
  options: SchemeOptions,
  source: TraitSource,
  earlier: EarlierFolds | undefined,
  io: CommandIo,
): Promise<CommandResult> {
  const { series } = source;
  if (series === null) {
    throw inputError(
      'E-CLI-OPTION',
      `--scheme ${options.scheme} hides lines in environments, and the means are of one environment.`,
      'Leave out --scheme: lines are then hidden in random folds (cv1).',
      source.path,
    );
  }
  if (series.from === 'none') {
    throw inputError(
      'errors/unknown',
      'The model of several environments rests on the errors of the means.',
      'Take --weights se or full.',
      source.path,
    );
  }
  const structure = structureOf(options.structure);
  if (structure === 'auto') {
    throw inputError('E-CLI-VALUE', '--structure auto chooses by all data.', 'Name the structure: cs, diag, fa1, …');
  }
  const { recordsOfMeans } = await import('@heterosis/analysis/trial-series/series-records');
  const { seriesRelationships } = await import('@heterosis/analysis/trial-series/series-relationships');
  const { evaluateSeries } = await import('@heterosis/analysis/prediction/evaluation/evaluate-series');
  const { openKinship } = await import('@heterosis/analysis/inputs/read-kinship');
  const records = series.means.map(recordsOfMeans);
  const pedigree = await givenPedigree(options, io);
  const path = options['kinship-file'];
  const kinship = path === undefined ? undefined : (await openKinship(path, io.context)).table;
  const { evaluations, leftOut } = await withGenotype(options.genotype, io, async (whole) => {
    const left = await leaveOutByOptions(whole, options, io);
    const lines = [...new Set(records.flatMap((own) => own.lines))];
    const relationships = await seriesRelationships(
      lines,
      {
        ...(kinship === undefined ? { panel: left.panel } : { kinship }),
        pedigree,
        doubleReduction: options['double-reduction'],
        founders: options.founders === 'equilibrium' ? 'equilibrium' : 'non-inbred',
        method: options.kinship === 'standardized' ? 'standardized' : 'vanraden1',
        ...{ maf: options.maf, callRate: options['call-rate'], dominance: options.dominance },
      },
      io.context,
    );
    const made: SeriesEvaluation[] = [];
    for (const trait of source.traits) {
      made.push(
        await evaluateSeries(
          records,
          relationships,
          {
            ...{ trait, structure, residualLines: options['residual-lines'], seed: options.seed },
            ...{ scheme: options.scheme as EnvironmentScheme },
            ...{ nFold: options['n-fold'], nRepetition: options['n-repetition'] },
          },
          io.context,
        ),
      );
    }
    return { evaluations: made, leftOut: left };
  });
  await writeOutput(options.out, evaluationCsv(evaluations));
  const compared = comparedWith(evaluations, earlier);
  return {
    summary: {
      ...leftOut.summary,
      traits: evaluations.map(({ trait, n, nFold, nRepetition, seed, scheme, environments, meanFoldR, perFold }) => ({
        ...{ trait, scheme, structure: nameOfStructure(structure), n },
        ...{ n_fold: nFold, n_repetition: nRepetition, seed, environments, mean_fold_r: meanFoldR },
        folds_without_r: perFold.filter(({ r }) => r === null).length,
      })),
      ...compared.summary,
      out: options.out,
    },
    lines: [
      ...leftOut.lines,
      ...evaluations.flatMap(({ trait, n, scheme, nFold, nRepetition, environments, meanFoldR }) => [
        `${trait}: ${scheme}, ${nameOfStructure(structure)}, ${n} means in ${environments.length} environments, ${nFold} folds × ${nRepetition}: r within environments ${figure(meanFoldR)}`,
        ...environments.map(({ environment, n: size, r }) => `  ${environment}: ${size} lines, r ${figure(r)}`),
      ]),
      ...compared.lines,
      `written: ${options.out}`,
    ],
  };
}

const figure = ({ mean, sd }: { mean: number | null; sd: number | null }): string =>
  mean === null ? 'undefined' : `${mean.toFixed(3)}${sd === null ? '' : ` ± ${sd.toFixed(3)}`}`;
