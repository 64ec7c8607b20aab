import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, type Product, type Project, settledFile, startProduct } from '../../testing/product.ts';

let product: Product;
let owner: Person;
let project: Project;

beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  project = await product.project(owner);
});
afterAll(() => product.close());

const OWN_WORDS = ['Prüfung Halle;;;', 'Nr;Bez.;Wo;Ertrag', '1;A;H;1.020,5', '2;B;H;n.v.', '3;A;K;980', '4;B;K;975'];
const upload = (name: string, lines = OWN_WORDS, at = project, who = owner) =>
  product.uploadChecked(who, at, { name, fileType: 'PHENOTYPE', bytes: lines.join('\n') });

const MAPPING = {
  decimal_mark: ',',
  columns: [
    { name: 'Nr', role: 'ignore' },
    { name: 'Bez.', role: 'individual' },
    { name: 'Wo', role: 'location' },
    { name: 'Ertrag', role: 'measurement' },
  ],
};

/** The file after a check with these choices. */
async function told(id: string, body: object, who = owner, at = project) {
  const answer = await who.call('POST', `${at.address}/files/${id}/check`, body);
  expect(answer.status).toBe(200);
  return await settledFile(who, at, id);
}

test('a table whose columns are not recognised is read as a person says, without another upload', async () => {
  const refused = await upload('own-words.csv');
  expect(refused).toMatchObject({ status: 'INVALID', has_first_rows: true, mapping: null });
  const address = `${project.address}/files/${refused.id}`;
  // What cannot be read as a number is told in the same pass.
  const { body: report } = await owner.call('GET', `${address}/problems`);
  expect(report.by_code).toMatchObject({ 'E-COL-MISSING': 1, 'E-PH-NOT-NUMBER': 2 });

  const { body: first } = await owner.call('GET', `${address}/first_rows`);
  expect(first).toMatchObject({
    separator: ';',
    header_line: 2,
    remembered: false,
    columns: [
      { name: 'Nr', role: 'ignore' },
      { name: 'Bez.', role: 'individual' },
      { name: 'Wo', role: 'ignore' },
      { name: 'Ertrag', role: 'measurement' },
    ],
  });
  expect(first.rows[2]).toEqual({ line: 3, cells: ['1', 'A', 'H', '1.020,5'] });
  const { body: bare } = await owner.call('GET', `${address}/first_rows?header_line=0`);
  expect(bare.columns.map(({ name }: { name: string }) => name)).toEqual([
    'Column A',
    'Column B',
    'Column C',
    'Column D',
  ]);

  const read = await told(refused.id, { mapping: MAPPING, missing_codes: ['n.v.'], remember_mapping: true });
  expect(read).toMatchObject({ status: 'READY_WITH_WARNINGS', row_count: 2, mapping: MAPPING });
  expect(read.meta.traits).toEqual(['Ertrag']);
});

test('files with the same header are read alike in the whole organization and in no other, until it is forgotten', async () => {
  const again = await upload('next-year.csv', ['Prüfung Bonn;;;', '', ...OWN_WORDS.slice(1)]);
  expect(again).toMatchObject({ status: 'READY_WITH_WARNINGS', mapping: MAPPING, row_count: 2 });
  const { body: report } = await owner.call('GET', `${project.address}/files/${again.id}/problems`);
  expect(report.by_code).toMatchObject({ 'I-LAYOUT': 1 });
  // Another header is another table.
  expect(await upload('other.csv', ['Nr;Bez.;Wo;Ertrag;TKM', '1;A;H;1;2'])).toMatchObject({ status: 'INVALID' });

  const stranger = await product.person('sara');
  const elsewhere = await product.project(stranger);
  expect(await upload('same.csv', OWN_WORDS, elsewhere, stranger)).toMatchObject({ status: 'INVALID', mapping: null });

  // A person may have the columns found again.
  expect(await told(again.id, { mapping: null })).toMatchObject({ status: 'INVALID', mapping: null });
  expect(await told(again.id, { mapping: MAPPING, remember_mapping: false })).toMatchObject({ mapping: MAPPING });
  expect(await upload('forgotten.csv')).toMatchObject({ status: 'INVALID' });
});

test('a word chosen as missing stays so when a number is chosen after it', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `L${i};${i % 7}`);
  const file = await upload('codes.csv', ['line;Yield', ...rows, 'A;n.v.', 'B;n.v.', 'C;-999', 'D;-999']);
  expect(file).toMatchObject({ status: 'INVALID', missing_codes: [] });
  const read = await told(file.id, { missing_codes: ['n.v.'] });
  expect(read).toMatchObject({ status: 'READY_WITH_WARNINGS', missing_codes: ['n.v.'] });
  const again = await told(file.id, { missing_codes: [...read.missing_codes, '-999'] });
  expect(again).toMatchObject({ status: 'READY', missing_codes: ['n.v.', '-999'] });
});

test('roles that a table of another type has, and genotypes, are refused', async () => {
  const file = await upload('wrong-role.csv');
  const columns = [{ name: 'Bez.', role: 'female' }];
  const answer = await owner.call('POST', `${project.address}/files/${file.id}/check`, { mapping: { columns } });
  expect([answer.status, answer.body.code]).toEqual([400, 'request/invalid']);
});
