import type { File } from '@heterosis/contracts/data/files';
import { useQueries } from '@tanstack/react-query';
import { fileQcQuery, fileQuery } from '../../data/files/index.ts';
import { useTraitOrder } from '../../people/projects/index.ts';
import type { ChosenFile } from '../run-dialog/index.ts';

/** Without columns of the design every line is one value, and there is nothing to analyse. */
export const hasPlots = ({ format }: Pick<File, 'format'>): boolean => format !== 'wide';

/** What the chosen files have together: traits, environments, and those files that have no row for each plot. */
export function usePlotFiles(projectId: string, files: readonly ChosenFile[]) {
  const inOrder = useTraitOrder(projectId);
  const details = useQueries({ queries: files.map(({ id }) => fileQuery(projectId, id)) }).flatMap(
    ({ data }) => data ?? [],
  );
  const figures = useQueries({ queries: files.map(({ id }) => fileQcQuery(projectId, id)) }).flatMap(({ data }) =>
    data?.kind === 'phenotype' ? [data] : [],
  );
  return {
    traits: inOrder([...new Set(details.flatMap(({ meta }) => meta.traits))]),
    /** Columns of numbers that look like codes: rows, columns, plot numbers. */
    codes: new Set(details.flatMap(({ meta }) => meta.codes)),
    environments: [...new Set(figures.flatMap(({ environments = [] }) => environments.map(({ name }) => name)))],
    withoutPlots: details.filter((file) => !hasPlots(file)).map(({ name }) => name),
    isRead: details.length === files.length,
  };
}
