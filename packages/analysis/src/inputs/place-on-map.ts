import { compareChromosomes } from '@heterosis/file-formats/genotype/panel/chromosome-order';
import type { GenotypePanel, MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { blocksOf, type PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetDosages } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { FileProblem, ProblemReport } from '@heterosis/file-formats/problem';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import {
  type PlacedMarkers,
  type PlaceMarkersOptions,
  placeMarkers,
} from '@heterosis/file-formats/tables/linkage-map/place-markers';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { AnalysisError } from '../context.ts';

/** Thrown when genotype and linkage map disagree about a marker: they do not belong together. */
export class MapMismatchError extends AnalysisError {
  /** Name of the map's file; empty when unknown. */
  readonly file: string;
  /** One record per marker, with the line of the map. */
  readonly problems: readonly FileProblem[];

  constructor(map: LinkageMap, { problems, totals }: ProblemReport) {
    const errors = problems.filter(({ severity }) => severity === 'error');
    const named = errors
      .slice(0, SHOWN_ERRORS)
      .map(({ line, message }) => (line === null ? message : `Line ${line}: ${message}`));
    const more = totals.errors > named.length ? ` And ${groupedNumber(totals.errors - named.length)} more.` : '';
    super(
      'linkage-map/mismatch',
      `The linkage map and the genotype disagree about ${groupedNumber(totals.errors)} ${totals.errors === 1 ? 'marker' : 'markers'}. ${named.join(' ')}${more}`,
      errors[0]?.suggestion ?? 'Use the map that belongs to this genotype.',
    );
    this.name = 'MapMismatchError';
    this.file = map.file ?? '';
    this.problems = errors;
  }
}

const SHOWN_ERRORS = 3;

/**
 * Places markers on a linkage map, which overrides the genotype's positions; see `placeMarkers` of file-formats.
 *
 * @throws MapMismatchError when a located marker has another position on the map
 */
export function placeOnMap(map: LinkageMap, markers: MarkerTable, options: PlaceMarkersOptions): PlacedMarkers {
  const placed = placeMarkers(map, markers, options);
  if (placed.report.totals.errors > 0) throw new MapMismatchError(map, placed.report);
  return placed;
}

/** A panel whose markers have the positions of a linkage map, sorted accordingly. */
export interface MappedPanel<Panel> {
  panel: Panel;
  /** cM by marker of the panel; NaN if unmapped. */
  positionCm: Float64Array;
  /** Warnings and notes about the map. */
  report: ProblemReport;
}

/**
 * A panel with the positions of a linkage map: mapped markers get the map's chromosomes and base pairs, unmapped ones
 * keep those of the genotype, and all are sorted by chromosome and base pairs. Closing it closes the panel. If the
 * order does not change, reading is as fast as before; otherwise each marker is read on its own.
 *
 * @throws MapMismatchError when a located marker has another position on the map
 */
export function panelOnMap(panel: GenotypePanel, map: LinkageMap): MappedPanel<GenotypePanel> {
  const { markers, order, positionCm, report } = sortedByMap(panel.markers, map);
  const readPacked = inOrder(panel, order);
  const dosages = panel.dosages && subsetDosages(panel.dosages, panel.samples.length, order, null);
  return {
    panel: { samples: panel.samples, markers, readPacked, dosages, close: () => panel.close() },
    positionCm,
    report,
  };
}

/** Like {@link panelOnMap}, for analyses that read by blocks. Keeps all markers in memory. */
export async function blocksOnMap(panel: PanelBlocks, map: LinkageMap): Promise<MappedPanel<PanelBlocks>> {
  const { markers, order, positionCm, report } = sortedByMap(await panel.readMarkers(0, panel.markerCount), map);
  const readPacked = inOrder(panel, order);
  const dosages = panel.dosages && subsetDosages(panel.dosages, panel.samples.length, order, null);
  const close = () => panel.close();
  return { panel: blocksOf({ samples: panel.samples, markers, readPacked, dosages, close }), positionCm, report };
}

function sortedByMap(table: MarkerTable, map: LinkageMap) {
  const { chromosome, positionBp, positionCm, report } = placeOnMap(map, table, { missingMarkers: 'interpolate' });
  const order = Array.from(table.id.keys()).sort(
    (a, b) => compareChromosomes(chromosome[a], chromosome[b]) || positionBp[a] - positionBp[b] || a - b,
  );
  const markers: MarkerTable = {
    id: order.map((j) => table.id[j]),
    chromosome: order.map((j) => chromosome[j]),
    positionBp: Float64Array.from(order, (j) => positionBp[j]),
    a1: order.map((j) => table.a1[j]),
    a2: order.map((j) => table.a2[j]),
  };
  return { markers, order, positionCm: Float64Array.from(order, (j) => positionCm[j]), report };
}

/** Reads packed calls in another order; markers that remain neighbours are read together. */
function inOrder(
  { samples, readPacked }: Pick<PanelBlocks, 'samples' | 'readPacked'>,
  order: readonly number[],
): PanelBlocks['readPacked'] {
  if (order.every((j, place) => j === place)) return readPacked;
  const rowBytes = packedLength(samples.length);
  return async (first, count) => {
    const packed = new Uint8Array(count * rowBytes);
    for (let k = 0; k < count; ) {
      const from = order[first + k];
      let run = 1;
      while (k + run < count && order[first + k + run] === from + run) run++;
      packed.set(await readPacked(from, run), k * rowBytes);
      k += run;
    }
    return packed;
  };
}
