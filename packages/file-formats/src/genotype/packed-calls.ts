// PLINK 1 .bed calls: two bits each, the first individual in the lowest bits.
// Source: PLINK 1.9 file format reference, https://www.cog-genomics.org/plink/1.9/formats#bed

/** Two copies of A1. */
export const HOM_A1 = 0;
/** Not called. */
export const MISSING = 1;
/** One copy of each allele. */
export const HET = 2;
/** Two copies of A2. */
export const HOM_A2 = 3;

/** Magic number and mode (SNP-major) at the start of a `.bed`. */
export const BED_MAGIC: Uint8Array = Uint8Array.of(0x6c, 0x1b, 0x01);

/** Copies of A2 by call code; NaN for a missing call. */
export const DOSAGE_OF_CODE: Float64Array = Float64Array.of(0, Number.NaN, 1, 2);

/** Bytes of one marker with `sampleCount` individuals. */
export function packedLength(sampleCount: number): number {
  return Math.ceil(sampleCount / 4);
}

/** Writes call codes (0–3, one a sample) into `packed` at `offset`; unused bits of the last byte become zero. */
export function packCalls(codes: Uint8Array, packed: Uint8Array, offset = 0): void {
  const full = codes.length >> 2;
  let at = 0;
  for (let i = 0; i < full; i++, at += 4) {
    packed[offset + i] = codes[at] | (codes[at + 1] << 2) | (codes[at + 2] << 4) | (codes[at + 3] << 6);
  }
  if (at < codes.length) {
    let last = 0;
    for (let shift = 0; at < codes.length; at++, shift += 2) last |= codes[at] << shift;
    packed[offset + full] = last;
  }
}

/** Reads call codes (0–3, one a sample) from `packed` at `offset` into `codes`; as many as `codes` is long. */
export function unpackCalls(packed: Uint8Array, codes: Uint8Array, offset = 0): void {
  for (let i = 0; i < codes.length; i++) codes[i] = (packed[offset + (i >> 2)] >> (2 * (i & 3))) & 3;
}
