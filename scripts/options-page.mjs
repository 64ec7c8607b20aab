// Writes docs/options.md from the tables of options. `npm run check` reports when it is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsPage } from '../packages/contracts/src/options/options-page.ts';

const PAGE = 'docs/options.md';

/** Violations as lines; empty when the page is that of the tables. */
export function findOptionsPageViolations(root) {
  const path = join(root, PAGE);
  return existsSync(path) && readFileSync(path, 'utf8') === optionsPage()
    ? []
    : [`${PAGE} is out of date. Run: npx node scripts/options-page.mjs`];
}

if (import.meta.main) {
  writeFileSync(join(dirname(dirname(fileURLToPath(import.meta.url))), PAGE), optionsPage());
}
