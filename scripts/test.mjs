// `npm test`: check, unit and integration tests, end-to-end tests. Ends with the plain line "N passed, N failed".
// `npm test -- --changed [COMMIT]` runs what a change touches: the check, and the tests that import a file changed
// since the commit or lie beside it. Without one it is HEAD when something is uncommitted, and the commit before it
// otherwise.
// A test that fails is run again with its file, after all others and alone. What passes then counts as passed, and is
// named at the end as unsteady; what fails again has failed. Before them stand the slowest tests, and the CPU time.
// `npm run test:all` leaves nothing out: TEST_ALL=1 brings the tests tagged "whole", and tells others to look at more.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, cpus, setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testsTouchedSince } from './changed-tests.mjs';
import { describeFailure, describeSlowest, journeyOutcomes, unitOutcomes } from './test-outcomes.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = mkdtempSync(join(tmpdir(), 'heterosis-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };
/** More failures than this are no accident of a busy machine. */
const MOST_RUN_AGAIN = 10;
const SLOWEST = 20;
/** For what computes beside tests that wait. */
const LOW = constants.priority.PRIORITY_BELOW_NORMAL;
/** Every test of the first run. */
const tests = [];
/** Failed tests, each with its runner. */
let failed = [];
/** Failures outside a test. */
const faults = [];
const since = changedSince(process.argv.slice(2));
/** Undefined: all of them. */
const touched = since === undefined ? undefined : testsTouchedSince(root, since);

// The server's tests wait a third of the time, for heartbeats and queues. The check and the packages compute meanwhile,
// at a low priority, so that they lengthen no wait. Journeys keep both cores busy and have them for themselves.
/** CPU seconds of each part. */
const spent = [];
await part('check, server and packages', () =>
  Promise.all([check(), unit('server', ['server']), unit('packages', ['!server'], { priority: LOW })]),
);
await part('journeys', endToEnd);
const unsteady = await runFailedAgain();
rmSync(reports, { recursive: true, force: true });

if (tests.length > 0) process.stdout.write(`\nThe slowest tests:\n${describeSlowest(tests, SLOWEST)}\n`);
const parts = spent.map(({ name, seconds }) => `${name} ${Math.round(seconds)} s`);
const sum = spent.reduce((all, { seconds }) => all + seconds, 0);
process.stdout.write(
  `\nThis machine was busy for ${Math.round(sum)} CPU seconds, with whatever else ran on it: ${parts.join(', ')}.\n`,
);
for (const test of unsteady) process.stdout.write(`\n${describeFailure('unsteady, passes alone:', test)}\n`);
for (const test of failed) process.stdout.write(`\n${describeFailure('FAIL', test)}\n`);
for (const fault of faults) process.stdout.write(`\nFAIL ${fault}\n`);
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

async function part(name, work) {
  const before = busySeconds();
  await work();
  spent.push({ name, seconds: busySeconds() - before });
}

/** CPU seconds of all cores since the machine started: databases and browsers are not always our children. */
function busySeconds() {
  const busy = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return busy.reduce((sum, one) => sum + one, 0) / 1000;
}

async function check() {
  const { output } = await run('check', process.execPath, ['scripts/check.mjs'], { priority: LOW });
  total.passed += (output.match(/^ok {3}check: /gm) ?? []).length;
  for (const [, step] of output.matchAll(/^FAIL check: (.*)/gm)) fail(`check: ${step}`);
}

/** `projects` as vitest takes them; `!` leaves one out. */
async function unit(name, projects, options = {}) {
  if (touched?.length === 0) return;
  const chosen = projects.flatMap((project) => ['--project', project]);
  const named = touched === undefined ? [] : [...touched, '--passWithNoTests'];
  // By the set-up before this script.
  const environment = { WEB_IS_BUILT: '1' };
  const { report, status } = await vitest(name, [...chosen, ...named], { ...options, environment });
  if (!report) return fail(`vitest ended without a report for ${name}`);
  const outcomes = unitOutcomes(report, root);
  tests.push(...outcomes);
  const now = outcomes.filter((test) => !test.passed);
  total.passed += report.numPassedTests;
  total.skipped += report.numPendingTests + report.numTodoTests;
  addFailed(now, 'vitest');
  // An error after the end of a test has no test to fail, but the run has failed.
  if (status !== 0 && now.length === 0) fail(`vitest failed outside a test in ${name}`);
}

async function endToEnd() {
  const { report, status } = await playwright(
    'playwright',
    since === undefined ? [] : [`--only-changed=${since}`, '--pass-with-no-tests'],
  );
  if (!report) return fail('the end-to-end tests ended without a report');
  total.passed += report.stats.expected + report.stats.flaky;
  total.skipped += report.stats.skipped;
  const outcomes = journeyOutcomes(report, 'e2e');
  tests.push(...outcomes);
  const now = outcomes.filter((test) => !test.passed);
  addFailed(now, 'playwright');
  if (status !== 0 && now.length === 0) fail('the end-to-end tests failed outside a test');
}

function addFailed(tests, runner) {
  total.failed += tests.length;
  failed.push(...tests.map((test) => ({ ...test, runner })));
}

/** Answers the failed tests that pass now; `failed` keeps the others. */
async function runFailedAgain() {
  if (failed.length === 0 || failed.length > MOST_RUN_AGAIN) return [];
  const again = [];
  const paths = (runner) => [...new Set(failed.filter((test) => test.runner === runner).map((test) => test.path))];
  const units = paths('vitest');
  if (units.length > 0) {
    const { report } = await vitest('failed tests, again', units);
    if (report) again.push(...unitOutcomes(report, root));
  }
  const journeys = paths('playwright');
  if (journeys.length > 0) {
    const patterns = journeys.map((path) => `/${path.replaceAll('.', '\\.')}$`);
    const { report } = await playwright('failed journeys, again', patterns);
    if (report) again.push(...journeyOutcomes(report, 'e2e'));
  }
  const passes = ({ path, name }) => again.some((test) => test.path === path && test.name === name && test.passed);
  const passing = failed.filter(passes);
  failed = failed.filter((test) => !passes(test));
  total.passed += passing.length;
  total.failed -= passing.length;
  return passing;
}

async function vitest(name, args, options) {
  const file = join(reports, `${name}.json`);
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = await run(name, 'vitest', ['run', ...args, ...reporting], options);
  return { report: readReport(file), status };
}

async function playwright(name, args) {
  const file = join(reports, `${name}.json`);
  const options = ['test', '--config', 'e2e/playwright.config.ts', ...args];
  const { status } = await run(name, 'playwright', options, {
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  return { report: readReport(file), status };
}

/** Runs a program, prints its output when it has ended, in one piece, and answers it with the exit code. */
async function run(name, command, args, { environment = {}, priority = 0 } = {}) {
  const began = Date.now();
  const executable = command === process.execPath ? command : join(root, 'node_modules', '.bin', command);
  const child = spawn(executable, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  // At once, so that whatever it starts has it too.
  if (child.pid !== undefined) setPriority(child.pid, priority);
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
  faults.push(reason);
  total.failed++;
}
