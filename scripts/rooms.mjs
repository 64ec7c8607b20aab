// Finds folders that hold too many files to be taken in at a glance, and files too long to be of one subject.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_FILES = 30;
const MOST_LINES = 500;
/** They grow with time, or are made by a script; nobody reads them as a whole. */
const LONG_ROWS = /\/(?:migrations|decisions|pictures|testdata|reference|locales)(?:\/|$)/;
/** A table reads well at any length, and what is generated is not read. */
const LONG_FILES = /problem-codes\.ts$|\.gen\.ts$|\.(?:test|spec|bench|test-data)\.tsx?$/;
const SKIPPED = new Set(['node_modules', 'dist', '.git']);

/** @param {string} root @returns {string[]} a line for each folder and each file */
export function findFullRooms(root) {
  return ['apps', 'packages', 'clients', 'e2e', 'scripts', 'docs'].flatMap((folder) => fullRooms(root, folder));
}

function fullRooms(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(({ name }) => !SKIPPED.has(name));
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`);
  return [
    ...(files.length > MOST_FILES && !LONG_ROWS.test(folder)
      ? [`${folder}: ${files.length} files in one folder (at most ${MOST_FILES}); put them into folders by subject`]
      : []),
    ...files.flatMap((file) => tooLong(root, file)),
    ...entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => fullRooms(root, `${folder}/${name}`)),
  ];
}

function tooLong(root, file) {
  if (!/\.(?:tsx?|mjs)$/.test(file) || LONG_FILES.test(file)) return [];
  const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  return lines > MOST_LINES ? [`${file}: ${lines} lines (at most ${MOST_LINES}); split it where a subject ends`] : [];
}
