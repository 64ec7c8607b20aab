// Kinds of run and types of file are listed in one table each (`run-kinds.ts` and `files.ts` of the contracts);
// everything else is derived from it. This finds places that list three or more of them by hand: in an array or a
// union, in the cases of a switch, as the tables of SQL statements, or as the keys of an object that the compiler does
// not check for completeness.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { FILE_TYPES } from '../packages/contracts/src/data/files.ts';
import { RUN_KINDS } from '../packages/contracts/src/work/run-kinds.ts';

/** Fewer are a choice among them, not a list of them. */
const LISTED = 3;

const TABLES = [
  {
    what: 'kinds of run',
    table: 'packages/contracts/src/work/run-kinds.ts',
    names: [...Object.keys(RUN_KINDS), ...Object.values(RUN_KINDS).map(({ path }) => path)],
  },
  { what: 'types of file', table: 'packages/contracts/src/data/files.ts', names: Object.keys(FILE_TYPES) },
];

/**
 * May list them: the tables; what generates nothing and is checked another way. The readers may not import the
 * contracts, and a test of the server compares their list with the table; the compiler compares the contracts of runs.
 */
const EXEMPT = [
  ...TABLES.map(({ table }) => table),
  'packages/file-formats/src/file-kinds.ts',
  'packages/contracts/src/work/run-contracts.ts',
  /\/migrations\//,
  /\.gen\.ts$/,
  /\.test(-data)?\.tsx?$/,
  /\/(testing|tools|product-tests)\//,
];

export function findHandMadeLists(root) {
  return ['apps', 'packages'].flatMap((group) =>
    [...sources(join(root, group))].flatMap((path) => {
      const where = relative(root, path);
      if (EXEMPT.some((one) => (typeof one === 'string' ? where === one : one.test(where)))) return [];
      const text = withoutComments(readFileSync(path, 'utf8'));
      return TABLES.flatMap(({ what, table, names }) =>
        listsOf(text, names).map((line) => `${where}:${line}: lists ${what} by hand; derive it from ${table}`),
      );
    }),
  );
}

/**
 * A kind of run on which no other is built shows what a new one costs: it is named in files of its own and in these,
 * which CONTRIBUTING lists. `docs/methods.md` is the last of them.
 */
const ALONE = {
  name: /parentage[-_ ]?check/i,
  own: /\/(parentage-checks|parentageChecks)[/.]|\/commands\/parentage\.ts$/,
};
const PLACES_OF_A_KIND = new Set([
  'packages/contracts/src/work/run-kinds.ts',
  'packages/contracts/src/work/run-contracts.ts',
  'apps/server/src/entrypoints/wiring.ts',
  'apps/server/product-tests/role-table.test-data.ts',
  'apps/web/src/features/shell/kinds.ts',
  'apps/web/public/locales/en/common.json',
  'packages/test-support/src/run-examples.ts',
]);
/** What is generated, the history of the database, tests and journeys of it, and the demo, which has a run of it. */
const NOT_COUNTED = /\.gen\.ts$|\/migrations\/|\.(test|spec)\.tsx?$|\/operation\/demo\//;

/** @param {string} root @returns {string[]} a line for each further file that would have to know a new kind of run */
export function findPlacesOfKinds(root) {
  return ['apps', 'packages', 'clients', 'e2e', 'scripts'].flatMap((group) =>
    [...sources(join(root, group), /\.(tsx?|mjs|py|R|json|css)$/)].flatMap((path) => {
      const where = relative(root, path);
      if (PLACES_OF_A_KIND.has(where) || NOT_COUNTED.test(where) || ALONE.own.test(where)) return [];
      if (where === 'scripts/said-once.mjs' || !ALONE.name.test(withoutComments(readFileSync(path, 'utf8')))) return [];
      return [`${where}: names a kind of run outside its own files; derive it from run-kinds.ts or run-contracts.ts`];
    }),
  );
}

