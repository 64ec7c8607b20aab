import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import type { PanelSelection } from '@heterosis/statgen/genotypes/call-counts';
import {
  createKinshipAccumulator,
  type KinshipAccumulator,
  type KinshipMethod,
  type KinshipResult,
} from '@heterosis/statgen/kinship/accumulate-kinship';
import { createSinglePrecisionAccumulator } from '@heterosis/statgen/kinship/single-precision-kinship';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { markerRanges, packedRanges } from './open-panel.ts';

/** `single` repeats the rounding of the R package gaston, for results that are compared with its own; only `standardized`. */
export type KinshipPrecision = 'double' | 'single';

export interface PanelKinshipInput {
  panel: Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'dosages'>;
  methods: readonly KinshipMethod[];
  maf: number;
  callRate: number;
  /** Positions in the panel; all individuals unless told. */
  individuals?: Int32Array;
  /** Positions of those whose allele frequencies count; `individuals` unless told. */
  frequenciesOf?: Int32Array;
  /** `double` unless told. */
  precision?: KinshipPrecision;
  /** False when nobody asks for figures of single markers. True unless told. */
  withMarkerColumns?: boolean;
}

/**
 * Kinship matrices of a panel, read block by block: O(n² + n·block) memory whatever the number of markers. In single
 * precision the panel is read twice, as the divisor must be known before anything is added up.
 *
 * @throws AnalysisError `analysis/single-precision` when another matrix than `standardized` is asked for in single precision
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

/** Which individuals of packed calls are analysed. Nobody is named when everybody is: whole bytes are decoded faster. */
export function panelSelection(panelSize: number, individuals: Int32Array | undefined): PanelSelection {
  const isEverybody =
    individuals === undefined || (individuals.length === panelSize && individuals.every((i, place) => i === place));
  return isEverybody ? { panelSize } : { panelSize, individuals };
}

/** A kinship matrix (n × n) as CSV: the header names the individuals, each row begins with its own. */
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
