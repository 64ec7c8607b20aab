import { expect, test } from 'vitest';
import { settledFile } from '../../../../testing/product.ts';
import { startProject } from '../../../../testing/start-project.ts';

const { product, owner, project } = await startProject();

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
  expect(report.by_code).toMatchObject({ 'E-COL-MISSING': 1, 'E-PH-NOT-NUMBER': 1, 'E-PH-MISSING-CODE': 1 });

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
  expect(read).toMatchObject({ status: 'INVALID', missing_codes: ['n.v.'] });
  const again = await told(file.id, { missing_codes: [...read.missing_codes, '-999'] });
  expect(again).toMatchObject({ status: 'READY', missing_codes: ['n.v.', '-999'] });
});

test('rows and cells are left out as a person says, and read again when it is taken back', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => `L${i};${60 + (i % 7)};${i}`);
  const file = await upload('left-out.csv', ['line;Yield;Height', ...rows, 'Mittelwert;=(x);', 'L30;61;7O']);
  expect(file).toMatchObject({ status: 'INVALID', left_out: null });
  const left_out = { lines: [27], cells: ['C28'] };
  expect(await told(file.id, { left_out })).toMatchObject({ row_count: 26, left_out });
  expect(await told(file.id, {})).toMatchObject({ status: 'READY', left_out });
  const { body: report } = await owner.call('GET', `${project.address}/files/${file.id}/problems`);
  expect(report.by_code).toMatchObject({ 'I-LEFT-OUT': 1 });
  const wrong = await owner.call('POST', `${project.address}/files/${file.id}/check`, {
    left_out: { lines: [0], cells: ['28C'] },
  });
  expect(wrong.status).toBe(400);
  expect(await told(file.id, { left_out: null })).toMatchObject({ status: 'INVALID', left_out: null });
});

test('no run takes a file with an open question; "it is a value" is kept with the file', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => `L${i};${i % 6 === 0 ? -9 : 60 + (i % 7)}`);
  const file = await upload('minus-nine.csv', ['line;Yield', ...rows]);
  expect(file.status).toBe('INVALID');
  const calls = rows.map((_, i) => `L${i},${i % 3},${(i + 1) % 3},${i % 2}`);
  const bytes = ['line,m1,m2,m3', ...calls].join('\n');
  const genotype = await product.uploadChecked(owner, project, { name: 'panel.csv', fileType: 'GENOTYPE', bytes });
  const request = { name: 'M', traits: ['Yield'], genotype_id: genotype.id, phenotype_id: file.id };
  for (const path of ['models', 'gwas']) {
    const { status, body } = await owner.call('POST', `${project.address}/${path}`, request);
    expect([status, body.code]).toEqual([409, 'files/not-ready']);
    expect(body.detail).toContain('mean "missing"');
  }
  const read = await told(file.id, { measured_values: ['-9'] });
  expect(read).toMatchObject({ status: 'READY_WITH_WARNINGS', measured_values: ['-9'], missing_codes: [] });
  expect(await told(file.id, {})).toMatchObject({ status: 'READY_WITH_WARNINGS', measured_values: ['-9'] });
});

test('dates become days as it is chosen, and stay so when the file is checked again', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => `L${i};${1 + (i % 28)}.06.2025`);
  const file = await upload('flowering.csv', ['line;Blüte', ...rows]);
  expect(file).toMatchObject({ status: 'READY_WITH_WARNINGS', dates: null, meta: { traits: [] } });
  const dates = { as: 'days_after_sowing', sowing_date: '2025-04-01' };
  const read = await told(file.id, { dates });
  expect(read).toMatchObject({ status: 'READY', dates, meta: { traits: ['Blüte'] } });
  const again = await told(file.id, {});
  expect(again).toMatchObject({ status: 'READY', dates, meta: { traits: ['Blüte'] } });
  const { body: qc } = await owner.call('GET', `${project.address}/files/${file.id}/qc`);
  expect(qc.traits[0]).toMatchObject({ unit: 'days after sowing', min: 61, max: 85, is_covariate: false });
  const wrong = await owner.call('POST', `${project.address}/files/${file.id}/check`, {
    dates: { as: 'days_after_sowing', sowing_date: '1.4.2025' },
  });
  expect(wrong.status).toBe(400);
});

test('another type can be chosen with the columns, and a parent in unknown words is asked about', async () => {
  const lines = ['Zuchtstamm X;Mutter;Bestäuber (Elternteil)', 'C;A;B', 'D;A;B'];
  const file = await upload('crosses-of-2026.csv', lines);
  expect(file.status).toBe('INVALID');
  const address = `${project.address}/files/${file.id}`;
  const { body: first } = await owner.call('GET', `${address}/first_rows?file_type=PEDIGREE`);
  expect(first.columns.map(({ role }: { role: string }) => role)).toEqual(['ignore', 'female', 'ignore']);
  const name = { name: 'Zuchtstamm X', role: 'name' };
  const asked = await told(file.id, { file_type: 'PEDIGREE', mapping: { columns: [name] } });
  expect(asked).toMatchObject({ status: 'INVALID', file_type: 'PEDIGREE' });
  const { body: report } = await owner.call('GET', `${address}/problems`);
  expect(report.by_code).toEqual({ 'E-COL-MALE': 1 });
  const male = { name: 'Bestäuber (Elternteil)', role: 'male' };
  const read = await told(file.id, { mapping: { columns: [name, male] } });
  expect(read).toMatchObject({ status: 'READY', row_count: 4 });
  // The roles of a pedigree say nothing about crosses.
  expect(await told(file.id, { file_type: 'CROSSING_TABLE' })).toMatchObject({ status: 'INVALID', mapping: null });
});

test('roles that a table of another type has, and genotypes, are refused', async () => {
  const file = await upload('wrong-role.csv');
  const columns = [{ name: 'Bez.', role: 'female' }];
  const answer = await owner.call('POST', `${project.address}/files/${file.id}/check`, { mapping: { columns } });
  expect([answer.status, answer.body.code]).toEqual([400, 'request/invalid']);
});
