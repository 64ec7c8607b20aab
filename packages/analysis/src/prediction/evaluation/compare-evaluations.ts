import { FileFormatError, ProblemCollector } from '@heterosis/file-formats/problem';
import { openTable } from '@heterosis/file-formats/tables/text/read-table';
import { compareFolds, type PairedComparison } from '@heterosis/statgen/genomic-prediction/paired-comparison';
import { type AnalysisContext, AnalysisError } from '../../context.ts';
import { openFileSource } from '../../inputs/byte-source.ts';
import { FileRefused } from '../../inputs/open-genotype.ts';

/** r of a fold, and of an environment or group in it. */
interface ComparedFold {
  repetition: number;
  fold: number;
  group: string | null;
  n: number;
  r: number | null;
}

/** Two models on the same folds. */
export interface EvaluationComparison extends PairedComparison {
  trait: string;
  /** Folds with an r in both. */
  folds: number;
}

/** The folds of an evaluation that was written before, by trait. */
export type EarlierFolds = Map<string, ComparedFold[]>;

/**
 * Reads the folds of an evaluation as `heterosis evaluate --out` writes it.
 *
 * @throws FileRefused for a bad table; AnalysisError `evaluate/not-an-evaluation`
 */
export async function openEvaluation(path: string, context: AnalysisContext): Promise<EarlierFolds> {
  const problems = new ProblemCollector();
  const source = await openFileSource(path);
  try {
    const table = await openTable(source, { problems, expected: 'an evaluation', signal: context.signal });
    const placeOf = (name: string): number => table.columns.findIndex(({ key }) => key === name);
    const [trait, repetition, fold, n, r, group] = ['trait', 'repetition', 'fold', 'n', 'r', 'group'].map(placeOf);
    if ([trait, repetition, fold, n, r].includes(-1)) {
      throw new AnalysisError(
        'evaluate/not-an-evaluation',
        'The table to compare with has not the columns trait, repetition, fold, n and r.',
        'Give the file that heterosis evaluate --out has written.',
      );
    }
    const found: EarlierFolds = new Map();
    await table.forEachRow(({ cells }) => {
      const numberAt = (place: number): number => Number(cells[place]);
      const own = found.get(cells[trait]) ?? [];
      found.set(cells[trait], own);
      own.push({
        ...{ repetition: numberAt(repetition), fold: numberAt(fold), n: numberAt(n) },
        group: group < 0 ? null : cells[group],
        r: cells[r] === '' ? null : numberAt(r),
      });
    });
    return found;
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    throw new FileRefused(path, [error.problem]);
  } finally {
    await source.close();
  }
}

/**
 * The first model minus the second, over the folds of both, by {@link compareFolds}; several environments of a fold
 * count with their mean.
 *
 * @throws AnalysisError `evaluate/other-folds`
 */
export function compareEvaluations(
  evaluation: { trait: string; perFold: readonly ComparedFold[]; testShare: number },
  earlier: EarlierFolds,
): EvaluationComparison {
  const { trait, perFold, testShare } = evaluation;
  const other = earlier.get(trait) ?? [];
  const keyOf = ({ repetition, fold, group, n }: ComparedFold): string => JSON.stringify([repetition, fold, group, n]);
  const known = new Map(other.map((row) => [keyOf(row), row]));
  if (other.length !== perFold.length || perFold.some((row) => !known.has(keyOf(row)))) {
    throw new AnalysisError(
      'evaluate/other-folds',
      `The evaluation to compare with has other folds of ${trait}: ${other.length} rows against ${perFold.length}, or other numbers of individuals in them.`,
      'Evaluate both models with the same --seed, --n-fold and --n-repetition, or the same --folds, on the same individuals.',
      { trait },
    );
  }
  const differences = new Map<string, number[]>();
  for (const row of perFold) {
    const before = known.get(keyOf(row))?.r ?? null;
    if (row.r === null || before === null) continue;
    const key = `${row.repetition} ${row.fold}`;
    differences.set(key, [...(differences.get(key) ?? []), row.r - before]);
  }
  if (differences.size < 2) {
    throw new AnalysisError(
      'evaluate/other-folds',
      `${differences.size} folds of ${trait} have an r in both evaluations, and a comparison needs two.`,
      'See the reasons of folds without r.',
      { trait },
    );
  }
  const means = [...differences.values()].map((own) => own.reduce((sum, value) => sum + value, 0) / own.length);
  return { trait, folds: means.length, ...compareFolds(means, testShare) };
}
