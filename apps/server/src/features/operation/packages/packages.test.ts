import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../platform/database/testing.ts';
import { movedIds } from './moved-ids.ts';
import { createPaths, isSafePath } from './package-paths.ts';
import { LEFT_OUT, PACKAGED } from './packaged-tables.ts';
import { readLines } from './read-lines.ts';

test('every table of a project is packaged, or is left out for a reason', async () => {
  const { db, close } = await createTestDatabase();
  const { rows } = await sql<{ name: string }>`
    with recursive of_projects(name) as (
      select 'projects'::regclass
      union
      select k.conrelid::regclass from pg_constraint k join of_projects on of_projects.name = k.confrelid::regclass
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.confdeltype = 'c'
    )
    select name::text from of_projects where name <> 'projects'::regclass order by 1
  `.execute(db);
  const named = new Set([...Object.keys(PACKAGED), ...Object.keys(LEFT_OUT)]);
  expect(rows.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  expect(Object.keys(PACKAGED).filter((name) => name in LEFT_OUT)).toEqual([]);
  await close();
});

test('ids of an import follow from it and from the old ones, and stay in the order of their time', () => {
  const old = '0199d000-1234-7abc-8def-0123456789ab';
  const [project, into] = ['0199d000-0000-7000-8000-000000000001', '0199d000-0000-7000-8000-000000000002'];
  const moved = movedIds('one', { projectId: project }, { projectId: into });
  expect(moved.of(old)).toMatch(/^0199d000-1234-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(moved.of(old)).toBe(movedIds('one', { projectId: project }, { projectId: into }).of(old));
  expect(moved.of(old)).not.toBe(movedIds('another', { projectId: project }, { projectId: into }).of(old));
  expect(moved.key(`projects/${project}/files/${old}/original`)).toBe(
    `projects/${into}/files/${moved.of(old)}/original`,
  );
});

test('names become paths that every file system takes, each once', () => {
  const path = createPaths();
  expect(path('files', 'a/b:c?.csv')).toBe('files/a_b_c_.csv');
  expect(path('files', 'A_B_C_.csv')).toBe('files/A_B_C_ (2).csv');
  expect(path('files', '../x')).toBe('files/_x'.replace('_x', '__x'));
  expect(path('files', 'g.vcf.gz')).toBe('files/g.vcf.gz');
  expect(path('files', 'g.vcf.gz')).toBe('files/g (2).vcf.gz');
  for (const safe of ['a', 'a/b.c', 'a/..b']) expect(isSafePath(safe), safe).toBe(true);
  for (const unsafe of ['/a', '../a', 'a/../b', 'a//b', 'C:/a', 'a\\b', '', 'a/./b'])
    expect(isSafePath(unsafe), unsafe).toBe(false);
});

test('rows are read line by line, and none that is endless', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'heterosis-lines-'));
  const read = async (text: string, maxBytes?: number): Promise<string[]> => {
    await writeFile(join(directory, 'rows'), text);
    const lines: string[] = [];
    for await (const line of readLines(join(directory, 'rows'), maxBytes)) lines.push(line);
    return lines;
  };
  expect(await read('{"a":1}\n\n{"b":"ü"}')).toEqual(['{"a":1}', '{"b":"ü"}']);
  const long = `"${'x'.repeat(200_000)}"`;
  expect(await read(`1\n${long}\n2\n`)).toEqual(['1', long, '2']);
  await expect(read(`1\n${long}`, 100_000)).rejects.toThrow(/too large/);
  await rm(directory, { recursive: true });
});
