import type { GenotypePanel } from '@heterosis/file-formats/genotype/genotype-panel';
import { csvChunks } from '@heterosis/file-formats/tables/csv-writer';
import type { PanelSelection } from '@heterosis/statgen/genotypes/call-counts';
import {
  createKinshipAccumulator,
  type KinshipMethod,
  type KinshipResult,
} from '@heterosis/statgen/kinship/accumulate-kinship';
import { type AnalysisContext, reportProgress } from './context.ts';
import { markerRanges } from './open-panel.ts';

export interface PanelKinshipInput {
  panel: GenotypePanel;
  methods: readonly KinshipMethod[];
  maf: number;
  callRate: number;
  /** Positions in the panel; all individuals unless told. */
  individuals?: Int32Array;
}

/** Kinship matrices of a panel, read block by block: O(n² + n·block) memory whatever the number of markers. */
export async function panelKinship(input: PanelKinshipInput, context: AnalysisContext): Promise<KinshipResult> {
  const { panel, methods, maf, callRate, individuals } = input;
  const accumulator = createKinshipAccumulator({
    ...panelSelection(panel.samples.length, individuals),
    filter: { maf, callRate },
    methods,
  });
  const ranges = markerRanges(panel.markers.id.length);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'kinship', block, ranges.length);
    accumulator.add(await panel.readPacked(first, count), count);
  }
  reportProgress(context, 'kinship', ranges.length, ranges.length);
  return accumulator.finish();
}

/** Which individuals of packed calls are analysed. Nobody is named when everybody is: whole bytes are decoded faster. */
export function panelSelection(panelSize: number, individuals: Int32Array | undefined): PanelSelection {
  const isEverybody =
    individuals === undefined || (individuals.length === panelSize && individuals.every((i, place) => i === place));
  return isEverybody ? { panelSize } : { panelSize, individuals };
}

/** A kinship matrix (n × n) as CSV: the header names the individuals, each row begins with its own. */
export function kinshipCsv(individuals: readonly string[], kinship: Float64Array): Iterable<string> {
  return csvChunks(['id', ...individuals], kinshipRows(individuals, kinship));
}

function* kinshipRows(individuals: readonly string[], kinship: Float64Array): Generator<(string | number)[]> {
  const n = individuals.length;
  for (let i = 0; i < n; i++) yield [individuals[i], ...kinship.subarray(i * n, (i + 1) * n)];
}
