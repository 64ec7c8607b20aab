// `docs/security.md` has a row for each requirement of the OWASP Application Security Verification Standard 4.0.3,
// levels 1 and 2, and the tests that it names are there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// biome-ignore format: a line each chapter
/** Numbers of each section. Those left out are of level 3, or were withdrawn. */
const SECTIONS = {
  1.1: 7, 1.2: 4, 1.4: [1, 4, 5], 1.5: 4, 1.6: 4, 1.7: 2, 1.8: 2, 1.9: 2, '1.10': 1, 1.11: 2, 1.12: [2], 1.14: 6,
  2.1: 12, 2.2: 3, 2.3: 3, 2.4: 5, 2.5: 7, 2.6: 3, 2.7: 6, 2.8: 7, 2.9: 3, '2.10': 4,
  3.1: 1, 3.2: 4, 3.3: 4, 3.4: 5, 3.5: 3, 3.7: 1,
  4.1: [1, 2, 3, 5], 4.2: 2, 4.3: 3,
  5.1: 5, 5.2: 8, 5.3: 10, 5.4: 3, 5.5: 4,
  6.1: 3, 6.2: 6, 6.3: 2, 6.4: 2,
  7.1: 4, 7.2: 2, 7.3: [1, 3, 4], 7.4: 3,
  8.1: 4, 8.2: 3, 8.3: 8,
  9.1: 3, 9.2: 4,
  10.2: 2, 10.3: 3,
  11.1: 8,
  12.1: 3, 12.2: 1, 12.3: 6, 12.4: 2, 12.5: 2, 12.6: 1,
  13.1: [1, 3, 4, 5], 13.2: [1, 2, 3, 5, 6], 13.3: 2, 13.4: 2,
  14.1: 4, 14.2: 6, 14.3: [2, 3], 14.4: 7, 14.5: 4,
};

const FOLDERS = ['.', 'apps/server', 'apps/server/src'];

/** What is wrong with the page, a line each. */
export function findSecurityTableViolations(root) {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+\.\d[\d., to]*) /gm)].flatMap(([, numbers]) => numbersIn(numbers));
  const wanted = Object.entries(SECTIONS).flatMap(([section, numbers]) =>
    (Array.isArray(numbers) ? numbers : Array.from({ length: numbers }, (_, k) => k + 1)).map((n) => `${section}.${n}`),
  );
  const tests = [...page.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`/g)].map(([, path]) => path);
  return [
    ...wanted.filter((one) => !rows.includes(one)).map((one) => `docs/security.md: no row for requirement ${one}`),
    ...rows
      .filter((one, k) => !wanted.includes(one) || rows.indexOf(one) !== k)
      .map((one) => `docs/security.md: ${one} is a row twice, or no requirement`),
    ...tests
      .filter((path) => !FOLDERS.some((folder) => existsSync(join(root, folder, path))))
      .map((path) => `docs/security.md: there is no test ${path}`),
  ];
}

/** `2.1.1 to 2.1.3`, `13.3.1, 13.3.2` or one of them. */
function numbersIn(text) {
  const [from, to] = text.split(' to ');
  if (to === undefined) return text.split(', ');
  const last = (number) => Number(number.split('.').at(-1));
  const section = from.split('.').slice(0, 2).join('.');
  return Array.from({ length: last(to) - last(from) + 1 }, (_, k) => `${section}.${last(from) + k}`);
}
