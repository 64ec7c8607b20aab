/**
 * Copies of ALT of one marker, read bit by bit as PLINK reads a `.bed`: 00 is two copies of the allele in column 5 of
 * the `.bim` (ALT), 10 one, 11 none, 01 missing; low bits first.
 */
export function decodeCalls(bed: Uint8Array, marker: number, samples: number): (number | null)[] {
  const stride = Math.ceil(samples / 4);
  return Array.from({ length: samples }, (_, sample) => {
    const byte = bed[3 + marker * stride + (sample >> 2)] ?? 0;
    return [2, null, 1, 0][(byte >> (2 * (sample & 3))) & 3] ?? null;
  });
}
