import { type CallCounts, frequencyA2, heterozygotes, isAllHeterozygous, ploidyOf } from './call-counts.ts';
import { decodeDosages, type FractionalDosages } from './fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection, requirePacked } from './packed-calls.ts';

/**
 * The value of each call of a marker, four numbers per marker in the order of the two-bit codes: two copies of A1,
 * missing, heterozygous, two copies of A2. Centring, scaling and imputation all happen in this table, so decoding is
 * one pass from packed bytes to the numbers that BLAS reads. In polyploids the values of no copy, missing, half of the
 * copies and all, see `decodeDosages`.
 */
export type CallValues = Float64Array;

/**
 * Frequency p of A2 from which deviations are measured: among the calls of `base`, possibly fewer individuals than
 * those decoded, or among `counts` where none of `base` has a call.
 */
export function baseFrequency(counts: CallCounts, base: CallCounts, j: number): number {
  const p = frequencyA2(base, j);
  return Number.isNaN(p) ? frequencyA2(counts, j) : p;
}

/**
 * Dosage minus kp, k the ploidy and p of `base`; missing → the mean dosage of `counts` minus kp, which is 0 when both
 * are the same.
 */
export function centredValues(counts: CallCounts, base: CallCounts = counts): CallValues {
  const k = ploidyOf(counts);
  return fillValues(counts, (mean, values, at, j) => {
    const p = baseFrequency(counts, base, j);
    values[at] = -k * p;
    values[at + 1] = k * mean - k * p;
    values[at + 2] = k / 2 - k * p;
    values[at + 3] = k - k * p;
  });
}

/**
 * (dosage − kp) / √(kp(1 − p)), k the ploidy and p of `base`, missing as in {@link centredValues}; a marker
 * monomorphic in `base` is 0 throughout.
 */
export function standardizedValues(counts: CallCounts, base: CallCounts = counts): CallValues {
  const values = centredValues(counts, base);
  for (let j = 0; j < counts.missing.length; j++) {
    const p = baseFrequency(counts, base, j);
    const variance = ploidyOf(counts) * p * (1 - p);
    const scale = variance > 0 ? 1 / Math.sqrt(variance) : 0;
    for (let at = 4 * j; at < 4 * j + 4; at++) values[at] *= scale;
  }
  return values;
}

/**
 * Dominance deviations −2p², 2pq, −2q² for 0, 1, 2 copies of A2, p its frequency in `base` (Vitezica, Varona & Legarra
 * 2013, Genetics 195:1223, doi:10.1534/genetics.113.155176), that is H + (2p − 1)·dosage − 2p² with H = 1 for
 * heterozygotes. Missing → the same formula for the mean dosage and the share of heterozygotes of `counts`; when both
 * are the same, that is the share minus 2pq. A marker at which all of `base` are heterozygous says nothing of dominance
 * and is 0 throughout, where the formula has ½ for all.
 *
 * In polyploids of ploidy k the digenic deviations of Endelman et al. 2018 (Genetics 209:77,
 * doi:10.1534/genetics.118.300685) times −2, x(k − x) + (k − 1)(2p − 1)·x − k(k − 1)p² for x copies of A2, which at
 * k = 2 are those above; missing → 0, their mean at equilibrium.
 */
export function dominanceValues(counts: CallCounts, base: CallCounts = counts): CallValues {
  const k = ploidyOf(counts);
  if (k > 2) return digenicValues(counts, base, k);
  return fillValues(counts, (mean, values, at, j) => {
    const p = baseFrequency(counts, base, j);
    const q = 1 - p;
    if (isAllHeterozygous(base, j)) return;
    const heterozygous = heterozygotes(counts, j) / (counts.individuals - counts.missing[j]);
    values[at] = -2 * p * p;
    values[at + 1] = heterozygous + (2 * p - 1) * 2 * mean - 2 * p * p;
    values[at + 2] = 2 * p * q;
    values[at + 3] = -2 * q * q;
  });
}

/**
 * Writes the chosen markers of a block as a column-major individuals × markers matrix.
 *
 * @param packed count × ceil(panelSize / 4) bytes
 * @param markers positions within the block, in the order of the columns written
 * @param values four numbers for each marker **of the block** (not only of the chosen ones)
 * @param out at least individuals × markers.length numbers
 * @param dosages of the markers of the block; undefined where all are whole numbers
 * @throws StatgenError `shape-mismatch`
 */
export function decodeBlock(
  packed: Uint8Array,
  count: number,
  selection: PanelSelection,
  markers: Int32Array,
  values: CallValues,
  out: Float64Array,
  dosages?: FractionalDosages,
): void {
  decodeCalls(packed, count, selection, markers, values, out);
  if (dosages !== undefined) decodeDosages(dosages, selection, markers, values, out);
}

function decodeCalls(
  packed: Uint8Array,
  count: number,
  selection: PanelSelection,
  markers: Int32Array,
  values: CallValues,
  out: Float64Array,
): void {
  requirePacked(packed, count, selection);
  const { panelSize, individuals } = selection;
  const stride = bytesPerMarker(panelSize);
  let o = 0;
  for (let column = 0; column < markers.length; column++) {
    const j = markers[column];
    const start = j * stride;
    const at = 4 * j;
    if (individuals === undefined) {
      const fullBytes = start + (panelSize >> 2);
      let offset = start;
      for (; offset < fullBytes; offset++) {
        const byte = packed[offset];
        out[o] = values[at + (byte & 3)];
        out[o + 1] = values[at + ((byte >> 2) & 3)];
        out[o + 2] = values[at + ((byte >> 4) & 3)];
        out[o + 3] = values[at + (byte >> 6)];
        o += 4;
      }
      for (let i = 0; i < (panelSize & 3); i++) out[o++] = values[at + ((packed[offset] >> (2 * i)) & 3)];
    } else {
      for (let i = 0; i < individuals.length; i++) {
        const individual = individuals[i];
        out[o++] = values[at + ((packed[start + (individual >> 2)] >> ((individual & 3) << 1)) & 3)];
      }
    }
  }
}

function digenicValues(counts: CallCounts, base: CallCounts, k: number): CallValues {
  return fillValues(counts, (_mean, values, at, j) => {
    const p = baseFrequency(counts, base, j);
    const deviation = (x: number): number => x * (k - x) + (k - 1) * (2 * p - 1) * x - k * (k - 1) * p * p;
    values[at] = deviation(0);
    values[at + 2] = deviation(k / 2);
    values[at + 3] = deviation(k);
  });
}

/** Entries that `fill` left at 0 stay 0; a marker without calls is 0 throughout. */
function fillValues(
  counts: CallCounts,
  fill: (p: number, values: Float64Array, at: number, j: number) => void,
): CallValues {
  const markers = counts.missing.length;
  const values = new Float64Array(4 * markers);
  for (let j = 0; j < markers; j++) {
    const p = frequencyA2(counts, j);
    if (!Number.isNaN(p)) fill(p, values, 4 * j, j);
  }
  return values;
}
