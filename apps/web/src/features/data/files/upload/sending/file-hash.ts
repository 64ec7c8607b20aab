import { UPLOAD_PART_BYTES } from '@heterosis/contracts/data/file-uploads';

/** SHA-256; undefined on plain http from another machine, where browsers have none. */
export async function sha256(bytes: BufferSource): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!('subtle' in crypto)) return undefined;
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * By which a file is known again when it is chosen another time, to go on with its upload: name, size, time of change
 * and the bytes of its first part. What was sent before is compared byte for byte when the upload ends, by the hash of
 * its parts.
 */
export async function fingerprintOf(file: File): Promise<string> {
  const first = await file.slice(0, UPLOAD_PART_BYTES).arrayBuffer();
  const content = toHex((await sha256(first)) ?? plainHash(new Uint8Array(first)));
  const all = new TextEncoder().encode(JSON.stringify([file.name, file.size, file.lastModified, content]));
  return toHex((await sha256(all)) ?? plainHash(all));
}

const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;

/**
 * FNV-1a (Fowler, Noll, Vo 1991) of 32 bits over the bytes as they stand and from the second on: enough to tell one's
 * own files apart.
 */
export function plainHash(bytes: Uint8Array): Uint8Array {
  const out = new DataView(new ArrayBuffer(8));
  for (const from of [0, 1]) {
    let hash = FNV_OFFSET;
    for (let at = from; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME) >>> 0;
    out.setUint32(4 * from, hash);
  }
  return new Uint8Array(out.buffer);
}
