import { type FieldBookQuery, walked } from '@heterosis/contracts/data/field-books';
import { WHOLE_PLOT } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { PrintedTrial } from './printed-trial.ts';

/** One row per plot, in walking order, with an empty column for each trait. Field Book imports it by `plot_id`. */
export function bookAsCsv({ plots, traits }: PrintedTrial, query: FieldBookQuery): Iterable<string> {
  const hasTreatment = plots.some(({ treatment }) => treatment !== null);
  const header = [
    ...['plot_id', 'plot', 'plot_name', 'row', 'column', 'replicate', 'block', 'entry', 'kind'],
    ...(hasTreatment ? [WHOLE_PLOT] : []),
    ...traits.map(({ name }) => name),
  ];
  const empty = traits.map(() => null);
  return csvChunks(
    header,
    walked(plots, query).map((plot) => [
      ...[plot.id, plot.number, plot.name, plot.row, plot.column, plot.replicate, plot.block],
      ...[plot.entry, plot.kind.toLowerCase()],
      ...(hasTreatment ? [plot.treatment] : []),
      ...empty,
    ]),
  );
}
