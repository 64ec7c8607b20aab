import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import type { SuspectPlots, TrialPlots, TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { type FileOfTrial, getTrial, listFilesOfTrial, listPlots } from '../../data/trials/index.ts';
import { readField, stripsOf } from './read-trials.ts';
import { type AnalysedTrait, listNewestOfFiles } from './trial-analyses.queries.ts';

type Reading = Pick<Services, 'db' | 'storage'>;
type Plot = Awaited<ReturnType<typeof listPlots>>[number];

/** `GET …/trials/{id}/suspect_plots`. */
export async function getSuspectPlots(
  call: ProjectCall,
  { id }: InputOf<typeof trialAnalysesApi.getSuspectPlots>,
): Promise<SuspectPlots> {
  await getTrial(call, { id });
  return await readSuspectPlots(call.services, call.access.projectId, id);
}

/** What the newest analysis of each trait finds wrong in the plots of a trial. */
export async function readSuspectPlots(services: Reading, projectId: string, id: string): Promise<SuspectPlots> {
  const files = await listFilesOfTrial(services.db, projectId, id);
  const analysed = await listNewestOfFiles(
    services.db,
    projectId,
    files.map((file) => file.id),
  );
  if (analysed.length === 0) return { data: [] };
  const plots = await listPlots(services.db, id);
  const data: SuspectPlots['data'] = [];
  for (const one of analysed) {
    const found = await suspectPlotsOf(services, one, { files, plots });
    if (found !== undefined) data.push(found);
  }
  return { data };
}

async function suspectPlotsOf(
  services: Reading,
  row: AnalysedTrait,
  { files, plots }: { files: readonly FileOfTrial[]; plots: readonly Plot[] },
): Promise<SuspectPlots['data'][number] | undefined> {
  const { data, fields } = await stripsOf(services, row);
  const place = data.findIndex((strip) => isOfTrial(strip, files));
  const [strip, range] = [data[place], fields[place]];
  if (strip === undefined || range == null) return undefined;
  const { plots: field } = await readField(services, row, range);
  const numberOf = numbersByLine(field, plots);
  const known = <Item>(line: number, item: (plot: number) => Item): Item[] => {
    const plot = numberOf.get(line);
    return plot === undefined ? [] : [item(plot)];
  };
  return {
    trait: row.trait,
    ...{ analysis_id: row.analysis_id, analysis_name: row.analysis_name, analysed_at: row.analysed_at },
    environment: strip.environment,
    outliers: strip.outliers.flatMap(({ file_line, statistic, p }) =>
      known(file_line, (plot) => ({ plot, statistic, p })),
    ),
    suspicions: strip.suspicions.map(({ kind, text, gain, plots: named }) => ({
      ...{ kind, text, gain },
      plots: named.flatMap(({ file_line }) => known(file_line, (plot) => plot)),
    })),
    set_aside: field.set_aside.flatMap((reason, at) =>
      reason === null ? [] : known(field.file_line[at] ?? -1, (plot) => ({ plot, reason })),
    ),
  };
}

const isOfTrial = ({ phenotype_id, environment, state }: TrialStrip, files: readonly FileOfTrial[]): boolean =>
  state === 'ANALYSED' &&
  files.some(
    (file) =>
      [file.id, ...file.former_ids].includes(phenotype_id) &&
      (file.environment === null || file.environment === environment),
  );

/**
 * Plots of the trial by their lines in the file: by row and column where the field has them, and otherwise in the order
 * of their numbers, as they are frozen.
 */
function numbersByLine(field: TrialPlots, plots: readonly Plot[]): Map<number, number> {
  const planted = plots.filter(({ entry }) => entry !== null);
  const cell = (row: number | null | undefined, column: number | null | undefined): string => `${row} ${column}`;
  const at = new Map(planted.map(({ row, column, number }) => [cell(row, column), number]));
  const isMap = field.has_field && planted.every(({ row }) => row !== null);
  if (!isMap && field.file_line.length !== planted.length) return new Map();
  const inOrder = [...field.file_line.keys()].sort((a, b) => (field.file_line[a] ?? 0) - (field.file_line[b] ?? 0));
  return new Map(
    inOrder.flatMap((place, order) => {
      const number = isMap ? at.get(cell(field.row[place], field.column[place])) : planted[order]?.number;
      return number === undefined ? [] : [[field.file_line[place] ?? -1, number] as const];
    }),
  );
}
