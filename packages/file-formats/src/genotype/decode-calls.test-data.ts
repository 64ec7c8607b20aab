/** Dosages of A2 of one marker, read bit by bit as the `.bed` format says: 00 A1A1, 10 A1A2, 11 A2A2, 01 missing; low bits first. */
export function decodeCalls(bed: Uint8Array, marker: number, samples: number): (number | null)[] {
  const stride = Math.ceil(samples / 4);
  return Array.from({ length: samples }, (_, sample) => {
    const byte = bed[3 + marker * stride + (sample >> 2)] ?? 0;
    return [0, null, 1, 2][(byte >> (2 * (sample & 3))) & 3] ?? null;
  });
}
