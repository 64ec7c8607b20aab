import { memorySource } from '@heterosis/file-formats/byte-source';
import { openZip } from '@heterosis/file-formats/compression/zip-archive';
import { openXlsx } from '@heterosis/file-formats/tables/text/xlsx-sheet';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startProject } from '../../../../testing/start-project.ts';

const { product, owner, project } = await startProject({ withWorker: false });

async function exported(format?: 'isa-tab'): Promise<Buffer> {
  const answer = await product.app.inject({
    ...{ method: 'GET', url: `${project.address}/trials/miappe`, headers: { authorization: `Bearer ${owner.token}` } },
    ...(format === undefined ? {} : { query: { format } }),
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
          ...{ entry: [0, 1, null], kind: ['ENTRY', 'ENTRY', 'FILLER'], treatment: ['wet', 'dry', null] },
        },
      },
    ],
  });
  expect(made.status, made.text).toBe(201);
  const [{ id, version }] = made.body.data;
  await owner.call('PUT', `${project.address}/trials/${id}`, {
    ...{ version, sown_on: '2026-04-20', description: 'Called "early",\n\tand so it was' },
  });
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
  expect(sheets['Exp. Factor']).toMatchObject([{ 'Experimental Factor values*': 'wet;dry' }]);
  expect(sheets['Event']).toEqual([
    expect.objectContaining({ 'Event type*': 'Planting', 'Event date*': '2026-04-20' }),
  ]);
  const link = sheets['Data file']?.[0]?.['Data file link*'] ?? '';
  expect((await entryOf(archive, link)).toString()).toContain('North 2026,1,1,1,1,L1,entry,wet,5.1');
});

/** The rows of a text of ISA-Tab: tabs part the cells, which are quoted. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => row.split('\t').map((cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')));

/** The fields of each section of an investigation file, in the order of the sections. */
function sectionsOf(text: string): { heading: string; fields: Map<string, string[]> }[] {
  const sections: ReturnType<typeof sectionsOf> = [];
  for (const [label = '', ...values] of rowsOf(text)) {
    if (/^[A-Z ]+$/.test(label)) sections.push({ heading: label, fields: new Map() });
    else sections.at(-1)?.fields.set(label, values);
  }
  return sections;
}

/** Labels by section, which the specification (ISA-TAB 1.0, 4.1) lists; a comment may stand beside them. */
const PUBLICATION = 'PubMed ID|Publication DOI|Publication Author List|Publication Title|Publication Status';
const PERSON = 'Last Name|First Name|Mid Initials|Email|Phone|Fax|Address|Affiliation|Roles';
const LABELS: [heading: string, prefix: string, labels: string][] = [
  ['ONTOLOGY SOURCE REFERENCE', 'Term Source', 'Name|File|Version|Description'],
  ['INVESTIGATION', 'Investigation', 'Identifier|Title|Description|Submission Date|Public Release Date'],
  ['INVESTIGATION PUBLICATIONS', 'Investigation', PUBLICATION],
  ['INVESTIGATION CONTACTS', 'Investigation Person', PERSON],
  ['STUDY', 'Study', 'Identifier|Title|Submission Date|Public Release Date|Description|File Name'],
  ['STUDY DESIGN DESCRIPTORS', 'Study Design', 'Type|Type Term Accession Number|Type Term Source REF'],
  ['STUDY PUBLICATIONS', 'Study', PUBLICATION],
  ['STUDY FACTORS', 'Study Factor', 'Name|Type|Type Term Accession Number|Type Term Source REF'],
  ['STUDY ASSAYS', 'Study Assay', 'Measurement Type|Technology Type|Technology Platform|File Name'],
  [
    'STUDY PROTOCOLS',
    'Study Protocol',
    'Name|Type|Description|URI|Version|Parameters Name|Components Name|Components Type',
  ],
  ['STUDY CONTACTS', 'Study Person', PERSON],
];