/** Lines on which a list begins. */
function listsOf(text, names) {
  const any = names.toSorted((a, b) => b.length - a.length).join('|');
  const quoted = `['"](${any})['"]`;
  const lists = [
    // ['a', 'b', 'c'] and 'a' | 'b' | 'c'
    ...text.matchAll(new RegExp(`${quoted}(?:\\s*[,|]\\s*${quoted}){${LISTED - 1},}`, 'g')),
    // { a: 1, b: 2, c: 3 }, unless it must be complete for its type
    ...[...text.matchAll(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g)].filter(
      (match) =>
        distinct(match[0], new RegExp(`(?:^|[\\s{,])['"]?(${any})['"]?\\??:`, 'g')) >= LISTED &&
        !/Record<[^;=]*=\s*$|satisfies\s*$/.test(text.slice(0, match.index)) &&
        !/^\s*(?:as const )?satisfies\b/.test(text.slice(match.index + match[0].length)),
    ),
  ].map(({ index }) => index);
  for (const pattern of [
    new RegExp(`\\bcase ${quoted}:`, 'g'),
    new RegExp(`\\b(?:from|join|into|update)\\s+(${any})\\b`, 'gi'),
  ])
    if (distinct(text, pattern) >= LISTED) lists.push(text.search(pattern));
  return [...new Set(lists.map((index) => text.slice(0, index).split('\n').length))];
}

const distinct = (text, pattern) => new Set([...text.matchAll(pattern)].map(([, name]) => name)).size;

/** Line breaks stay, so that lines keep their numbers. */
const withoutComments = (text) =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g, (comment) => comment.replaceAll(/[^\n]/g, ' '));

function* sources(folder, ending = /\.tsx?$/) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'testdata', 'bench'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    // Written by the journeys.
    if (path === 'e2e/results' || path.endsWith('/e2e/results')) continue;
    if (entry.isDirectory()) yield* sources(path, ending);
    else if (ending.test(entry.name)) yield path;
  }
}

/**
 * Texts that stand twice because they mean two things, which another language may tell apart: a verb and a state, a
 * line of a file and one of a crop. Any other text stands once, and further keys refer to it: `$t(word.marker)`.
 */
const TWO_MEANINGS = new Set([
  'Open',
  'read',
  'not checked',
  'Line',
  'Lines',
  'Code',
  'Made',
  'Plot',
  'Selected',
  'Show',
  'Crosses',
  'Groups',
  'None',
  'Cross',
  'Name',
  'Result',
  'Progeny',
  'Index',
  'Column',
  'Weight',
  'clone',
  'Change',
]);

/** @param {string} root @returns {string[]} texts of the pages that stand under several keys, or refer to no text */
export function findFaultsOfTexts(root) {
  const file = 'apps/web/public/locales/en/common.json';
  if (!existsSync(join(root, file))) return [];
  const keysOf = new Map();
  const textOf = new Map();
  const visit = (texts, path) => {
    for (const [key, text] of Object.entries(texts)) {
      const keys = keysOf.get(text) ?? new Set();
      // Forms of a plural may be alike.
      if (typeof text === 'string') {
        textOf.set([...path, key].join('.'), text);
        keysOf.set(text, keys.add([...path, key.replace(/_(zero|one|other)$/, '')].join('.')));
      } else visit(text, [...path, key]);
    }
  };
  visit(JSON.parse(readFileSync(join(root, file), 'utf8')), []);
  const double = [...keysOf].flatMap(([text, keys]) =>
    keys.size < 2 || text.startsWith('$t(') || TWO_MEANINGS.has(text)
      ? []
      : [`${file}: “${text}” stands under ${[...keys].join(', ')}; let one refer to the other, as $t(…)`],
  );
  // A reference has no count, and so finds no form of a plural.
  const dangling = [...textOf].flatMap(([key, text]) =>
    [...text.matchAll(/\$t\(([^),]+)\)/g)].flatMap(([, other]) =>
      textOf.has(other) ? [] : [`${file}: ${key} refers to ${other}, which is no text`],
    ),
  );
  return [...double, ...dangling];
}
