// Finds functions with more positional parameters than a reader can keep apart: beyond four they take one object whose
// fields have names. The functions that had more when this was first checked are counted in `parameters.json`, by file.
// It only shrinks: a file with fewer of them than it says is reported too.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOST = 4;
const LIST = 'scripts/parameters.json';
/** Tests and what is generated; and LAPACK's and BLAS's own routines, whose order of arguments is known. */
const LEFT_OUT = /\.(?:gen|test|spec|bench|test-data)\.tsx?$|(?:^|\/)bench\/|^e2e\/|^packages\/linalg\//;
const RULES = {
  plugins: [],
  categories: { correctness: 'off' },
  rules: { 'max-params': ['error', { max: MOST }] },
};

/**
 * @param {string} root with the folders `apps` and `packages`
 * @param {Record<string, number>} allowed how many such functions a file may have
 * @returns {string[]} a line for each file that has more or fewer
 */
export function findLongParameterLists(root, allowed = JSON.parse(readFileSync(join(root, LIST), 'utf8'))) {
  const found = Map.groupBy(longParameterLists(root), ({ path }) => path);
  return [...new Set([...found.keys(), ...Object.keys(allowed)])].sort().flatMap((path) => {
    const here = found.get(path) ?? [];
    const most = allowed[path] ?? 0;
    if (here.length < most) return [`${path}: ${LIST} says ${most} for it, and it has ${here.length}; say so there`];
    if (here.length === most) return [];
    const of = most > 0 ? ` (${LIST} allows ${most} of ${here.length})` : '';
    return here.map(
      ({ line, message }) => `${path}:${line}: ${message} Give it one object, whose fields have names${of}.`,
    );
  });
}

function longParameterLists(root) {
  const folder = mkdtempSync(join(tmpdir(), 'heterosis-parameters-'));
  try {
    const rules = join(folder, 'rules.json');
    writeFileSync(rules, JSON.stringify(RULES));
    const oxlint = join(import.meta.dirname, '..', 'node_modules', '.bin', 'oxlint');
    const args = ['--config', rules, '--format', 'json', 'apps', 'packages'];
    const { stdout } = spawnSync(oxlint, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
    return JSON.parse(stdout).diagnostics.flatMap(({ filename, labels, message }) => {
      const path = filename.replaceAll('\\', '/').replace(/^\.\//, '');
      return LEFT_OUT.test(path) ? [] : [{ path, line: labels[0].span.line, message }];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
