import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const COMPOSED = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:-(\d{1,15}))?$/i;

/** Takes an id of a file or of a row in it apart: `{uuid}` or `{uuid}-{number}`; undefined for any other text. */
export function splitId(id: string): { fileId: string; row: number | undefined } | undefined {
  const [, fileId, row] = COMPOSED.exec(id) ?? [];
  return fileId === undefined
    ? undefined
    : { fileId: fileId.toLowerCase(), row: row === undefined ? undefined : Number(row) };
}

/** Rows by file of those ids that name a row. */
export function rowsByFile(ids: readonly string[]): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const id of ids) {
    const split = splitId(id);
    if (split?.row !== undefined) rows.set(split.fileId, [...(rows.get(split.fileId) ?? []), split.row]);
  }
  return rows;
}

/** An id for what has no row of its own, a location for example: the same text in the same place gives the same id. */
export function idOfText(...parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  const known = idsOfTexts.get(text);
  if (known !== undefined) return known;
  const id = createHash('sha256').update(text).digest('hex').slice(0, 32);
  idsOfTexts.set(text, id);
  return id;
}

/** Each entry of a page asks for the same few. */
const idsOfTexts = new LRUCache<string, string>({ max: 10_000 });
