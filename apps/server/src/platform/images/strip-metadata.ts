import type { ImageFacts } from './read-image.ts';

interface Stripping {
  /** A JPEG says after it how it is to be turned, and nothing else. */
  keepsOrientation?: boolean;
}

/**
 * The image without what cameras and programs write into it: place and time, owner, comments, previews. The picture
 * itself is not decoded. Kept are the parts that its look depends on, by name; all others go, known or not. Undefined
 * when the parts do not follow each other as the format says.
 */
export function stripMetadata(
  bytes: Buffer,
  type: ImageFacts['type'],
  { keepsOrientation = false }: Stripping = {},
): Buffer | undefined {
  try {
    const stripped = STRIP[type](bytes);
    if (stripped === undefined || type !== 'image/jpeg' || !keepsOrientation) return stripped;
    const orientation = orientationOf(bytes);
    return orientation === 1
      ? stripped
      : Buffer.concat([stripped.subarray(0, 2), orientationSegment(orientation), stripped.subarray(2)]);
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

const EXIF = 'Exif\0\0';
const ORIENTATION = 0x0112;
const SHORT = 3;

/** How a JPEG is to be turned, 1 to 8 (Exif 2.32, 4.6.4); 1, as it is, where it does not say. */
function orientationOf(bytes: Buffer): number {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SOS; ) {
    if (bytes[at + 1] === 0xff) {
      // Fill bytes before a marker.
      at++;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (bytes[at + 1] === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === EXIF) {
      const tiff = bytes.subarray(at + 10, at + 2 + length);
      const found = tiffOrientation(tiff);
      if (found >= 1 && found <= 8) return found;
    }
    at += 2 + length;
  }
  return 1;
}

/** Of the first directory of a TIFF (6.0, section 2); 0 where there is none. */
function tiffOrientation(tiff: Buffer): number {
  if (tiff.length < 8) return 0;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return 0;
  const count = short(first);
  for (let k = 0; k < count; k++) {
    const entry = first + 2 + 12 * k;
    if (entry + 12 > tiff.length) return 0;
    if (short(entry) === ORIENTATION && short(entry + 2) === SHORT) return short(entry + 8);
  }
  return 0;
}

/** An application segment whose one entry is the orientation. */
function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(ORIENTATION, 10);
  tiff.writeUInt16LE(SHORT, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  const content = Buffer.concat([Buffer.from(EXIF, 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
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
