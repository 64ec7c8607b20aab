import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAbandoned, scratchName } from './scratch-name.ts';

test('what a process of this machine left behind is known by its name, and nothing else is', () => {
  const own = scratchName();
  expect(own).toMatch(/^[A-Za-z0-9.~-]+$/);
  expect(scratchName()).not.toBe(own);
  expect(isAbandoned(own)).toBe(false);
  const script = `import { scratchName } from '${join(import.meta.dirname, 'scratch-name.ts')}'; console.log(scratchName())`;
  const left = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim();
  expect(left).toMatch(/~[0-9a-f]{16}$/);
  expect(isAbandoned(left)).toBe(true);
  // Another machine that shares the folder, and names of other versions.
  expect(isAbandoned(left.replace(/^[^~]+/, 'elsewhere'))).toBe(false);
  for (const other of ['job-AbCdEf', '3f2a', '']) expect(isAbandoned(other)).toBe(false);
});
