import type { ImageFacts } from './read-image.ts';

/**
 * The image without what cameras and programs write into it: place and time, owner, comments, previews. The picture
 * itself is not decoded. Kept are the parts that its look depends on, by name; all others go, known or not. Undefined
 * when the parts do not follow each other as the format says.
 */
export function stripMetadata(bytes: Buffer, type: ImageFacts['type']): Buffer | undefined {
  try {
    return STRIP[type](bytes);
  } catch (error) {
    // A part that ends beyond the end of the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const STRIP = { 'image/png': stripPng, 'image/jpeg': stripJpeg, 'image/webp': stripWebp };

/** Chunks of PNG (third edition, 2025) that colours, transparency, size and animation depend on. */
const PNG_KEPT = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs acTL fcTL fdAT'.split(' '));

function stripPng(bytes: Buffer): Buffer | undefined {
  const kept = [part(bytes, 0, 8)];
  for (let at = 8; ; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (PNG_KEPT.has(kind)) kept.push(part(bytes, at, end));
    if (kind === 'IEND') return Buffer.concat(kept);
    at = end;
  }
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;

/** Segments of JPEG (ITU T.81, B.1). */
function stripJpeg(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = [];
  for (let at = 0; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      // Fill bytes before a marker.
      at++;
      continue;
    }
    const isAlone = marker === SOI || marker === EOI;
    let end = isAlone ? at + 2 : at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === SOS) end = endOfScan(bytes, end);
    if (isPartOfPicture(marker, bytes.subarray(at + 4, end))) kept.push(part(bytes, at, end));
    if (marker === EOI) return Buffer.concat(kept);
    at = end;
  }
}

/** Of the application segments JFIF (0), a colour profile (2) and Adobe's note on the transform of colours (14). */
function isPartOfPicture(marker: number, content: Buffer): boolean {
  const COMMENT = 0xfe;
  if (marker === COMMENT) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  if (marker === 0xe2) return content.toString('latin1', 0, 11) === 'ICC_PROFILE';
  return marker === 0xe0 || marker === 0xee;
}

/** Where the next marker is: within a scan 0xff is followed by 0, or by the number of a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; ; at++) {
    if (bytes.readUInt8(at) !== 0xff) continue;
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}

const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Flags of VP8X that promise EXIF and XMP (RFC 9649, 2.7.1). */
const WEBP_METADATA_FLAGS = 0b1100;

function stripWebp(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = [];
  const end = 8 + bytes.readUInt32LE(4);
  for (let at = 12; at < end; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const next = at + 8 + size + (size % 2);
    if (WEBP_KEPT.has(kind)) {
      const chunk = Buffer.from(part(bytes, at, next));
      if (kind === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~WEBP_METADATA_FLAGS, 8);
      kept.push(chunk);
    }
    at = next;
  }
  const head = Buffer.from(part(bytes, 0, 12));
  head.writeUInt32LE(4 + kept.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...kept]);
}

/** @throws RangeError when the file ends before */
function part(bytes: Buffer, from: number, to: number): Buffer {
  if (to > bytes.length) throw new RangeError('The image ends within a part');
  return bytes.subarray(from, to);
}
