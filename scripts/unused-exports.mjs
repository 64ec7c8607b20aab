// Finds exported functions, classes and constants that no other file names. Types are ignored,
// because argument types are part of a function's signature; so are the contracts, which exist for other readers.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const EXPORT = /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|const|let|class)\s+(\w+)/gm;
const WORD = /[A-Za-z_$][\w$]*/g;
/** Folders of sources below the root. */
const FOLDERS = ['apps', 'packages', 'e2e', 'scripts'];
const SKIPPED = new Set(['node_modules', 'dist']);
/** Vitest calls the exports of such files; other programs may import the contracts. */
const EXEMPT = /\.global-setup\.ts$|^packages\/contracts\//;

/** @param {string} root of the repository @returns {string[]} a line for each unused export */
export function findUnusedExports(root) {
  /** @type {Map<string, number>} number of files that contain a word */
  const files = new Map();
  /** @type {[file: string, name: string][]} */
  const exported = [];
  for (const path of FOLDERS.flatMap((folder) => sourcesBelow(join(root, folder)))) {
    const text = readFileSync(path, 'utf8');
    for (const word of new Set(text.match(WORD))) files.set(word, (files.get(word) ?? 0) + 1);
    const file = relative(root, path).replaceAll('\\', '/');
    if (!EXEMPT.test(file)) for (const [, name] of text.matchAll(EXPORT)) exported.push([file, name]);
  }
  return exported
    .filter(([, name]) => files.get(name) === 1)
    .map(([file, name]) => `${file}: ${name} is exported, and no other file names it`);
}

function sourcesBelow(folder) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) found.push(...sourcesBelow(path));
    else if (entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name)) found.push(path);
  }
  return found;
}
