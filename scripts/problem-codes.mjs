// Writes into the documents what the code says: problem codes of files and headers of columns into docs/formats.md,
// problem codes of requests into docs/problems.md. Compares the codes in the sources with their table.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEMS } from '../packages/contracts/src/problem.ts';
import { PROBLEM_CODES } from '../packages/file-formats/src/problem-codes.ts';
import { PROBLEM_SUBJECTS } from '../packages/file-formats/src/problem-subjects.ts';
import { HEADER_SPELLINGS } from '../packages/file-formats/src/tables/text/header-spellings.ts';
import { PARENT_WORDS } from '../packages/file-formats/src/tables/text/parent-words.ts';

const BEGIN = '<!-- problem codes, written by: node scripts/problem-codes.mjs -->';
const END = '<!-- end of the problem codes -->';
const TABLE = 'packages/file-formats/src/problem-codes.ts';
/** Parts of documents that are written from the code. */
const PARTS = [
  { document: 'docs/formats.md', begin: BEGIN, end: END, write: fileTables },
  { document: 'docs/problems.md', begin: BEGIN, end: END, write: requestTable },
  {
    document: 'docs/formats.md',
    begin: '<!-- column headers, written by: node scripts/problem-codes.mjs -->',
    end: '<!-- end of the column headers -->',
    write: headerTable,
  },
];
/** Names of the tables and columns of `HEADER_SPELLINGS`, where these do not say it themselves. */
const HEADER_NAMES = {
  phenotype: 'Phenotypes',
  linkageMap: 'Linkage maps',
  crossingTable: 'Crossing tables',
  germplasm: 'Germplasm and pedigrees',
  entries: 'Entries of a design',
  'entries.replicates': 'plots of the entry at a place',
  plotValues: 'Values of plots (besides the columns of phenotypes)',
  plotId: 'id of the plot, as labels and field books have it',
  plotName: 'name of the plot',
  plotNumber: 'number or name of the plot',
  person: 'who observed it',
  check: 'check or test line',
  trait: 'trait (long)',
  value: 'value (long)',
  timestamp: 'time (long): the latest of repeated records counts',
  basePairs: 'base pairs',
  mapPosition: 'map position; `cM` or `M` may follow',
  female: 'female, parent 1 (see below)',
  male: 'male, parent 2 (see below)',
  plant: 'plant of a plot',
  sowing: 'date of sowing',
  parent3: 'parent 3',
  parent4: 'parent 4',
  'crossingTable.name': 'name of the cross',
  'crossingTable.type': 'type of cross',
  progeny: 'number of progeny',
  accessionNumber: 'accession number; the name where there is none',
  otherNumbers: 'other numbers: synonyms, as `institute:number`',
  crossType: 'type of cross',
  generation: 'generation, or number of selfings',
  entryNo: 'entry number, which parents may name',
  femaleEntry: 'entry number of the female parent',
  maleEntry: 'entry number of the male parent',
  parent: 'parent, in one row per parent',
  parentKind: 'which parent that is',
  purdy: 'pedigree string; pedigree files only',
};
const CODE = /(['"`])([EWI]-[A-Z]+(?:-[A-Z]+)*)\1/g;
const SEVERITIES = { E: 'error', W: 'warning', I: 'information' };

/** Violations as lines: codes without a row, rows without a use, and a document that is out of date. */
export function findProblemCodeViolations(root) {
  const used = usedCodes(root);
  const violations = [];
  for (const [code, path] of used)
    if (!(code in PROBLEM_CODES)) violations.push(`${path}: ${code} has no row in ${TABLE}`);
  for (const code of Object.keys(PROBLEM_CODES))
    if (!used.has(code)) violations.push(`${TABLE}: nothing reports ${code}`);
  for (const part of PARTS) {
    const { text, updated } = read(root, part);
    if (text !== updated)
      violations.push(`${part.document}: ${part.begin} is out of date. Run: npx node scripts/problem-codes.mjs`);
  }
  return violations;
}

/** Code → path of a source that names it. Tests do not count. */
function usedCodes(root) {
  const found = new Map();
  for (const folder of ['packages', 'apps/cli', 'apps/server'])
    for (const path of sources(join(root, folder))) {
      const name = relative(root, path);
      if (name.endsWith('/problem-codes.ts')) continue;
      for (const [, , code] of readFileSync(path, 'utf8').matchAll(CODE)) found.set(code, name);
    }
  return found;
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'bench', 'testdata', 'reference'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith('.ts') && !/\.(test|test-data)\.ts$/.test(entry.name)) yield path;
  }
}

function read(root, { document, begin, end, write }) {
  const text = readFileSync(join(root, document), 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${document} lacks the lines "${begin}" and "${end}"`);
  return { text, updated: `${text.slice(0, from + begin.length)}\n\n${write()}\n\n${text.slice(to)}` };
}

const nameOf = (table, column) => HEADER_NAMES[`${table}.${column}`] ?? HEADER_NAMES[column] ?? column;

const asCode = (spellings) =>
  spellings
    .split(' ')
    .map((header) => `\`${header}\``)
    .join(' ');

function headerTable() {
  const rows = Object.entries(HEADER_SPELLINGS).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, spellings], place) => {
      return `| ${place === 0 ? HEADER_NAMES[table] : ''} | ${nameOf(table, column)} | ${asCode(spellings)} |`;
    }),
  );
  return [
    ...['| Table | Column | Headers |', '|---|---|---|', ...rows, ''],
    'Words for a parent stand alone or with another word, as in `female parent accession(s)`, `Mutterlinie` and',
    '`parent femelle`. Crossing tables also have `femaleDbId`, `femaleObsUnitDbId` and those of the male.',
    ...['', '| Words beside it | |', '|---|---|'],
    `| after it | ${asCode(PARENT_WORDS.after)} |`,
    `| before it | ${asCode(PARENT_WORDS.before)} |`,
  ].join('\n');
}

function requestTable() {
  const rows = Object.entries(PROBLEMS).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`);
  return ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function fileTables() {
  return Object.entries(PROBLEM_SUBJECTS)
    .map(([subject, title]) => {
      const rows = Object.entries(PROBLEM_CODES)
        .filter(([, row]) => row.subject === subject)
        .map(([code, { cause, cure }]) => `| \`${code}\` | ${SEVERITIES[code[0]]} | ${cause} | ${cure} |`);
      return [`### ${title}`, '', '| Code | Severity | Cause | What to do |', '|---|---|---|---|', ...rows].join('\n');
    })
    .join('\n\n');
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  for (const part of PARTS) writeFileSync(join(root, part.document), read(root, part).updated);
}
