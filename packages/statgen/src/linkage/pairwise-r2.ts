import { bytesPerMarker, requirePacked } from '../genotypes/packed-calls.ts';

/** Calls of markers as bit planes, 32 individuals per word, so that r² of a pair costs a few operations per word. */
export interface MarkerPlanes {
  /** Words per marker. */
  words: number;
  /**
   * One bit per individual: called, heterozygous, two copies of A2. `words` for each marker, one marker after another.
   */
  called: Int32Array;
  heterozygous: Int32Array;
  homozygousA2: Int32Array;
  /** Missing calls, heterozygotes and carriers of two copies of each marker. */
  missing: Int32Array;
  heterozygotes: Int32Array;
  homozygotesA2: Int32Array;
}

/** Allocates the planes of `markers` markers of `panelSize` individuals; 3 bits per call. */
export function createMarkerPlanes(panelSize: number, markers: number): MarkerPlanes {
  const words = (panelSize + 31) >> 5;
  const plane = () => new Int32Array(words * markers);
  const column = () => new Int32Array(markers);
  return {
    words,
    called: plane(),
    heterozygous: plane(),
    homozygousA2: plane(),
    missing: column(),
    heterozygotes: column(),
    homozygotesA2: column(),
  };
}

/**
 * Sets the planes of marker `place` from packed calls (see `PanelSelection`) starting at `offset`.
 *
 * @throws StatgenError `shape-mismatch` when there are too few bytes
 */
export function setMarkerPlanes(
  planes: MarkerPlanes,
  place: number,
  packed: Uint8Array,
  offset: number,
  panelSize: number,
): void {
  requirePacked(packed.subarray(offset), 1, { panelSize });
  const { words, called, heterozygous, homozygousA2 } = planes;
  const first = words * place;
  const bytes = bytesPerMarker(panelSize);
  let missing = 0;
  let heterozygotes = 0;
  let homozygotesA2 = 0;
  for (let word = 0, byte = 0; word < words; word++) {
    let call = 0;
    let one = 0;
    let two = 0;
    const individuals = Math.min(32, panelSize - 32 * word);
    for (let i = 0; i < individuals; i += 4, byte++) {
      const four = byte < bytes ? packed[offset + byte] : 0;
      const last = Math.min(4, individuals - i);
      for (let k = 0; k < last; k++) {
        const code = (four >> (2 * k)) & 3;
        const bit = 1 << (i + k);
        if (code !== 1) call |= bit;
        if (code === 2) one |= bit;
        if (code === 3) two |= bit;
      }
    }
    called[first + word] = call;
    heterozygous[first + word] = one;
    homozygousA2[first + word] = two;
    missing += individuals - bitCount(call);
    heterozygotes += bitCount(one);
    homozygotesA2 += bitCount(two);
  }
  planes.missing[place] = missing;
  planes.heterozygotes[place] = heterozygotes;
  planes.homozygotesA2[place] = homozygotesA2;
}

/**
 * r² of two markers: the squared Pearson correlation of dosages over the individuals called at both, as
 * `linkageDisequilibrium` and `plink --r2` (unphased) define it. NaN where either is constant among these individuals.
 * The sums are whole numbers and exact.
 */
export function pairwiseR2(planes: MarkerPlanes, first: number, second: number, individuals: number): number {
  const { words, called, heterozygous, homozygousA2 } = planes;
  const a = words * first;
  const b = words * second;
  let oneOne = 0;
  let oneTwo = 0;
  let twoTwo = 0;
  for (let w = 0; w < words; w++) {
    const oneA = heterozygous[a + w];
    const oneB = heterozygous[b + w];
    const twoA = homozygousA2[a + w];
    const twoB = homozygousA2[b + w];
    oneOne += bitCount(oneA & oneB);
    // Each count is at most the number of individuals, so both fit into one word.
    oneTwo += bitCount((oneA & twoB) | (twoA & oneB));
    twoTwo += bitCount(twoA & twoB);
  }
  let n = individuals;
  let oneA = planes.heterozygotes[first];
  let oneB = planes.heterozygotes[second];
  let twoA = planes.homozygotesA2[first];
  let twoB = planes.homozygotesA2[second];
  if (planes.missing[first] > 0 || planes.missing[second] > 0) {
    n = 0;
    oneA = 0;
    oneB = 0;
    twoA = 0;
    twoB = 0;
    for (let w = 0; w < words; w++) {
      const both = called[a + w] & called[b + w];
      n += bitCount(both);
      oneA += bitCount(heterozygous[a + w] & both);
      oneB += bitCount(heterozygous[b + w] & both);
      twoA += bitCount(homozygousA2[a + w] & both);
      twoB += bitCount(homozygousA2[b + w] & both);
    }
  }
  const x = oneA + 2 * twoA;
  const y = oneB + 2 * twoB;
  const varianceX = n * (oneA + 4 * twoA) - x * x;
  const varianceY = n * (oneB + 4 * twoB) - y * y;
  const covariance = n * (oneOne + 2 * oneTwo + 4 * twoTwo) - x * y;
  return varianceX > 0 && varianceY > 0 ? (covariance / varianceX) * (covariance / varianceY) : Number.NaN;
}

/** Bits set in a word. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