test('ISA-Tab follows its specification and says of the trial what the trial says', async () => {
  const [trial] = (await owner.call('GET', `${project.address}/trials`)).body.data;
  const traits = (await owner.call('GET', `${project.address}/traits`)).body.data;
  const plots = (await owner.call('GET', `${project.address}/trials/${trial.id}/plots`)).body;
  const archive = await exported('isa-tab');
  const textOf = async (name: string): Promise<string> => (await entryOf(archive, name)).toString();
  const tableOf = async (name: string): Promise<Record<string, string>[]> => {
    const [header = [], ...rows] = rowsOf(await textOf(name));
    expect(rows.filter(({ length }) => length !== header.length)).toEqual([]);
    return rows.map((cells) => Object.fromEntries(header.map((key, k) => [key, cells[k] ?? ''])));
  };
  const sections = sectionsOf(await textOf('i_investigation.txt'));
  expect(sections.map(({ heading }) => heading)).toEqual(LABELS.map(([heading]) => heading));
  for (const [k, [, prefix, labels]] of LABELS.entries())
    expect([...(sections[k]?.fields.keys() ?? [])]).toEqual(
      expect.arrayContaining(labels.split('|').map((label) => `${prefix} ${label}`)),
    );
  const known = LABELS.flatMap(([, prefix, labels]) => labels.split('|').map((label) => `${prefix} ${label}`));
  const others = sections.flatMap(({ fields }) => [...fields.keys()]).filter((label) => !known.includes(label));
  expect(others.filter((label) => !/^Comment\[.+\]$| Term (Accession Number|Source REF)$/.test(label))).toEqual([]);
  const field = (heading: string, label: string): string[] =>
    sections.find((section) => section.heading === heading)?.fields.get(label) ?? [];
  expect(field('INVESTIGATION', 'Comment[MIAPPE Version]')).toEqual(['1.1']);
  expect(field('STUDY', 'Study Title')).toEqual([trial.name]);
  expect(field('STUDY', 'Study Description')).toEqual(['Called "early", and so it was']);
  expect(field('STUDY', 'Comment[Study Start Date]')).toEqual([trial.sown_on]);
  expect(field('STUDY', 'Comment[Study Latitude]')).toEqual([String(trial.latitude)]);
  const protocols = field('STUDY PROTOCOLS', 'Study Protocol Name');
  expect(protocols).toEqual(['Growth', 'Planting', 'Phenotyping', 'Data Transformation']);
  for (const values of sections.at(-2)?.fields.values() ?? []) expect(values).toHaveLength(protocols.length);

  const study = await tableOf(field('STUDY', 'Study File Name')[0] ?? '');
  const assay = await tableOf(field('STUDY ASSAYS', 'Study Assay File Name')[0] ?? '');
  const planted = plots.number.filter((_: number, k: number) => plots.entry[k] !== null);
  expect(study.map((unit) => unit['Characteristics[External ID]'])).toEqual(planted.map(String));
  expect(study.map((unit) => unit['Source Name'])).toEqual(['L1', 'L2']);
  const [factor] = field('STUDY FACTORS', 'Study Factor Name');
  expect(study.map((unit) => unit[`Factor Value[${factor}]`])).toEqual(['wet', 'dry']);
  expect(study[0]).toMatchObject({
    'Characteristics[Organism]': 'Zea mays',
    'Characteristics[Material Source ID]': 'NLD037:CGN1',
    'Characteristics[Spatial Distribution]': 'rep:1; X:1; Y:1',
    'Protocol REF': 'Growth',
  });
  expect(assay.map((unit) => unit['Sample Name'])).toEqual(study.map((unit) => unit['Sample Name']));
  // Every protocol of a table is declared.
  const [header = []] = rowsOf(await textOf(field('STUDY ASSAYS', 'Study Assay File Name')[0] ?? ''));
  expect(header.filter((name) => name === 'Protocol REF')).toHaveLength(2);
  expect(protocols).toContain(assay[0]?.['Protocol REF']);
  const [variable] = await tableOf(field('STUDY', 'Comment[Trait Definition File]')[0] ?? '');
  expect(variable).toMatchObject({
    'Variable ID': traits[0].name,
    'Variable Accession Number': traits[0].ontology_id,
    Scale: traits[0].unit,
  });
  const table = await textOf(assay[0]?.['Derived Data File'] ?? '');
  expect(field('STUDY', 'Comment[Study Data File Link]')).toEqual([assay[0]?.['Derived Data File']]);
  expect(table).toContain(`${trial.name},1,1,1,1,L1,entry,wet,5.1`);
  expect(await textOf('events.csv')).toContain(`"","${trial.sown_on}","Planting"`);
});
