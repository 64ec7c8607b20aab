// Writes the table of settings into docs/configuration.md. `npm run check` reports when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationTable } from '../apps/server/src/platform/config/settings.ts';

const BEGIN = '<!-- configuration table, written by: npx node scripts/configuration-table.mjs -->';
const END = '<!-- end of the configuration table -->';
const FILE = 'docs/configuration.md';

/** Violations as lines; empty when the document has the current table. */
export function findConfigurationTableViolations(root) {
  const { text, updated } = read(root);
  return text === updated ? [] : [`${FILE}: the table is out of date. Run: npx node scripts/configuration-table.mjs`];
}

function read(root) {
  const text = readFileSync(join(root, FILE), 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${FILE} lacks the lines "${BEGIN}" and "${END}"`);
  const updated = `${text.slice(0, begin + BEGIN.length)}\n\n${configurationTable()}\n\n${text.slice(end)}`;
  return { text, updated };
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  writeFileSync(join(root, FILE), read(root).updated);
}
