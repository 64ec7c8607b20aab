// What became of each test, from the reports that the runners write as JSON.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Tests from a report of vitest: path from the root, full name, whether it passed, why not, and how long it took. That
 * a file loads, and opens what its tests share, is one of them.
 */
export function unitOutcomes(report, root) {
  return report.testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const tests = file.assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map((test) => ({
        path,
        name: test.fullName,
        passed: test.status === 'passed',
        why: test.failureMessages.join('\n'),
        ms: test.duration ?? 0,
      }));
    const loads = file.status === 'passed' || tests.some((test) => !test.passed);
    const together = tests.reduce((sum, { ms }) => sum + ms, 0);
    const rest = Math.max(0, file.endTime - file.startTime - together);
    return [{ path, name: 'loads', passed: loads, why: file.message, ms: rest }, ...tests];
  });
}

/** Journeys from a report of playwright. `folder` is that of its configuration. */
export function journeyOutcomes(report, folder) {
  const outcomes = [];
  const visit = (suite, names) => {
    for (const spec of suite.specs ?? []) {
      if (spec.tests.every((test) => test.status === 'skipped')) continue;
      const errors = spec.tests.flatMap((test) => test.results.flatMap((result) => result.errors));
      outcomes.push({
        path: `${folder}/${spec.file}`,
        name: [...names, spec.title].join(' '),
        passed: spec.ok,
        why: errors.map((error) => error.message ?? '').join('\n'),
        ms: spec.tests.reduce((sum, { results }) => sum + results.reduce((all, { duration }) => all + duration, 0), 0),
      });
    }
    for (const inner of suite.suites ?? []) {
      visit(inner, inner.title === inner.file ? names : [...names, inner.title]);
    }
  };
  for (const suite of report.suites) visit(suite, []);
  return outcomes;
}

/** The slowest tests, a line each. */
export function describeSlowest(tests, count) {
  const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, count);
  return slowest.map(({ ms, path, name }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}: ${name}`).join('\n');
}

const LINES = 40;

/** What the end of a run says of a failed test: short, so that a log of which only the end is kept still has it. */
export function describeFailure(word, { path, name, why }) {
  const lines = stripVTControlCharacters(why).split('\n');
  const shown = lines.slice(0, LINES).map((line) => `    ${line.slice(0, 400)}`);
  return [`${word} ${path}: ${name}`, ...shown, ...(lines.length > LINES ? ['    …'] : [])].join('\n');
}
