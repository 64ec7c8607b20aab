import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Prints the SHA-256 of the relationships of 119 individuals at 700 markers, computed with so many threads. */
const SCRIPT = `
import { createHash } from 'node:crypto';
import { setThreadCount } from '@heterosis/linalg/threads';
import { createRelationshipToBase } from ${JSON.stringify(new URL('./relationship-to-base.ts', import.meta.url).href)};
setThreadCount(Number(process.argv.at(-1)));
const relationship = createRelationshipToBase(119);
let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
for (let j = 0; j < 700; j++) {
  const frequency = 0.05 + 0.9 * random();
  relationship.add(Float64Array.from({ length: 119 }, () => 2 * Number(random() < frequency)), frequency);
}
console.log(createHash('sha256').update(relationship.finish()).digest('hex'));
`;

const CPU = '/proc/cpuinfo';
const hasAvx512 = existsSync(CPU) && /\bavx512vl\b/.test(readFileSync(CPU, 'utf8'));
// OpenBLAS takes its kernels when it is loaded. Those for AVX-512 round by how the threads divide a matrix.
const kernels = hasAvx512 ? ['', 'SkylakeX'] : [''];

test.each(kernels)('relationships are the same bytes with 1, 2 and 4 threads (kernels "%s")', (core) => {
  const withThreads = (count: number) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT, '--', String(count)], {
      cwd: import.meta.dirname,
      env: { ...process.env, ...(core === '' ? {} : { OPENBLAS_CORETYPE: core }) },
      encoding: 'utf8',
    });
  const [one, ...others] = [1, 2, 4].map(withThreads);
  expect(one).toMatch(/^[0-9a-f]{64}$/m);
  expect(others).toEqual([one, one]);
});
