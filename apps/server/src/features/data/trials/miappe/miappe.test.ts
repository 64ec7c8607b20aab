import { memorySource } from '@heterosis/file-formats/byte-source';
import { openZip } from '@heterosis/file-formats/compression/zip-archive';
import { openXlsx } from '@heterosis/file-formats/tables/text/xlsx-sheet';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startProject } from '../../../../testing/start-project.ts';

const { product, owner, project } = await startProject({ withWorker: false });

async function exported(): Promise<Buffer> {
  const answer = await product.app.inject({
    ...{ method: 'GET', url: `${project.address}/trials/miappe`, headers: { authorization: `Bearer ${owner.token}` } },
  });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  return answer.rawPayload;
}

async function entryOf(archive: Buffer, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await openZip(memorySource(archive))).stream(name, 1e7)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function sheetsOf(archive: Buffer): Promise<Record<string, Record<string, string>[]>> {
  const book = await openXlsx(memorySource(await entryOf(archive, 'miappe.xlsx')));
  const sheets: Record<string, Record<string, string>[]> = {};
  for (const name of book.names) {
    const rows: string[][] = [];
    await book.forEachRow(({ cells }) => rows.push([...cells]) > 0, undefined, name);
    const [header = [], ...others] = rows;
    sheets[name] = others.map((cells) => Object.fromEntries(header.map((key, k) => [key, cells[k] ?? ''])));
  }
  return sheets;
}

test('a project without trials gives the headers', async () => {
  const { Study, Investigation } = await sheetsOf(await exported());
  expect(Study).toEqual([]);
  expect(Investigation?.[0]?.['MIAPPE version*']).toBe('1.1');
});

test('trials become studies with their units, materials, variables and values', async () => {
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name, attributes)
    select gen_random_uuid(), organization_id, crop_id, line.name, lower(line.name), attributes from projects,
      (values ('L1', '{"Genus": "Zea", "SPECIES": "mays", "INSTCODE": "NLD037", "ACCENUMB": "CGN1"}'::jsonb), ('L2', '{}')) as
      line (name, attributes)
    where projects.id = ${project.projectId}
  `.execute(product.services.db);
  const trait = { name: 'Yield', direction: 'higher', unit: 't/ha', weight: 1, ontology_id: 'CO_322:0000001' };
  await owner.call('PUT', `${project.address}/traits`, { traits: [trait] });
  const made = await owner.call('POST', `${project.address}/trials`, {
    ...{ name: 'North 2026', season: '2026', traits: ['Yield'], entries: ['L1', 'L2'] },
    places: [
      {
        ...{ location_name: 'North', latitude: 52.5, longitude: 5.5 },
        layout: {
          ...{
            number: [1, 2, 3],
            row: [1, 1, 1],
            column: [1, 2, 3],
            replicate: [1, 1, null],
            block: [null, null, null],
          },
          ...{ entry: [0, 1, null], kind: ['ENTRY', 'ENTRY', 'FILLER'] },
        },
      },
    ],
  });
  expect(made.status, made.text).toBe(201);
  const [{ id, version }] = made.body.data;
  await owner.call('PUT', `${project.address}/trials/${id}`, { version, sown_on: '2026-04-20' });
  await owner.call('POST', `${project.address}/trials/${id}/observations`, {
    observations: [
      { id: crypto.randomUUID(), plot: 1, trait: 'Yield', value: '5.1', observed_at: '2026-08-01T10:00:00.000Z' },
    ],
  });
  const archive = await exported();
  const sheets = await sheetsOf(archive);
  const [study] = sheets['Study'] ?? [];
  expect(study).toMatchObject({
    'Study title*': 'North 2026',
    'Start date of study*': '2026-04-20',
    'Experimental site name*': 'North',
    'Geographic location (latitude)': '52.5',
    'Observation unit level hierarchy': 'study>rep>plot',
  });
  const study_id = study?.['Study unique ID*'] ?? '';
  expect(study_id).toMatch(new RegExp(`/projects/${project.projectId}/trials/${id}$`));
  expect(sheets['Observation Unit']).toHaveLength(2);
  expect(sheets['Observation Unit']?.[0]).toMatchObject({
    'Study unique ID*': study_id,
    'Spatial distribution': 'rep:1; X:1; Y:1',
    'Biological material ID*': 'L1',
  });
  expect(sheets['Biological Material']?.map((row) => row['Organism*'])).toEqual(['Zea mays', expect.any(String)]);
  expect(sheets['Biological Material']?.[0]).toMatchObject({
    'Material source ID (Holding institute/stock centre, accession)*': 'NLD037:CGN1',
  });
  expect(sheets['Observed Variable']?.[0]).toMatchObject({
    'Variable ID*': 'Yield',
    'Variable accession number': 'CO_322:0000001',
    'Scale*': 't/ha',
  });
  expect(sheets['Event']).toEqual([
    expect.objectContaining({ 'Event type*': 'Planting', 'Event date*': '2026-04-20' }),
  ]);
  const link = sheets['Data file']?.[0]?.['Data file link*'] ?? '';
  expect((await entryOf(archive, link)).toString()).toContain('North 2026,1,1,1,1,L1,entry,5.1');
});
