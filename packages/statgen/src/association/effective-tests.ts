import { createMatrix, type Matrix, matrixOf, transpose } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { symmetricEigenvaluesInPlace } from '@heterosis/linalg/symmetric-eigen';
import { createCallBlock } from '../genotypes/call-block.ts';
import {
  bytesPerMarker,
  type MarkerFilter,
  type PanelSelection,
  passesFilter,
  requirePacked,
  selectionSize,
} from '../genotypes/call-counts.ts';
import { centredValues } from '../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { positionsOf } from '../kinship/accumulate-kinship.ts';

/** The largest matrix whose eigenvalues are computed; a second of work. */
const LARGEST_SPECTRUM = 2000;
/** Markers decoded at a time. */
const MARKERS_PER_BLOCK = 512;

export interface EffectiveTestsOptions extends PanelSelection {
  filter: MarkerFilter;
  /** 2,000 unless told. */
  largestSpectrum?: number;
}

/** Counts the independent tests of one chromosome after another. */
export interface EffectiveTestsCounter {
  /**
   * Adds markers of the current chromosome.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   * @param dosages of the same markers; undefined where all are whole numbers
   * @throws StatgenError `shape-mismatch`
   */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** Independent tests among the markers added since the last call; the next markers are those of another chromosome. */
  finishChromosome(): number;
  /** Markers in each block where a chromosome was cut; null while every one was taken whole. */
  blockMarkers(): number | null;
}

/**
 * Effective number of independent tests after Li & Ji (2005, Heredity 95:221, doi:10.1038/sj.hdy.6800717): Σ over the eigenvalues λ
 * of the correlation matrix of a chromosome's markers of [λ ≥ 1] + (λ − ⌊λ⌋). The sum over chromosomes is the number for the
 * genome. A missing call counts as the mean of its marker; markers that fail the filter do not count.
 *
 * With more markers than individuals the n × n cross product of the standardized markers has the same eigenvalues but for
 * zeros, which count nothing; so a spectrum is never larger than the smaller of both. Where that is beyond
 * 2,000 too, the chromosome is cut into blocks of that many consecutive markers, whose numbers add up to more than
 * that of the whole, as markers of different blocks then count as independent: the threshold becomes stricter.
 *
 * Memory O(n·min(n, 2000)), time O(n·min(n, 2000)) a marker.
 *
 * @throws StatgenError `shape-mismatch`, `bad-option`
 */
export function createEffectiveTestsCounter(options: EffectiveTestsOptions): EffectiveTestsCounter {
  const n = selectionSize(options);
  const limit = options.largestSpectrum ?? LARGEST_SPECTRUM;
  const capacity = Math.min(n, limit);
  const stride = bytesPerMarker(options.panelSize);
  const block = createCallBlock(options, MARKERS_PER_BLOCK);
  const buffer = createMatrix(n, capacity);
  let buffered = 0;
  /** Sum over the markers that have left the buffer, in place of cutting the chromosome. */
  let crossProduct: Matrix | null = null;
  let total = 0;
  let isCut = false;

  const takeBuffer = (): Matrix => {
    const columns = matrixOf(n, buffered, buffer.data.subarray(0, n * buffered));
    buffered = 0;
    return columns;
  };
  const makeRoom = (): void => {
    if (n <= limit) {
      crossProduct ??= createMatrix(n, n);
      addOuterProduct(crossProduct, takeBuffer());
    } else {
      isCut = true;
      total += testsOfSpectrum(markerCorrelation(takeBuffer()), capacity);
    }
  };
  const addColumn = (column: Float64Array): void => {
    let square = 0;
    for (let i = 0; i < n; i++) square += column[i] * column[i];
    // A marker at which everybody is heterozygous correlates with nothing and is not tested.
    if (!(square > 0)) return;
    if (buffered === capacity) makeRoom();
    const scale = 1 / Math.sqrt(square);
    const start = n * buffered++;
    for (let i = 0; i < n; i++) buffer.data[start + i] = column[i] * scale;
  };

  return {
    add(packed, count, dosages) {
      requirePacked(packed, count, options);
      for (let first = 0; first < count; first += MARKERS_PER_BLOCK) {
        const size = Math.min(MARKERS_PER_BLOCK, count - first);
        const counts = block.load(
          packed.subarray(first * stride, (first + size) * stride),
          size,
          dosagesOfPart(dosages, first, size),
        );
        const kept = new Uint8Array(size);
        for (let j = 0; j < size; j++) kept[j] = passesFilter(counts, j, options.filter) ? 1 : 0;
        const markers = positionsOf(kept);
        const { data } = block.decode(markers, centredValues(counts));
        for (let j = 0; j < markers.length; j++) addColumn(data.subarray(j * n, (j + 1) * n));
      }
    },
    finishChromosome() {
      if (crossProduct === null) {
        const markers = buffered;
        total += testsOfSpectrum(markerCorrelation(takeBuffer()), markers);
      } else {
        addOuterProduct(crossProduct, takeBuffer());
        let markers = 0;
        for (let i = 0; i < n; i++) markers += crossProduct.data[i * (n + 1)];
        total += testsOfSpectrum(crossProduct, markers);
      }
      const found = total;
      crossProduct = null;
      total = 0;
      return found;
    },
    blockMarkers: () => (isCut ? capacity : null),
  };
}

/** Correlations of columns of unit length, lower triangle. */
function markerCorrelation(columns: Matrix): Matrix {
  const correlation = createMatrix(columns.columns, columns.columns);
  if (columns.columns > 0) addOuterProduct(correlation, transpose(columns));
  return correlation;
}

/** Rounding of an eigenvalue, for each unit of their sum. */
const ROUNDING = 1e-12;

/**
 * Li & Ji's sum over the eigenvalues of a matrix, which is destroyed.
 *
 * @param markers the sum of its eigenvalues
 */
function testsOfSpectrum(matrix: Matrix, markers: number): number {
  // The function jumps at whole numbers (2 counts 1, 2 − 1e−16 counts 2): rounding must not decide, as it would for copies of
  // a marker, whose eigenvalues are whole, and for the zeros of a matrix without full rank.
  const tolerance = 1e-9 + ROUNDING * markers;
  let tests = 0;
  for (const eigenvalue of symmetricEigenvaluesInPlace(matrix)) {
    const nearest = Math.round(eigenvalue);
    const size = Math.abs(eigenvalue - nearest) < tolerance ? nearest : eigenvalue;
    tests += (size >= 1 ? 1 : 0) + (size - Math.floor(size));
  }
  return tests;
}
