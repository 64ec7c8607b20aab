import { runPaths } from '@heterosis/contracts/work/run-kinds';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemo } from '../../src/features/operation/demo/index.ts';
import { type Product, startProduct, until } from '../../src/testing/product.ts';
import { begin, ended, exported, hashesOf, unzipped, zipped } from './packages.test-data.ts';

let here: Product;
let there: Product;
beforeAll(async () => {
  here = await startProduct();
  there = await startProduct();
});
afterAll(async () => {
  await here.close();
  await there.close();
});

test('the demo moves: every run of every kind opens there as here, with the same hashes', {
  tags: 'whole',
  timeout: 1_200_000,
}, async () => {
  expect(await createDemo(here.services, new AbortController().signal)).toBe(true);
  const demo = await here.person('demo', 'heterosis.example');
  const tom = await there.person('tom');
  const unended = here.services.db
    .selectFrom('runs')
    .select((one) => one.fn.countAll<number>().as('count'))
    .where('finished_at', 'is', null);
  await until(
    async () => Number((await unended.executeTakeFirstOrThrow()).count),
    (count) => count === 0,
    1_000_000,
  );
  let opened = 0;
  for (const { id, name } of (await demo.call('GET', '/projects')).body.data) {
    const from = `/api/projects/${id}`;
    const files = await unzipped(await exported(here, demo, from));
    const { into, id: importId } = await begin(there, tom, await zipped(files));
    const { state, error } = await ended(tom, into, importId);
    expect([state, error], name).toEqual(['DONE', null]);
    expect(hashesOf(await unzipped(await exported(there, tom, into.address))), name).toEqual(hashesOf(files));
    for (const path of runPaths) {
      const [before, after] = await Promise.all([
        demo.call('GET', `${from}/${path}`),
        tom.call('GET', `${into.address}/${path}`),
      ]);
      expect(after.body.data.map((one: { name: string }) => one.name)).toEqual(
        before.body.data.map((one: { name: string }) => one.name),
      );
      for (const run of after.body.data) {
        opened++;
        for (const part of ['', '/bundle', '/report', '/citation']) {
          const { status, text } = await tom.call('GET', `${into.address}/${path}/${run.id}${part}`);
          expect(status, `${path}${part} ${text.slice(0, 300)}`).toBe(200);
        }
      }
    }
  }
  expect(opened).toBeGreaterThan(5);
});
