// Writes the table of docs/scoreboard.md from the file of `heterosis benchmark --out scoreboard.csv`:
// npx node scripts/scoreboard-page.mjs scoreboard.csv
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/scoreboard.md');
const [BEGIN, END] = ['<!-- scoreboard -->', '<!-- end of scoreboard -->'];

/** Cells of a CSV line, of which some are quoted. */
const cellsOf = (line) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );

/** Lines of at most 118 characters. */
const wrapped = (text) => text.replaceAll(/(.{1,118})(?:\s+|$)/g, '$1\n').trim();

const [head, ...lines] = readFileSync(process.argv[2], 'utf8').trim().split('\n').map(cellsOf);
const rows = lines.map((cells) => Object.fromEntries(head.map((name, k) => [name, cells[k]])));
const shown = (text) => String(Number(Number(text).toPrecision(6))).replace('-', '−');
const sections = [...Map.groupBy(rows, (row) => row.case)].map(([name, ofCase]) =>
  [
    `### ${name}`,
    '',
    wrapped(`${ofCase[0].source}. The SHA-256 of the data begins with \`${ofCase[0].sha256.slice(0, 16)}\`.`),
    '',
    '| Figure | Theirs | Ours | Verdict |',
    '|---|---|---|---|',
    ...ofCase.map((row) => `| ${row.quantity} | ${shown(row.theirs)} | ${shown(row.ours)} | ${row.verdict} |`),
  ].join('\n'),
);
const page = readFileSync(PAGE, 'utf8');
const [before] = page.split(BEGIN);
const [, after] = page.split(END);
writeFileSync(PAGE, `${before}${BEGIN}\n\n${sections.join('\n\n')}\n\n${END}${after}`);
