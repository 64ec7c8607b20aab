import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

test('move-in writes what it makes with a report; a folder without files and a missing one are refused', async () => {
  const root = await mkdtemp(join(tmpdir(), 'move-in-'));
  try {
    const [folder, out, empty] = ['in', 'out', 'empty'].map((name) => join(root, name)) as [string, string, string];
    await Promise.all([mkdir(folder), mkdir(empty)]);
    await writeFile(join(folder, 'lines.csv'), 'accession_name,species_name\nTMS1,Manihot esculenta\n');
    const moved = await heterosis('move-in', '--folder', folder, '--out', out, '--json');
    expect(moved.code).toBe(0);
    expect(JSON.parse(moved.stdout).files).toMatchObject([
      { file: 'lines.csv', taken_for: 'Breedbase: accessions', made: [{ type: 'GERMPLASM', counts: { lines: 1 } }] },
    ]);
    expect(await readFile(join(out, 'lines.germplasm.csv'), 'utf8')).toBe(
      'name,species_name\nTMS1,Manihot esculenta\n',
    );
    expect(await readFile(join(out, 'report.txt'), 'utf8')).toContain('Files: 1. Of these came in: 1. Did not: 0.');
    const same = await heterosis('move-in', '--folder', folder, '--out', folder);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('E-CLI-SAME-FILE')]);
    for (const [at, code] of [
      [empty, 'E-CLI-MISSING'],
      [join(root, 'nowhere'), 'E-'],
    ] as const) {
      const refused = await heterosis('move-in', '--folder', at, '--out', join(root, 'x'));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(code)]);
    }
  } finally {
    await rm(root, { recursive: true });
  }
});
