import type { FileProblem } from '@heterosis/file-formats/problem';
import { checkCrossesAgainstSamples } from '@heterosis/file-formats/tables/crossing-table/check-crosses';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { readCrossingTable } from '@heterosis/file-formats/tables/crossing-table/read-crossing-table';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { readLinkageMap } from '@heterosis/file-formats/tables/linkage-map/read-linkage-map';
import type { AnalysisContext } from '../context.ts';
import { openFileSource } from '../inputs/byte-source.ts';
import { FileRefused } from '../inputs/open-genotype.ts';
import { type CrossingEffects, readEffects } from './crossing-effects.ts';

/** A table on disk and its warnings. */
export interface ReadFile<T> {
  value: T;
  problems: readonly FileProblem[];
}

/** Reads a linkage map from disk. Throws FileRefused with its problems. */
export async function openLinkageMap(
  path: string,
  unit: 'cM' | 'M' | undefined,
  context: AnalysisContext,
): Promise<ReadFile<LinkageMap>> {
  return withSource(path, async (source) => {
    const { map, report } = await readLinkageMap(source, {
      ...(unit === undefined ? {} : { unit }),
      ...(context.signal === undefined ? {} : { signal: context.signal }),
    });
    return { value: map === null ? null : { ...map, file: path }, problems: report.problems };
  });
}

/** Reads a crossing table from disk, naming its parents as in the genotype. Throws FileRefused with its problems. */
export async function openCrosses(
  path: string,
  samples: readonly string[],
  context: AnalysisContext,
): Promise<ReadFile<Cross[]>> {
  return withSource(path, async (source) => {
    const { crosses, report } = await readCrossingTable(
      source,
      context.signal === undefined ? {} : { signal: context.signal },
    );
    if (crosses === null) return { value: null, problems: report.problems };
    const checked = checkCrossesAgainstSamples(crosses, samples);
    const problems = [...report.problems, ...checked.report.problems];
    return { value: checked.report.totals.errors > 0 ? null : checked.crosses, problems };
  });
}

/** Reads a table of marker effects from disk. Throws FileRefused with its problems. */
export async function openEffects(path: string, context: AnalysisContext): Promise<ReadFile<CrossingEffects>> {
  return withSource(path, async (source) => {
    const { effects, report } = await readEffects(source, context.signal);
    return { value: effects, problems: report.problems };
  });
}

async function withSource<T>(
  path: string,
  read: (
    source: Awaited<ReturnType<typeof openFileSource>>,
  ) => Promise<{ value: T | null; problems: readonly FileProblem[] }>,
): Promise<ReadFile<T>> {
  const source = await openFileSource(path);
  try {
    const { value, problems } = await read(source);
    if (value === null) throw new FileRefused(path, problems);
    return { value, problems };
  } finally {
    await source.close();
  }
}
