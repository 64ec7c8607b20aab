// `npm test`: check, unit and integration tests, end-to-end tests. Ends with the plain line "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = mkdtempSync(join(tmpdir(), 'heterosis-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };

check();
unit();
endToEnd();
rmSync(reports, { recursive: true, force: true });

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

function check() {
  const { stdout } = run('check', process.execPath, ['scripts/check.mjs'], true);
  total.passed += (stdout.match(/^ok {3}check: /gm) ?? []).length;
  total.failed += (stdout.match(/^FAIL check: /gm) ?? []).length;
}

function unit() {
  const file = join(reports, 'vitest.json');
  const { status } = run('vitest', 'vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  const report = readReport(file);
  if (!report) return fail('vitest ended without a report');
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests;
  total.skipped += report.numPendingTests + report.numTodoTests;
  // A file that does not load has no test to fail, but the run has failed.
  if (status !== 0 && report.numFailedTests === 0) fail('vitest failed outside a test');
}

function endToEnd() {
  const file = join(reports, 'playwright.json');
  const { status } = run('playwright', 'playwright', ['test', '--config', 'e2e/playwright.config.ts'], false, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  const report = readReport(file);
  if (!report) return fail('the end-to-end tests ended without a report');
  total.passed += report.stats.expected + report.stats.flaky;
  total.failed += report.stats.unexpected;
  total.skipped += report.stats.skipped;
  if (status !== 0 && report.stats.unexpected === 0) fail('the end-to-end tests failed outside a test');
}

function run(name, command, args, capture = false, environment = {}) {
  process.stdout.write(`\n── ${name}\n`);
  const executable = command === process.execPath ? command : join(root, 'node_modules', '.bin', command);
  const result = spawnSync(executable, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  if (capture) process.stdout.write(result.stdout);
  return result;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function fail(reason) {
  process.stdout.write(`FAIL ${reason}\n`);
  total.failed++;
}
