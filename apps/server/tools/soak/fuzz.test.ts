import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('readers answer broken files with problems: a few seconds of what npm run fuzz does for longer', {
  tags: 'whole',
}, () => {
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'fuzz.ts'), '--minutes', '0.05'], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^\d+ inputs, 0 faults$/m);
  expect(status).toBe(0);
});
