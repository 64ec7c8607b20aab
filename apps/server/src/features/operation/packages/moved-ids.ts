import { createHash } from 'node:crypto';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ONLY_UUID = new RegExp(`^${UUID.source}$`);

export const isId = (text: string): boolean => ONLY_UUID.test(text);

/** The ids of an import: rows get new ones, because the same package may be imported twice. */
export interface MovedIds {
  /** The id here of any row of the package. An attempt that takes over from a killed one gives the same. */
  of(id: string): string;
  /** Under which key an object of the package is stored here. */
  key(key: string): string;
}

/**
 * New ids are a hash of the import and the old one, so that no package can name a row that it did not bring. The time
 * in front stays (UUIDv7, RFC 9562): lists go by it.
 */
export function movedIds(importId: string, from: { projectId: string }, to: { projectId: string }): MovedIds {
  const of = (id: string): string => {
    if (id === from.projectId) return to.projectId;
    const hash = createHash('sha256').update(`${importId} ${id}`).digest();
    hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x70;
    hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
    const hex = hash.toString('hex', 6, 16);
    return `${id.slice(0, 13)}-${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8, 20)}`;
  };
  return { of, key: (key) => key.replaceAll(UUID, of) };
}
