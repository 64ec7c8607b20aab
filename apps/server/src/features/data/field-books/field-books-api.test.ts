import { createTrialsBody, type Trial } from '@heterosis/contracts/data/trials';
import { beforeAll, expect, test } from 'vitest';
import { pagesOf } from '../../../platform/pdf/testing.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, project } = await startProject({ withWorker: false });
let trial: Trial;

beforeAll(async () => {
  const height = { name: 'height', direction: 'higher', unit: 'cm', weight: 1 };
  await owner.call('PUT', `${project.address}/traits`, { traits: [height] });
  const layout = {
    ...{
      number: [1, 2, 3, 4],
      row: [1, 1, 2, 2],
      column: [1, 2, 1, 2],
      replicate: [1, 1, 2, null],
      block: [1, 1, 2, null],
    },
    ...{ entry: [null, null, null, null], kind: ['BORDER', 'BORDER', 'FILLER', 'FILLER'] },
  };
  const created = await owner.call(
    'POST',
    `${project.address}/trials`,
    createTrialsBody.parse({
      ...{ name: 'Żyto 2026', season: '2026', plot_name: 'P{plot:3}', entries: [], traits: ['height'] },
      places: [{ location_name: 'Łódź', layout }],
    }),
  );
  trial = created.body.data[0];
});

const read = async (what: string, person = owner) =>
  product.app.inject({
    url: `${project.address}/trials/${trial.id}/${what}`,
    headers: { authorization: `Bearer ${person.token}` },
  });

test('a trial gives its field book as PDF and CSV and its labels, the same bytes each time', async () => {
  const book = await read('field-book');
  expect(book.statusCode).toBe(200);
  expect(book.headers['content-type']).toBe('application/pdf');
  expect(decodeURIComponent(String(book.headers['content-disposition']))).toContain('Żyto 2026 field book.pdf');
  // The trial, its map and its plots.
  expect(pagesOf(book.rawPayload)).toHaveLength(3);
  expect(Buffer.compare(book.rawPayload, (await read('field-book')).rawPayload)).toBe(0);

  const csv = await read('field-book?format=csv&all_plots=true&order=serpentine-rows');
  expect(csv.headers['content-type']).toContain('text/csv');
  expect(csv.body.split('\n').map((line) => line.split(',').slice(1, 3).join())).toEqual([
    ...['plot,plot_name', '1,P001', '2,P002', '4,P004', '3,P003', ''],
  ]);
  expect(csv.body.split('\n')[0]).toContain(',kind,height');
  // Nothing is planted.
  expect((await read('field-book?format=csv')).body.split('\n')).toHaveLength(2);

  const labels = await read('labels?all_plots=true&sheet=5160&fields=plot,name&copies=10');
  expect(labels.headers['content-type']).toBe('application/pdf');
  expect(pagesOf(labels.rawPayload)).toHaveLength(2);
});

test('what no sheet, place or field has is refused, and others hear nothing of the trial', async () => {
  for (const query of ['sheet=L9', 'start=0', 'start=190', 'copies=21', 'fields=plot,secret', 'order=spiral'])
    expect((await read(`labels?${query}`)).statusCode, query).toBe(400);
  const beyond = await read('labels?sheet=L7163&start=15');
  expect([beyond.statusCode, beyond.json().detail]).toEqual([400, expect.stringContaining('14 labels')]);
  const outsider = await product.person('otto');
  for (const what of ['field-book', 'labels']) expect((await read(what, outsider)).statusCode).toBe(404);
});
