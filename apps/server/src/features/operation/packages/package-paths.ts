/** Where the files of a package lie in it. */
export const PACKAGE_FILE = 'heterosis/package.json';
export const LINES_FILE = 'heterosis/lines.jsonl';
export const OBJECTS_FILE = 'heterosis/objects.jsonl';
export const MANIFEST_FILE = 'manifest-sha256.txt';
export const CRATE_FILE = 'ro-crate-metadata.json';
export const tableFile = (table: string): string => `heterosis/tables/${table}.jsonl`;

/** The format of the rows; another number is another way to read them. */
export const PACKAGE_FORMAT = 1;

const MAX_SEGMENT = 120;

/** A name as part of a path that every file system takes. */
const segment = (name: string): string =>
  name
    .normalize('NFC')
    .replaceAll(/[/\\:*?"<>|\p{Cc}]+/gu, '_')
    .replace(/^[. ]+/, '_')
    .slice(0, MAX_SEGMENT)
    .replace(/[. ]+$/, '') || '_';

/** Gives every file of a package a path of its own; those of one name get numbers. */
export function createPaths(): (...segments: string[]) => string {
  const taken = new Set<string>();
  return (...segments) => {
    const path = segments.map(segment).join('/');
    const [, stem = path, ending = ''] = /^(.*?)((?:\.[A-Za-z0-9]{1,8}){0,2})$/s.exec(path) ?? [];
    let free = path;
    for (let k = 2; taken.has(free.toLowerCase()); k++) free = `${stem} (${k})${ending}`;
    taken.add(free.toLowerCase());
    return free;
  };
}

/** Whether an archive may hold a file under this path: below its own folder, wherever it is unpacked. */
export const isSafePath = (path: string): boolean =>
  path.length <= 2000 &&
  !/[\\\p{Cc}]/u.test(path) &&
  !/^(?:\/|[A-Za-z]:)/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
