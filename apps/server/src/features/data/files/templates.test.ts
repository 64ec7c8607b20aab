import { fileType } from '@heterosis/contracts/data/files';
import { TEMPLATES } from '@heterosis/contracts/data/templates';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { readGermplasm } from '@heterosis/file-formats/tables/germplasm/read-germplasm';
import { settleGermplasm } from '@heterosis/file-formats/tables/germplasm/settle-germplasm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '../../../testing/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test.each(fileType.options)('the template of a %s file is accepted as it is', async (type) => {
  const owner = await product.person('owner');
  const project = await product.project(owner);
  const { fileName, text } = TEMPLATES[type];
  const file = await product.uploadChecked(owner, project, { name: fileName, fileType: type, bytes: text });
  expect(file.status, JSON.stringify(file.problem_totals)).toMatch(/^READY/);
});

test('the template of a germplasm list is accepted as it is', async () => {
  const { rows } = await readGermplasm(memorySource(Buffer.from(TEMPLATES.GERMPLASM.text)));
  expect(settleGermplasm(rows ?? []).report.problems).toEqual([]);
  expect(rows).toHaveLength(4);
});
