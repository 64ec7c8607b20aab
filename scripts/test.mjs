// `npm test`: check, unit and integration tests, end-to-end tests. Ends with the plain line "N passed, N failed".
// `npm test -- --changed [COMMIT]` runs what a change touches: the check, and the tests that import a file changed
// since the commit or lie beside it. Without one it is HEAD when something is uncommitted, and the commit before it
// otherwise.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testsTouchedSince } from './changed-tests.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = mkdtempSync(join(tmpdir(), 'heterosis-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const since = changedSince(process.argv.slice(2));
/** Undefined: all of them. */
const touched = since === undefined ? undefined : testsTouchedSince(root, since);

// The browser's journeys take longest, so they begin first, beside tests that wait for the database and the queue.
// Those that only compute leave no core idle, and come last.
await Promise.all([endToEnd(), check(), unit('server', ['server']).then(() => unit('packages', ['!server']))]);
rmSync(reports, { recursive: true, force: true });

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

/** The commit to compare with, or undefined to run everything. */
function changedSince([option, commit, ...rest]) {
  if (option === undefined) return undefined;
  if (option !== '--changed' || rest.length > 0) {
    process.stderr.write('Usage: npm test [-- --changed [COMMIT]]\n');
    process.exit(2);
  }
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return git('rev-parse', commit ?? (git('status', '--porcelain') === '' ? 'HEAD~1' : 'HEAD'));
}

async function check() {
  const { output } = await run('check', process.execPath, ['scripts/check.mjs']);
  total.passed += (output.match(/^ok {3}check: /gm) ?? []).length;
  total.failed += (output.match(/^FAIL check: /gm) ?? []).length;
}

/** `projects` as vitest takes them; `!` leaves one out. */
async function unit(name, projects) {
  if (touched?.length === 0) return;
  const file = join(reports, `${name}.json`);
  const { status } = await run(name, 'vitest', [
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...(touched === undefined ? [] : [...touched, '--passWithNoTests']),
  ]);
  const report = readReport(file);
  if (!report) return fail(`vitest ended without a report for ${name}`);
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests;
  total.skipped += report.numPendingTests + report.numTodoTests;
  // A file that does not load has no test to fail, but the run has failed.
  if (status !== 0 && report.numFailedTests === 0) fail(`vitest failed outside a test in ${name}`);
}

async function endToEnd() {
  const file = join(reports, 'playwright.json');
  const { status } = await run(
    'playwright',
    'playwright',
    [
      'test',
      '--config',
      'e2e/playwright.config.ts',
      ...(since === undefined ? [] : [`--only-changed=${since}`, '--pass-with-no-tests']),
    ],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  );
  const report = readReport(file);
  if (!report) return fail('the end-to-end tests ended without a report');
  total.passed += report.stats.expected + report.stats.flaky;
  total.failed += report.stats.unexpected;
  total.skipped += report.stats.skipped;
  if (status !== 0 && report.stats.unexpected === 0) fail('the end-to-end tests failed outside a test');
}

/** Runs a program, prints its output when it has ended, in one piece, and answers it with the exit code. */
async function run(name, command, args, environment = {}) {
  const began = Date.now();
  const executable = command === process.execPath ? command : join(root, 'node_modules', '.bin', command);
  const child = spawn(executable, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => parts.push(part));
  const status = await new Promise((resolve) => child.once('close', resolve));
  const output = parts.join('');
  process.stdout.write(`\n── ${name}\n${output}── ${name}: ${Math.round((Date.now() - began) / 1000)} s\n`);
  return { status, output };
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
