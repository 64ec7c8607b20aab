import { zipSync } from 'fflate';

/** A file that is broken as people, programs and disks break them, and by which reader it is read. */
export interface BrokenFile {
  /** `reader/what is broken`. */
  name: `${ReaderName}/${string}`;
  bytes: () => Uint8Array;
}

export type ReaderName = 'vcf' | 'hapmap' | 'zip' | 'matrix' | 'phenotype' | 'workbook' | 'genes' | 'map' | 'pedigree';

type Content = string | Uint8Array | (() => string | Uint8Array);

/** Names files by what is broken in them. */
export function brokenFiles(reader: ReaderName, files: Record<string, Content>): BrokenFile[] {
  return Object.entries(files).map(([what, content]) => ({
    name: `${reader}/${what}`,
    bytes: () => bytesOf(typeof content === 'function' ? content() : content),
  }));
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content;

/** Rows of cells separated by tabs, each ended by LF. */
export const tabbed = (...rows: (readonly (string | number)[])[]): string =>
  rows.map((cells) => `${cells.join('\t')}\n`).join('');

/** Lines of a text, each ended by LF. */
export const lines = (...rows: readonly string[]): string => rows.map((row) => `${row}\n`).join('');

export const utf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le');

/** As many lines as `count`, made from their numbers. */
export const repeated = (count: number, lineOf: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => lineOf(i)).join('');

export function zipOf(files: Record<string, string | Uint8Array>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, bytesOf(content)])));
}
