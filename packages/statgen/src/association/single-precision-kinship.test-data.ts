import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { countCalls, frequencyA2, type PanelSelection } from '../genotypes/call-counts.ts';

/**
 * The standardized kinship in single precision, marker after marker, with the divisor inside the scaling, as the R package
 * gaston 1.6 accumulates it. The reference results were computed from that matrix; its rounding errors (some 1e-5 of an
 * entry) move −log₁₀ p by up to 1e-5 (maize, wheat) or 2e-3 (rice), so only with it can they be met to 1e-6.
 */
export function singlePrecisionKinship(
  packed: Uint8Array,
  count: number,
  selection: PanelSelection & { individuals: Int32Array },
  markers: Int32Array,
): Matrix {
  const f = Math.fround;
  const { individuals } = selection;
  const n = individuals.length;
  const stride = (selection.panelSize + 3) >> 2;
  const counts = countCalls(packed, count, selection);
  const sums = new Float32Array(n * n);
  const x = new Float32Array(n);
  const values = new Float32Array(4);
  for (const j of markers) {
    const frequency = frequencyA2(counts, j);
    const p = f(frequency);
    const scale = f(1 / Math.sqrt(2 * frequency * (1 - frequency) * (markers.length - 1)));
    values[0] = f(f(-2 * p) * scale);
    values[2] = f(f(1 - f(2 * p)) * scale);
    values[3] = f(f(2 - f(2 * p)) * scale);
    for (let i = 0; i < n; i++) {
      const individual = individuals[i];
      x[i] = values[(packed[j * stride + (individual >> 2)] >> ((individual & 3) * 2)) & 3];
    }
    for (let a = 0; a < n; a++) {
      const own = x[a];
      const column = a * n;
      for (let b = a; b < n; b++) sums[column + b] += f(own * x[b]);
    }
  }
  const kinship = createMatrix(n, n);
  for (let a = 0; a < n; a++) {
    for (let b = a; b < n; b++) {
      kinship.data[b + a * n] = sums[b + a * n];
      kinship.data[a + b * n] = sums[b + a * n];
    }
  }
  return kinship;
}
