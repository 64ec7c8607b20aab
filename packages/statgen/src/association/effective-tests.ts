import { createMatrix, type Matrix, matrixOf, transpose } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { symmetricEigenvaluesInPlace } from '@heterosis/linalg/symmetric-eigen';
import { createCallBlock } from '../genotypes/call-block.ts';
import { type MarkerFilter, passesFilter } from '../genotypes/call-counts.ts';
import { centredValues } from '../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from '../genotypes/packed-calls.ts';
import { positionsOf } from '../kinship/accumulate-kinship.ts';

/** Largest matrix to decompose; its eigenvalues take about a second. */
const LARGEST_SPECTRUM = 2000;
/** Markers decoded at a time. */
const MARKERS_PER_BLOCK = 512;

export interface EffectiveTestsOptions extends PanelSelection {
  filter: MarkerFilter;
  /** Default 2,000. */
  largestSpectrum?: number;
}

/** Counts the independent tests, one chromosome after another. */
export interface EffectiveTestsCounter {
  /**
   * Adds markers of the current chromosome.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   * @param dosages of the same markers; undefined where all are whole numbers
   * @throws StatgenError `shape-mismatch`
   */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** Independent tests among the markers added since the last call; the next markers start another chromosome. */
  finishChromosome(): number;
  /** Markers per block, where a chromosome was split; null while none was. */
  blockMarkers(): number | null;
}

/**
 * Effective number of independent tests (Li & Ji 2005, Heredity 95:221, doi:10.1038/sj.hdy.6800717): the sum over the
 * eigenvalues λ of the correlation matrix of a chromosome's markers of [λ ≥ 1] + (λ − ⌊λ⌋). The genome's number is the
 * sum over chromosomes. A missing call takes its marker's mean; markers that fail the filter do not count.
 *
 * With more markers than individuals, the n × n cross product of the standardized markers has the same nonzero
 * eigenvalues, and zeros count nothing, so the matrix has the smaller of both sizes. If that also exceeds 2,000, the
 * chromosome is split into blocks of 2,000 consecutive markers. Markers of different blocks then count as independent,
 * so the sum exceeds the number of the whole and the threshold becomes stricter.
 *
 * Memory O(n·min(n, 2000)), time O(n·min(n, 2000)) per marker.
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
  /** Running sum over markers that have left the buffer; an alternative to splitting the chromosome. */
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
    // A marker with only heterozygotes has no variance: it is not tested.
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

/** Rounding error of an eigenvalue, per unit of the eigenvalues' sum. */
const ROUNDING = 1e-12;

/**
 * Li & Ji's sum over the eigenvalues of a matrix; overwrites the matrix.
 *
 * @param markers the sum of its eigenvalues
 */
function testsOfSpectrum(matrix: Matrix, markers: number): number {
  // The function jumps at whole numbers (2 counts 1, 2 − 1e−16 counts 2). Rounding must not decide there: duplicate
  // markers have integer eigenvalues, and a rank-deficient matrix has zeros.
  const tolerance = 1e-9 + ROUNDING * markers;
  let tests = 0;
  for (const eigenvalue of symmetricEigenvaluesInPlace(matrix)) {
    const nearest = Math.round(eigenvalue);
    const size = Math.abs(eigenvalue - nearest) < tolerance ? nearest : eigenvalue;
    tests += (size >= 1 ? 1 : 0) + (size - Math.floor(size));
  }
  return tests;
}
