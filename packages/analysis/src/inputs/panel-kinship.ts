import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import type { PanelSelection } from '@heterosis/statgen/genotypes/packed-calls';
import {
  createKinshipAccumulator,
  type KinshipAccumulator,
  type KinshipMethod,
  type KinshipResult,
} from '@heterosis/statgen/kinship/accumulate-kinship';
import { createSinglePrecisionAccumulator } from '@heterosis/statgen/kinship/single-precision-kinship';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { markerRanges, packedRanges } from './open-panel.ts';

/** `single` reproduces the rounding of the R package gaston, for comparison with its results; `standardized` only. */
export type KinshipPrecision = 'double' | 'single';

export interface PanelKinshipInput {
  panel: Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'dosages'>;
  methods: readonly KinshipMethod[];
  maf: number;
  callRate: number;
  /** Panel positions; default all individuals. */
  individuals?: Int32Array;
  /** Panel positions of the individuals that define the allele frequencies; default `individuals`. */
  frequenciesOf?: Int32Array;
  /** Default `double`. */
  precision?: KinshipPrecision;
  /** False drops the figures of single markers. Default true. */
  withMarkerColumns?: boolean;
}

/**
 * Kinship matrices of a panel, read block by block: O(n² + n·block) memory for any number of markers. Single precision
 * reads the panel twice, because the divisor must be known before accumulation.
 *
 * @throws AnalysisError `analysis/single-precision` when single precision is requested for a matrix other than
 * `standardized`
 */
export async function panelKinship(input: PanelKinshipInput, context: AnalysisContext): Promise<KinshipResult> {
  const {
    panel,
    methods,
    maf,
    callRate,
    individuals,
    frequenciesOf,
    precision = 'double',
    withMarkerColumns = true,
  } = input;
  const isSingle = precision === 'single';
  if (isSingle && methods.some((method) => method !== 'standardized')) {
    throw new AnalysisError(
      'analysis/single-precision',
      'Only the standardized kinship can be computed in single precision.',
      'Choose the standardized kinship, or double precision.',
    );
  }
  if (isSingle && panel.dosages !== undefined) {
    throw new AnalysisError(
      'analysis/single-precision',
      'The genotype has fractional dosages, and the kinship in single precision is defined for whole numbers of copies.',
      'Choose double precision.',
    );
  }
  const options = { ...panelSelection(panel.samples.length, individuals), filter: { maf, callRate } };
  const accumulator = createKinshipAccumulator({
    ...options,
    ...(frequenciesOf === undefined ? {} : { frequenciesOf }),
    withMarkerColumns,
    methods: isSingle ? [] : methods,
  });
  const ranges = markerRanges(panel.markerCount);
  const passes = isSingle ? 2 : 1;
  const read = async (pass: number, add: KinshipAccumulator['add']): Promise<void> => {
    let block = pass * ranges.length;
    reportProgress(context, 'kinship', block, passes * ranges.length);
    for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
      add(packed, count, dosages);
      reportProgress(context, 'kinship', ++block, passes * ranges.length);
    }
  };
  await read(0, accumulator.add);
  const result = accumulator.finish();
  if (isSingle) {
    const markersKept = result.scan.keptCount;
    const single = createSinglePrecisionAccumulator({ ...options, markersKept });
    await read(1, single.add);
    result.kernels.standardized = single.finish();
    result.divisors.standardized = Math.max(1, markersKept - 1);
  }
  return result;
}

/** The individuals of packed calls to analyse. Omits them when everyone is analysed: whole bytes are decoded faster. */
export function panelSelection(panelSize: number, individuals: Int32Array | undefined): PanelSelection {
  const isEverybody =
    individuals === undefined || (individuals.length === panelSize && individuals.every((i, place) => i === place));
  return isEverybody ? { panelSize } : { panelSize, individuals };
}

/** A kinship matrix (n × n) as CSV: the header names the individuals, each row begins with its own name. */
export function* kinshipCsv(individuals: readonly string[], kinship: Float64Array): Generator<Uint8Array> {
  const n = individuals.length;
  const lines = new LineBuffer();
  lines.text(csvRow(['id', ...individuals]));
  for (const [i, name] of individuals.entries()) {
    lines.text(csvCell(name));
    lines.comma();
    lines.numbers(Array.from(kinship.subarray(i * n, (i + 1) * n)));
    lines.newLine();
    yield lines.take();
  }
}
