import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { pageSize, pagesOf } from '../../../platform/pdf/testing.ts';
import { type Person } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';
import { type Audience, type Report, writtenRows } from '../runs/report/index.ts';
import { readReport } from './index.ts';
import { reportOfProject } from './project-report.ts';
import { summaryOf } from './trait-summaries.ts';

const { product, owner: olga, member: max, project } = await startProject({ withWorker: false });
let trial: string;

/** Four lines in two replicates of a row each; L0 is the check. */
const LAYOUT = {
  number: [1, 2, 3, 4, 5, 6, 7, 8],
  row: [1, 1, 1, 1, 2, 2, 2, 2],
  column: [1, 2, 3, 4, 1, 2, 3, 4],
  replicate: [1, 1, 1, 1, 2, 2, 2, 2],
  block: Array.from({ length: 8 }, () => null),
  entry: [0, 1, 2, 3, 3, 2, 1, 0],
  kind: ['CHECK', 'ENTRY', 'ENTRY', 'ENTRY', 'ENTRY', 'ENTRY', 'ENTRY', 'CHECK'],
};

beforeAll(async () => {
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name)
    select gen_random_uuid(), organization_id, crop_id, 'L' || line, 'l' || line
    from projects, generate_series(0, 3) as line where projects.id = ${project.projectId}
  `.execute(product.services.db);
  const trait = { direction: 'higher', weight: 1 };
  const traits = [
    { ...trait, name: 'Yield', unit: 't/ha', scale: { kind: 'numeric', min: 0, max: 99 } },
    { ...trait, name: 'Rust', unit: null, scale: { kind: 'text' } },
  ];
  expect((await olga.call('PUT', `${project.address}/traits`, { traits })).status).toBe(200);
  const laid = await olga.call('POST', `${project.address}/trials`, {
    ...{ name: 'North 2026', season: '2026', traits: ['Yield', 'Rust'], entries: ['L0', 'L1', 'L2', 'L3'] },
    places: [{ location_name: 'Kiel', layout: LAYOUT }],
  });
  trial = laid.body.data[0].id;
  const value = (plot: number, name: string, of: string | number) => ({
    ...{ id: randomUUID(), plot, trait: name, value: of, collector: 'Cora Collector' },
    observed_at: '2026-07-01T10:00:00Z',
  });
  const observations = [
    ...[4, 5, 6, 7, 8, 9, 10].map((yielded, k) => value(k + 1, 'Yield', yielded)),
    ...[value(1, 'Rust', 'none'), value(2, 'Rust', 'none'), value(3, 'Rust', '=HYPERLINK("x")')],
  ];
  const recorded = await olga.call('POST', `${project.address}/trials/${trial}/observations`, { observations });
  expect(recorded.status, recorded.text).toBe(200);
});

const reportOf = async (audience: Audience): Promise<Report> => {
  const thing = { kind: 'trial', projectId: project.projectId, id: trial, page: 'A4', audience } as const;
  const report = await readReport(product.services, [], thing);
  if (report === undefined) throw new Error('A trial has a report');
  return report;
};

const table = ({ parts }: Report, title: RegExp): readonly (readonly string[])[] =>
  parts.flatMap((part) => (part.what === 'table' && title.test(part.title) ? writtenRows(part) : []));

async function print(person: Person, address: string): Promise<Buffer> {
  const { rawPayload, statusCode, headers } = await product.app.inject({
    ...{ method: 'GET', url: address.startsWith('/api') ? address : `/api${address}` },
    headers: { authorization: `Bearer ${person.token}` },
  });
  expect(statusCode, rawPayload.toString().slice(0, 300)).toBe(200);
  expect(headers['content-type']).toBe('application/pdf');
  return rawPayload;
}

test('the report of a trial has its map, what is collected, and means with units by trait and entry', async () => {
  const report = await reportOf('members');
  expect(report.sentences).toEqual([
    '8 plots with 3 entries and 1 check at Kiel, 2026.',
    '10 of 16 values collected (63 %).',
  ]);
  expect(Object.fromEntries(report.inputs)).toMatchObject({ Replicates: '2', Field: '2 rows × 4 columns' });
  const maps = report.parts.flatMap((part) =>
    part.what === 'figure' && part.figure.chart === 'field' ? part.figure.given.layers : [],
  );
  expect(maps.map(({ title }) => title)).toEqual(['What stands there', 'Replicate', '']);
  expect(maps[2]).toMatchObject({ values: [4, 5, 6, 7, 8, 9, 10, null] });
  expect(table(report, /collected/)).toEqual([
    ['Yield', '7', '88 %', '0', '0', '0', '0', '2026-07-01', '2026-07-01'],
    ['Rust', '3', '38 %', '0', '0', '0', '0', '2026-07-01', '2026-07-01'],
  ]);
  expect(table(report, /over all plots/)).toEqual([
    ['Yield (t/ha)', '7', '7.00', '2.16', '31 %', '4.00', '7.00', '10.0'],
  ]);
  expect(report.parts).toContainEqual({
    ...{ what: 'facts', title: 'Other traits' },
    facts: [['Rust', 'none (2), =HYPERLINK("x") (1)']],
  });
  // L0 was measured on one of its plots.
  expect(table(report, /^Entries/)).toEqual([
    ['L0 (check)', '1, 8', '4.0'],
    ['L1', '2, 7', '7.5'],
    ['L2', '3, 6', '7.5'],
    ['L3', '4, 5', '7.5'],
  ]);
  expect(report.link).toBe(`${product.services.config.publicUrl}/projects/${project.projectId}/trials/${trial}`);
  expect(new Map(report.provenance).get('SHA-256 of the values')).toMatch(/^[0-9a-f]{64}$/);
});

test('whoever holds a link to a trial reads no person, no project and no id', async () => {
  const said = JSON.stringify(await reportOf('link'));
  for (const hidden of [olga.email, 'Cora', project.projectId, trial, '/projects/']) expect(said).not.toContain(hidden);
  expect(said).not.toMatch(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-/);
  expect(JSON.stringify(await reportOf('members'))).toContain(olga.email);
});

test('the report of a project says what is in it, and names people to members only', async () => {
  const of = { projectId: project.projectId, page: 'A4', audience: 'members', definitions: [] } as const;
  const report = await reportOfProject(product.services, { ...of, namesPeople: true });
  expect(report.sentences).toEqual(['It has 0 files, 1 trial, 0 runs, 0 decisions and 0 lists.']);
  expect(table(report, /^Trials$/)).toEqual([['North 2026', 'Kiel', '2026', 'sown', '4', '8', '63 %']]);
  expect(table(report, /^People$/).flat()).toContain(max.email);
  const forGuests = await reportOfProject(product.services, { ...of, namesPeople: false });
  expect(JSON.stringify(forGuests)).not.toContain('@');
});

test('both are printed on the paper that is asked for, with fonts in them and the way back', {
  tags: 'whole',
}, async () => {
  const address = `/projects/${project.projectId}`;
  for (const path of [`${address}/trials/${trial}/report`, `${address}/report`]) {
    const a4 = await print(max, path);
    expect(pageSize(a4)).toEqual([595.28, 841.89]);
    expect(pageSize(await print(max, `${path}?page=LETTER`))).toEqual([612, 792]);
    const text = a4.toString('latin1');
    expect(pagesOf(a4).length).toBeGreaterThan(0);
    expect(text).toContain(`/URI (${product.services.config.publicUrl}${path.replace('/report', '')})`);
    const fonts = [...text.matchAll(/\/FontDescriptor\n[\s\S]*?endobj/g)];
    expect(fonts.length).toBeGreaterThan(0);
    for (const [font] of fonts) expect(font).toMatch(/\/FontFile[23] /);
    expect(text).not.toMatch(/\/JavaScript|\/JS\b|HYPERLINK/);
  }
});

test('the paper that a person chose is kept with the account', async () => {
  expect((await max.call('GET', '/users/me')).body.paper).toBeNull();
  expect((await max.call('PUT', '/users/me/paper', { paper: 'LETTER' })).body.paper).toBe('LETTER');
  expect((await max.call('GET', '/users/me')).body.paper).toBe('LETTER');
  expect((await max.call('PUT', '/users/me/paper', { paper: 'A5' })).status).toBe(400);
  expect((await olga.call('GET', '/users/me')).body.paper).toBeNull();
});

test('a single value has no standard deviation, and an even number of values the middle of two', () => {
  expect(summaryOf([3])).toEqual({ n: 1, mean: 3, sd: null, minimum: 3, median: 3, maximum: 3 });
  const { sd, ...others } = summaryOf([1, 2, 4, 9]);
  expect(others).toEqual({ n: 4, mean: 4, minimum: 1, median: 3, maximum: 9 });
  // √((9 + 4 + 0 + 25)/3)
  expect(sd).toBeCloseTo(3.559026, 6);
});
