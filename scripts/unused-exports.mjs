// Finds exported functions, classes and constants that only tests need, or nobody. An export of the product needs a
// user in the product: another file that names it or, when it is exported for a test, its own. Types may have their
// only user in their own file, because argument types are part of a function's signature; so may all that the contracts
// export, which exist for other readers. What is named nowhere else at all is dead there, too.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const EXPORT = /^export (?:default )?(?:abstract )?(?:async )?(function\*?|const|let|class|type|interface)\s+(\w+)/gm;
const WORD = /[A-Za-z_$][\w$]*/g;
/** Folders of sources below the root. */
const FOLDERS = ['apps', 'packages', 'e2e', 'scripts'];
const SKIPPED = new Set(['node_modules', 'dist']);
/** Vitest calls the exports of such files, and the compiler what is generated. */
const EXEMPT = /\.global-setup\.ts$|\.gen\.ts$/;
/** Other programs may import them. */
const FOR_OTHERS = /^packages\/contracts\//;

/** Files that only tests load. Benchmarks and commands are used by people. */
const TEST =
  /\.(?:test|spec)\.tsx?$|\.test-data\.|\.setup\.|\/(?:testing|tools|product-tests)(?:\/|\.)|^e2e\/|^packages\/test-support\//;
/** What the product has for tests, with the reason. */
const FOR_TESTS = new Map([
  ['withBackend', 'tests compare the two backends in one process'],
  ['biplotOf', 'pages of trials draw it, and are not there yet'],
]);

/** @param {string} root of the repository @returns {string[]} a line for each unused export */
export function findUnusedExports(root) {
  /** @type {Map<string, { all: number, product: number }>} number of files that contain a word */
  const files = new Map();
  /** @type {{ file: string, name: string, isUsedThere: boolean }[]} */
  const exported = [];
  for (const path of FOLDERS.flatMap((folder) => sourcesBelow(join(root, folder)))) {
    const words = readFileSync(path, 'utf8').match(WORD) ?? [];
    const times = new Map();
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
    const file = relative(root, path).replaceAll('\\', '/');
    const isTest = TEST.test(file);
    for (const word of times.keys()) {
      const count = files.get(word) ?? { all: 0, product: 0 };
      files.set(word, { all: count.all + 1, product: count.product + (isTest ? 0 : 1) });
    }
    if (EXEMPT.test(file)) continue;
    for (const [, kind, name] of readFileSync(path, 'utf8').matchAll(EXPORT)) {
      const isUsedThere = times.get(name) > 1;
      const isForReaders = kind === 'type' || kind === 'interface' || FOR_OTHERS.test(file);
      if (!(isForReaders && isUsedThere)) exported.push({ file, name, isTest: isTest || isForReaders, isUsedThere });
    }
  }
  return exported.flatMap(({ file, name, isTest, isUsedThere }) => {
    const { all, product } = files.get(name);
    if (all === 1) return [`${file}: ${name} is exported, and no other file names it`];
    if (isTest || product > 1 || isUsedThere || FOR_TESTS.has(name)) return [];
    return [`${file}: ${name} is exported, and only tests use it`];
  });
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
