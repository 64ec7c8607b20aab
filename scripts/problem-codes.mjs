// Writes the problem codes of files into docs/formats.md and those of requests into docs/problems.md, and compares
// the codes in the sources with their table.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEMS } from '../packages/contracts/src/problem.ts';
import { PROBLEM_CODES, PROBLEM_SUBJECTS } from '../packages/file-formats/src/problem-codes.ts';

const BEGIN = '<!-- problem codes, written by: node scripts/problem-codes.mjs -->';
const END = '<!-- end of the problem codes -->';
const TABLE = 'packages/file-formats/src/problem-codes.ts';
const DOCUMENTS = { 'docs/formats.md': fileTables, 'docs/problems.md': requestTable };
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
  for (const document of Object.keys(DOCUMENTS)) {
    const { text, updated } = read(root, document);
    if (text !== updated)
      violations.push(`${document}: the problem codes are out of date. Run: npx node scripts/problem-codes.mjs`);
  }
  return violations;
}

/** Code → path of a source that names it. Tests do not count. */
function usedCodes(root) {
  const found = new Map();
  for (const folder of ['packages', 'apps/cli', 'apps/server'])
    for (const path of sources(join(root, folder))) {
      const name = relative(root, path);
      if (name === TABLE) continue;
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

function read(root, document) {
  const text = readFileSync(join(root, document), 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${document} lacks the lines "${BEGIN}" and "${END}"`);
  return { text, updated: `${text.slice(0, begin + BEGIN.length)}\n\n${DOCUMENTS[document]()}\n\n${text.slice(end)}` };
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
  for (const document of Object.keys(DOCUMENTS)) writeFileSync(join(root, document), read(root, document).updated);
}
