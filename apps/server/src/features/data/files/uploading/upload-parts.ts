import type { ObjectStorage } from '../../../../platform/object-storage/object-storage.ts';
import { partKey, partsPrefix } from '../file-keys.ts';

/** An upload in parts of equal size, except for the last; numbers start at 1. */
export interface PartedUpload {
  id: string;
  sizeBytes: number;
  partBytes: number;
}

export interface ArrivedPart {
  number: number;
  size_bytes: number;
}

export const countParts = ({ sizeBytes, partBytes }: PartedUpload): number => Math.ceil(sizeBytes / partBytes);

/** Size of a part; 0 for a number out of range. */
export function partSize({ sizeBytes, partBytes }: PartedUpload, number: number): number {
  return Math.max(0, Math.min(partBytes, sizeBytes - (number - 1) * partBytes));
}

/** The complete parts, in order. */
export async function listArrivedParts(storage: ObjectStorage, upload: PartedUpload): Promise<ArrivedPart[]> {
  const prefix = partsPrefix(upload.id);
  const parts: ArrivedPart[] = [];
  for await (const { key, sizeBytes } of storage.list(prefix)) {
    const number = Number(key.slice(prefix.length));
    if (sizeBytes > 0 && sizeBytes === partSize(upload, number)) parts.push({ number, size_bytes: sizeBytes });
  }
  return parts;
}

/** Concatenates all parts, which must be complete. They remain until {@link deleteParts}. */
export async function assembleParts(storage: ObjectStorage, upload: PartedUpload, to: string): Promise<void> {
  const keys = Array.from({ length: countParts(upload) }, (_, index) => partKey(upload.id, index + 1));
  await storage.concatenate(keys, to);
}

export async function deleteParts(storage: ObjectStorage, uploadId: string): Promise<void> {
  await storage.deletePrefix(partsPrefix(uploadId));
}

export const bytesOf = (parts: readonly ArrivedPart[]): number =>
  parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
