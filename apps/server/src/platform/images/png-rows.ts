import { inflateSync } from 'node:zlib';

/** Samples of a pixel by colour type (PNG, third edition, 2025, 11.2.1). */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const FILTERS = 5;

/**
 * Whether a PNG of a known size has all its rows in the plain order, of at most 8 bits a sample: what PDFs hold without
 * drawing it anew. No more is inflated than the size says, so that a small file cannot become a large one.
 */
export function hasWholeRows(bytes: Buffer): boolean {
  try {
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    const samples = SAMPLES[bytes.readUInt8(25)];
    const depth = bytes.readUInt8(24);
    if (samples === undefined || depth > 8 || bytes.readUInt8(28) !== 0) return false;
    const row = Math.ceil((width * samples * depth) / 8) + 1;
    const rows = inflateSync(dataOf(bytes), { maxOutputLength: row * height });
    if (rows.length !== row * height) return false;
    for (let at = 0; at < rows.length; at += row) if ((rows[at] ?? FILTERS) >= FILTERS) return false;
    return true;
  } catch {
    // Cut off, or no deflated rows.
    return false;
  }
}

function dataOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; ; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'IEND') return Buffer.concat(parts);
    if (kind === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
}
