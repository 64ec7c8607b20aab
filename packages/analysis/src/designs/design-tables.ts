import { WHOLE_PLOT } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import { type CsvValue, csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type {
  AllocationFigures,
  Concurrences,
  Design,
  DesignRequest,
  PlaceFigures,
} from '@heterosis/statgen/designs/design-types';
import { nameOfPlot } from '@heterosis/statgen/designs/plot-names';
import type { TrialSize } from '@heterosis/statgen/designs/trial-sizes';

export { PLACEHOLDERS } from '@heterosis/statgen/designs/plot-names';

const LAYOUT = ['place', 'plot', 'row', 'column', 'replicate', 'block', 'entry', 'kind'] as const;

export interface LayoutNames {
  /** Of the places; numbers from 1 where absent. */
  places?: readonly string[];
  /** Number of the first plot of each place. */
  firstPlot: number;
  /** Makes names of plots, with {place}, {plot}, {row}, {column}, {replicate}, {block}, {entry}; absent: no names. */
  template?: string;
}

export const placeName = ({ places }: LayoutNames, place: number): string => places?.[place] ?? String(place + 1);

/**
 * One row a plot in the order of their numbers. Split plots have a further column of the treatments of whole plots,
 * layouts with a template one of the names of plots.
 */
export function layoutCsv({ plots }: Design, request: DesignRequest, names: LayoutNames): Generator<string> {
  const hasTreatment = plots.some(({ mainPlot }) => mainPlot !== null);
  const { template } = names;
  return csvChunks(
    [...LAYOUT, ...(hasTreatment ? [WHOLE_PLOT] : []), ...(template === undefined ? [] : ['plot_name'])],
    plots.map((plot): CsvValue[] => {
      const cells = {
        place: placeName(names, plot.place),
        plot: plot.number + names.firstPlot - 1,
        row: plot.row,
        column: plot.column,
        replicate: plot.replicate,
        block: plot.block,
        entry: plot.entry === null ? null : (request.entries[plot.entry]?.name ?? null),
      };
      return [
        ...Object.values(cells),
        plot.kind,
        ...(hasTreatment ? [plot.mainPlot] : []),
        ...(template === undefined ? [] : [nameOfPlot(template, cells)]),
      ];
    }),
  );
}

/** Pairs by how often they meet: `pairs[k]` of them k times. */
export interface MeetingFigures {
  min: number;
  max: number;
  mean: number;
  pairs: number[];
}

export interface PlaceReport {
  place: string;
  rows: number;
  columns: number;
  entries: number;
  plots: number;
  fillers: number;
  efficiency: number | null;
  upper_bound: number | null;
  share_of_bound: number | null;
  concurrences: Record<string, MeetingFigures>;
  neighbours: { same_entry: number; same_family: number };
  shared: { rows: number; columns: number };
}

export interface AllocationReport {
  lines: Record<string, number>;
  concurrences_of_lines: MeetingFigures;
  concurrences_of_places: MeetingFigures;
  cd_mean: number | null;
  pev_mean: number | null;
  expected_accuracy: number | null;
}

/** What `--report` writes of a design. */
export interface DesignReport {
  design: string;
  seed: number;
  entries: number;
  checks: readonly string[];
  places: PlaceReport[];
  allocation: AllocationReport | null;
}

export function designReport(design: Design, request: DesignRequest, names: LayoutNames): DesignReport {
  return {
    design: request.design,
    seed: request.seed,
    entries: request.entries.length,
    checks: request.checks,
    places: design.places.map((figures, place) => placeReport(figures, placeName(names, place))),
    allocation: design.allocation === null ? null : allocationReport(design.allocation, names),
  };
}

function allocationReport(allocation: AllocationFigures, names: LayoutNames): AllocationReport {
  return {
    lines: Object.fromEntries(allocation.lines.map((count, place) => [placeName(names, place), count])),
    concurrences_of_lines: meetings(allocation.lineConcurrences),
    concurrences_of_places: meetings(allocation.placeConcurrences),
    cd_mean: allocation.cdMean,
    pev_mean: allocation.pevMean,
    expected_accuracy: allocation.expectedAccuracy,
  };
}

function placeReport(figures: PlaceFigures, place: string): PlaceReport {
  const { upperBound, efficiency, neighbours, shared, concurrences, ...counts } = figures;
  return {
    ...{ place, ...counts, efficiency },
    upper_bound: upperBound,
    share_of_bound: efficiency === null || upperBound === null ? null : efficiency / upperBound,
    concurrences: Object.fromEntries(Object.entries(concurrences).map(([name, met]) => [name, meetings(met)])),
    neighbours: { same_entry: neighbours.sameEntry, same_family: neighbours.sameFamily },
    shared,
  };
}

const meetings = ({ counts, ...figures }: Concurrences): MeetingFigures => ({ ...figures, pairs: counts });

/** Of every number of places and replicates: what it costs and how accurate it is. */
export const sizesCsv = (sizes: readonly TrialSize[]): Generator<string> =>
  csvChunks(
    ['places', 'replicates', 'plots', 'cost', 'heritability', 'accuracy', 'best'],
    sizes.map((size): CsvValue[] => [
      ...[size.places, size.replicates, size.plots, size.cost, size.heritability, size.accuracy],
      size.isBest ? 1 : 0,
    ]),
  );
