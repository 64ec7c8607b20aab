import type { Germplasm, GermplasmValue } from '@heterosis/contracts/data/germplasm';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Person,
  type Product,
  type Project,
  sendTable,
  startProduct,
  until,
} from '../../../testing/product.ts';

let product: Product;
let owner: Person;
beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('owner');
});
afterAll(() => product.close());

interface Place {
  project: Project;
  /** `/organizations/{id}/germplasms`. */
  address: string;
  cropId: string;
}

/** An organization of its own with an empty list. */
async function newPlace(): Promise<Place> {
  const project = await product.project(owner);
  const crops = await owner.call('GET', `/organizations/${project.organizationId}/crops`);
  return {
    project,
    address: `/organizations/${project.organizationId}/germplasms`,
    cropId: crops.body.data[0].id,
  };
}

const send = (person: Person, address: string, lines: readonly string[], fields?: Record<string, string>) =>
  sendTable(product, person, address, lines, fields);

const upload = ({ address, cropId }: Place, lines: readonly string[], fields: Record<string, string> = {}) =>
  send(owner, address, lines, { crop_id: cropId, ...fields });

const vcfOf = (names: readonly string[]): string =>
  [
    '##fileformat=VCFv4.2',
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t'),
    ['1', '5', 'm1', 'A', 'C', '.', '.', '.', 'GT', ...names.map((_, i) => (i % 2 === 0 ? '0/0' : '1/1'))].join('\t'),
    '',
  ].join('\n');

const namesIn = (answer: Answer): string[] => answer.body.data.map(({ name }: { name: string }) => name);

/** Uploads of a place whose bytes are in the storage. */
async function keptUploads({ project }: Place): Promise<string[]> {
  const { db, storage } = product.services;
  const uploads = await db
    .selectFrom('germplasm_uploads')
    .where('organization_id', '=', project.organizationId)
    .select(['id', 'storage_key'])
    .execute();
  const found = await Promise.all(
    uploads.map(async ({ id, storage_key: key }) => (key !== null && (await storage.find(key)) ? [id] : [])),
  );
  return found.flat();
}

async function idOf({ address }: Place, name: string): Promise<string> {
  const { body } = await owner.call('GET', `${address}?search=${encodeURIComponent(name)}`);
  return body.data.find((one: { name: string }) => one.name === name).id;
}

async function reviewed(address: string, id: string): Promise<Answer> {
  for (;;) {
    const answer = await owner.call('GET', `${address}/uploads/${id}`);
    if (answer.body.status !== 'CHECKING' && answer.body.status !== 'ACCEPTING') return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('uploading in one call', () => {
  test('stores the rows, their parents by name and their attributes, and returns the list', async () => {
    const place = await newPlace();
    const answer = await upload(place, [
      'name,collection,mother,father,synonyms,type,notes',
      'C1,Elite,B73,Mo17,Cross 1;K1,DH,late',
      'B73,,,,,,',
      'Mo17,,,,,,',
    ]);
    expect(answer.status, answer.text).toBe(201);
    expect(namesIn(answer)).toEqual(['B73', 'C1', 'Mo17']);
    const [b73, c1, mo17] = answer.body.data;
    expect(c1).toMatchObject({
      collection: 'Elite',
      maternal: { id: b73.id, name: 'B73' },
      paternal: { id: mo17.id, name: 'Mo17' },
      cross_type: 'DH',
      attributes: { notes: 'late' },
      crop: { name: 'Maize' },
    });
    expect(c1.synonyms.map(({ name }: { name: string }) => name)).toEqual(['Cross 1', 'K1']);
    // As every other time of the API.
    expect(c1.synonyms[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.body.total).toBe(3);
  });

  test('stores nothing while an error remains, and says where it is', async () => {
    const place = await newPlace();
    const answer = await upload(place, ['name,mother', 'Good,', 'Bad,Nobody']);
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('germplasm/upload-refused');
    expect(answer.body.details.problems).toMatchObject([{ code: 'E-GP-PARENT-UNKNOWN', line: 3, value: 'Nobody' }]);
    expect(namesIn(await owner.call('GET', place.address))).toEqual([]);
    const founders = await upload(place, ['name,mother', 'Good,', 'Bad,Nobody'], { generate_unknown_parent: 'true' });
    expect(namesIn(founders)).toEqual(['Bad', 'Good', 'Nobody']);
  });

  test('a loop is spelled out', async () => {
    const answer = await upload(await newPlace(), ['name,mother', 'A,B', 'B,C', 'C,A']);
    expect(answer.body.details.problems[0]).toMatchObject({ code: 'E-GP-CYCLE' });
    expect(answer.body.detail).toContain('A <- B <- C <- A');
  });

  test('two people who upload the same names at once end with one row each', async () => {
    const place = await newPlace();
    const names = Array.from({ length: 200 }, (_, index) => `Line ${index}`);
    const answers = await Promise.all([1, 2, 3].map(() => upload(place, ['name', ...names])));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { body } = await owner.call('GET', place.address);
    expect(body.total).toBe(200);
  });

  test.each([
    ['no crop', { crop_id: '' }],
    ['an unknown field', { colour: 'green' }],
    ['an unknown rule', { existing: 'delete' }],
  ])('refuses %s', async (_, fields) => {
    const place = await newPlace();
    const answer = await upload(place, ['name', 'A'], fields);
    expect(answer.status).toBe(400);
  });

  test('refuses what is no form', async () => {
    const place = await newPlace();
    expect((await owner.call('POST', place.address, { name: 'A' })).status).toBe(400);
    const cut = await product.app.inject({
      method: 'POST',
      url: `/api${place.address}`,
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname',
    });
    expect(cut.statusCode).toBe(400);
    expect(cut.json().code).toBe('files/upload-incomplete');
  });
});

describe('the review of an upload', () => {
  test('rows are mended or left out until no error remains, then stored as a whole', async () => {
    const place = await newPlace();
    await upload(place, ['name,collection', 'B73,Stiff stalk']);
    const started = await send(
      owner,
      `${place.address}/uploads`,
      ['name,collection,mother', 'B73,Other,', 'C1,,B 37', 'C2,,b73', ',,'],
      { crop_id: place.cropId },
    );
    expect(started.status, started.text).toBe(201);
    const uploadAddress = `${place.address}/uploads/${started.body.id}`;
    const first = await reviewed(place.address, started.body.id);
    expect(first.body).toMatchObject({
      status: 'REVIEW',
      counts: { create: 1, same: 1, refused: 1, conflicts: 1 },
      totals: { errors: 1, warnings: 1 },
      by_code: { 'E-GP-PARENT-UNKNOWN': 1, 'W-NAME-FOLDED': 1 },
    });
    expect((await owner.call('POST', `${uploadAddress}/accept`, {})).status).toBe(422);
    const refused = await owner.call('GET', `${uploadAddress}/rows?show=error`);
    expect(refused.body.data).toMatchObject([{ line: 3, name: 'C1', maternal: 'B 37', action: 'refused' }]);

    await owner.call('PUT', uploadAddress, { existing: 'overwrite', rows: [{ line: 3, maternal: 'B73' }] });
    const second = await reviewed(place.address, started.body.id);
    expect(second.body).toMatchObject({ counts: { create: 2, change: 1, refused: 0 }, totals: { errors: 0 } });
    expect((await owner.call('POST', `${uploadAddress}/accept`, {})).body.code).toBe('germplasm/warnings-unread');
    expect((await owner.call('POST', `${uploadAddress}/accept`, { confirm_warnings: true })).status).toBe(200);
    expect((await reviewed(place.address, started.body.id)).body.status).toBe('ACCEPTED');

    const { body } = await owner.call('GET', place.address);
    expect(body.data.map(({ name, collection, maternal }: Germplasm) => [name, collection, maternal?.name])).toEqual([
      ['B73', 'Other', undefined],
      ['C1', null, 'B73'],
      ['C2', null, 'B73'],
    ]);
    expect((await owner.call('POST', `${uploadAddress}/accept`, {})).status).toBe(409);
  });

  test('a line confirmed as really different is created beside the one of nearly its name', async () => {
    const place = await newPlace();
    await upload(place, ['name', 'NR 1']);
    const started = await send(owner, `${place.address}/uploads`, ['name', 'NR-1'], { crop_id: place.cropId });
    const id = started.body.id;
    expect((await reviewed(place.address, id)).body.by_code).toEqual({ 'W-GP-NEAR-DUP': 1 });
    await owner.call('PUT', `${place.address}/uploads/${id}`, { rows: [{ line: 2, is_distinct: true }] });
    expect((await reviewed(place.address, id)).body).toMatchObject({ by_code: {}, counts: { create: 1 } });
    await owner.call('POST', `${place.address}/uploads/${id}/accept`, {});
    await reviewed(place.address, id);
    expect(namesIn(await owner.call('GET', place.address))).toEqual(['NR 1', 'NR-1']);
  });

  test('a file that is no table is shown with its reason', async () => {
    const place = await newPlace();
    const started = await send(owner, `${place.address}/uploads`, ['population', 'P'], { crop_id: place.cropId });
    expect((await reviewed(place.address, started.body.id)).body).toMatchObject({
      status: 'REVIEW',
      problems: [{ code: 'E-COL-MISSING' }],
    });
  });

  test('a file with headers in other words is read again by what they hold, and so is the next one', async () => {
    const place = await newPlace();
    const lines = ['Zuchtgarten 2026;;;', 'Zuchtnr.;Gruppe 1;Samenträger;Notiz', 'L1;Früh;;x', 'L2;Früh;L1;'];
    const started = await send(owner, `${place.address}/uploads`, lines, { crop_id: place.cropId });
    const uploadAddress = `${place.address}/uploads/${started.body.id}`;
    expect((await reviewed(place.address, started.body.id)).body).toMatchObject({
      ...{ has_first_rows: true, is_mapping_kept: false, counts: { create: 0 } },
      by_code: { 'E-COL-MISSING': 1 },
    });
    const { body: first } = await owner.call('GET', `${uploadAddress}/first_rows`);
    expect(first).toMatchObject({ header_line: 2, separator: ';', remembered: false });
    expect(first.columns).toEqual(
      ['Zuchtnr.', 'Gruppe 1', 'Samenträger', 'Notiz'].map((name) => ({ name, role: 'attribute' })),
    );

    const columns = ['name', 'collection', 'female', 'attribute'].map((role, index) => ({
      ...{ name: first.columns[index].name, role },
    }));
    const wrong = { mapping: { columns: [{ name: 'Zuchtnr.', role: 'individual' }] } };
    expect((await owner.call('PUT', uploadAddress, wrong)).status).toBe(400);
    const mapping = { separator: ';', header_line: 2, columns };
    await owner.call('PUT', uploadAddress, { mapping, remember_mapping: true });
    expect((await reviewed(place.address, started.body.id)).body).toMatchObject({
      ...{ counts: { create: 2 }, totals: { errors: 0 }, attributes: ['Notiz'], columns: { name: 'Zuchtnr. (A)' } },
    });
    // Rows that were mended are read again, too.
    await owner.call('PUT', uploadAddress, { rows: [{ line: 4, name: 'L9' }] });
    await reviewed(place.address, started.body.id);
    await owner.call('PUT', uploadAddress, { mapping });
    await reviewed(place.address, started.body.id);
    const rows = (await owner.call('GET', `${uploadAddress}/rows`)).body.data;
    expect(rows).toMatchObject([
      { line: 3, name: 'L1', collection: 'Früh', attributes: { Notiz: 'x' }, is_edited: false },
      { line: 4, name: 'L2', maternal: 'L1', is_edited: false },
    ]);
    expect((await owner.call('POST', `${uploadAddress}/accept`, {})).status).toBe(200);
    await reviewed(place.address, started.body.id);
    expect((await owner.call('GET', `${uploadAddress}/first_rows`)).status).toBe(409);

    // Below another title, and in one call.
    const next = await send(owner, `${place.address}/uploads`, ['x;;;', 'y;;;', lines[1] ?? '', 'L3;Spät;L2;'], {
      crop_id: place.cropId,
    });
    expect((await reviewed(place.address, next.body.id)).body).toMatchObject({
      ...{ is_mapping_kept: true, counts: { create: 1 }, by_code: { 'I-LAYOUT': 1 } },
    });
    const stored = await upload(place, [lines[1] ?? '', 'L4;Spät;L2;']);
    expect(stored.status, stored.text).toBe(201);
    expect(namesIn(stored)).toEqual(['L1', 'L2', 'L4']);
    expect(await keptUploads(place)).toEqual([next.body.id]);
  });

  test('members of a project add new names and change nothing', async () => {
    const place = await newPlace();
    await upload(place, ['name,collection', 'B73,Stiff stalk']);
    const member = await product.person('member-of-both');
    await product.join(place.project, member, 'MEMBER');
    await product.services.db
      .insertInto('organization_members')
      .values({
        id: crypto.randomUUID(),
        organization_id: place.project.organizationId,
        user_id: member.userId,
        role: 'MEMBER',
      })
      .execute();
    const address = `/projects/${place.project.projectId}/germplasms`;
    const answer = await send(member, address, ['name,collection', 'B73,Other', 'New,Other'], {
      existing: 'overwrite',
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data.map(({ name, collection }: Germplasm) => [name, collection])).toEqual([
      ['B73', 'Stiff stalk'],
      ['New', 'Other'],
    ]);
  });
});

describe('the list', () => {
  let place: Place;
  beforeAll(async () => {
    place = await newPlace();
    await upload(place, [
      'name,collection,mother,father,synonyms',
      'B73,Stiff stalk,,,',
      'Mo17,Lancaster,,,Missouri 17',
      'H1,Hybrids,B73,Mo17,',
      'H2,Hybrids,Mo17,B73,',
      'D1,,H1,,',
    ]);
  });

  test.each([
    ['b-73', ['B73', 'H1', 'H2']],
    ['missouri', ['H1', 'H2', 'Mo17']],
    ['lancaster', ['Mo17']],
    ['B73 × Mo17', ['H1', 'H2']],
    ['mo17 x b73', ['H1', 'H2']],
    ['B73/H1', []],
    ['%', []],
  ])('a search for %s finds %j', async (search, names) => {
    expect(namesIn(await owner.call('GET', `${place.address}?search=${encodeURIComponent(search)}`))).toEqual(names);
  });

  test.each(['name', '-name', 'collection', '-collection', 'created_at', '-updated_at'])(
    'pages sorted by %s give every row once',
    async (sort) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const at: string = cursor === null ? '' : `&cursor=${cursor}`;
        const answer: Answer = await owner.call('GET', `${place.address}?limit=2&sort=${sort}${at}`);
        seen.push(...namesIn(answer));
        cursor = answer.body.next_cursor;
      } while (cursor !== null);
      expect([...seen].sort()).toEqual(['B73', 'D1', 'H1', 'H2', 'Mo17']);
      if (sort === '-name') expect(seen).toEqual(['Mo17', 'H2', 'H1', 'D1', 'B73']);
    },
  );

  test('generate_unknown_parent gives a placeholder for the parent that is not known', async () => {
    const answer = await owner.call('GET', `${place.address}?generate_unknown_parent=true`);
    const d1 = answer.body.data.find(({ name }: { name: string }) => name === 'D1');
    expect(d1.paternal).toEqual({ id: d1.paternal_id, name: 'Unknown male parent of D1' });
    const b73 = answer.body.data.find(({ name }: { name: string }) => name === 'B73');
    expect(b73.maternal_id).toBeNull();
  });

  test('a germplasm shows its parents, its progeny, and the files it is in with the values there', async () => {
    const file = await product.uploadChecked(owner, place.project, {
      name: 'trial.csv',
      fileType: 'PHENOTYPE',
      bytes: 'line,Yield (t/ha),Colour,Height\nmissouri-17,5,red,\nB73,6,blue,2\n',
    });
    const id = await idOf(place, 'Mo17');
    const { body } = await until(
      () => owner.call('GET', `${place.address}/${id}`),
      ({ body: { occurrences } }) => occurrences.length > 0,
    );
    expect(body.progeny.map(({ name }: { name: string }) => name)).toEqual(['H1', 'H2']);
    expect(body.occurrences).toMatchObject([{ id: file.id, kind: 'PHENOTYPE', written: 'missouri-17' }]);
    const values = await owner.call('GET', `${place.address}/${id}/values`);
    expect(values.body).toEqual({
      data: [
        {
          source: { id: file.id, name: 'trial.csv', kind: 'PHENOTYPE' },
          project: { id: place.project.projectId, name: expect.any(String) },
          written: 'missouri-17',
          trait: 'Yield',
          unit: 't/ha',
          ...{ environment: null, estimate: 'mean', value: 5, se: null, observations: 1 },
          ...{ reliability: null, percentile: null },
        },
      ],
      next_cursor: null,
    });
    const h1 = await owner.call('GET', `${place.address}/${await idOf(place, 'H1')}`);
    expect(h1.body).toMatchObject({ maternal: { name: 'B73', collection: 'Stiff stalk' }, paternal: { name: 'Mo17' } });
  });

  test('values come page by page, of projects that one may see, and not from a line of nearly the same name', async () => {
    const other = await newPlace();
    await upload(other, ['name', 'NR 1']);
    const { body: crop } = await owner.call('GET', `${other.address}?limit=1`);
    await product.services.db
      .insertInto('germplasm')
      .values({
        id: crypto.randomUUID(),
        organization_id: other.project.organizationId,
        crop_id: crop.data[0].crop.id,
        name: 'NR-1',
        folded_name: foldName('NR-1'),
        is_distinct: true,
      })
      .execute();
    for (const [name, written] of Object.entries({ 'a.csv': 'NR 1', 'b.csv': 'NR-1', 'c.csv': 'NR 1' }))
      await product.uploadChecked(owner, other.project, {
        name,
        fileType: 'PHENOTYPE',
        bytes: `line,Yield\n${written},5\nX,6\n`,
      });
    const address = `${other.address}/${crop.data[0].id}/values`;
    // The names of a file are listed after its check.
    await until(
      () => owner.call('GET', address),
      ({ body }) => body.data.length === 2,
    );
    const first = await owner.call('GET', `${address}?limit=1`);
    const second = await owner.call('GET', `${address}?limit=1&cursor=${first.body.next_cursor}`);
    expect([first, second].map(({ body }) => body.data.map((one: GermplasmValue) => one.source.name))).toEqual([
      ['c.csv'],
      ['a.csv'],
    ]);
    expect(second.body.next_cursor).toBeNull();
    const member = await product.person('without-projects');
    await product.services.db
      .insertInto('organization_members')
      .values({
        id: crypto.randomUUID(),
        organization_id: other.project.organizationId,
        user_id: member.userId,
        role: 'MEMBER',
      })
      .execute();
    expect((await member.call('GET', address)).body.data).toEqual([]);
  });

  test('a guest sees what the project uses', async () => {
    const guest = await product.person('guest-of-list');
    await product.join(place.project, guest, 'MEMBER');
    const address = `/projects/${place.project.projectId}/germplasms`;
    expect(namesIn(await guest.call('GET', address))).toEqual(['B73', 'Mo17']);
    expect(namesIn(await owner.call('GET', address))).toHaveLength(5);
    expect((await guest.call('GET', `${address}/${await idOf(place, 'H1')}`)).status).toBe(404);
    expect((await send(guest, address, ['name', 'X'])).status).toBe(403);
  });

  test('what is exported and uploaded again changes nothing', async () => {
    const csv = await owner.call('GET', `${place.address}/export?crop_id=${place.cropId}`);
    const before = await owner.call('GET', place.address);
    expect((await upload(place, csv.text.split('\r\n'), { existing: 'overwrite' })).status).toBe(201);
    expect((await owner.call('GET', place.address)).body).toEqual(before.body);
    const mcpd = await owner.call('GET', `${place.address}/export?crop_id=${place.cropId}&format=mcpd`);
    const [header = '', ...rows] = mcpd.text.split('\r\n').map((row: string) => row.split('\t'));
    expect(header.slice(0, 3)).toEqual(['PUID', 'INSTCODE', 'ACCENUMB']);
    expect(header).toHaveLength(41);
    expect(rows.map((row: string[]) => row[header.indexOf('ANCEST')])).toContain('B73/Mo17');
    expect((await upload(place, mcpd.text.split('\r\n'), { existing: 'keep' })).status).toBe(201);
    expect((await owner.call('GET', place.address)).body).toEqual(before.body);
  });

  test('passport data bring their parents to another list', async () => {
    const [from, to] = [await newPlace(), await newPlace()];
    await upload(from, ['name,mother,father', 'A,,', 'B,,', 'A/B,A,B', 'C,A/B,B', 'D,,C']);
    const address = `${from.address}/export?crop_id=${from.cropId}&format=mcpd`;
    const mcpd = await owner.call('GET', address);
    expect((await upload(to, mcpd.text.split('\r\n'))).status).toBe(201);
    const { body } = await owner.call('GET', to.address);
    expect(
      body.data.map(({ name, maternal, paternal, attributes }: Germplasm) => [
        ...[name, maternal?.name, paternal?.name, attributes['ANCEST']],
      ]),
    ).toEqual([
      ['A', undefined, undefined, undefined],
      ['A/B', 'A', 'B', undefined],
      ['B', undefined, undefined, undefined],
      ['C', 'A/B', 'B', undefined],
      ['D', undefined, 'C', undefined],
    ]);
    expect((await owner.call('GET', `${to.address}/export?crop_id=${to.cropId}&format=mcpd`)).text).toBe(mcpd.text);
  });
});

describe('renames that are kept as synonyms', () => {
  test('match in the next run; what is unclear or not in the list is refused, and nothing is stored', async () => {
    const place = await newPlace();
    await upload(place, ['name', 'Tx303', 'W22']);
    const { project } = place;
    const lines = vcfOf(['Tx303', 'W22', 'CML52']);
    const genotype = await product.uploadChecked(owner, project, {
      name: 'g.vcf',
      fileType: 'GENOTYPE',
      bytes: lines,
    });
    const phenotype = await product.uploadChecked(owner, project, {
      name: 'p.csv',
      fileType: 'PHENOTYPE',
      bytes: 'line,Yield\nTexas 303,1\nW22,2\nCML 52b,3\n',
    });
    const match = async () =>
      (
        await owner.call('POST', `${project.address}/match`, {
          genotype_id: genotype.id,
          phenotype_id: phenotype.id,
        })
      ).body;
    expect((await match()).both).toBe(1);
    const address = `${project.address}/germplasms/synonyms`;
    const pair = { from: 'Texas 303', to: 'Tx303' };
    const refused = await owner.call('POST', address, { pairs: [pair, { from: 'CML 52b', to: 'CML52' }] });
    expect([refused.status, refused.body.code, refused.body.invalid_params[0].name]).toEqual([
      409,
      'germplasm/name-unknown',
      'body.pairs.1',
    ]);
    expect((await match()).both).toBe(1);
    const other = await owner.call('POST', address, { pairs: [{ from: 'W22', to: 'Tx303' }] });
    expect(other.body.code).toBe('germplasm/name-taken');
    const kept = await owner.call('POST', address, { pairs: [pair] });
    expect(kept.body.data).toMatchObject([{ synonym: 'Texas 303', germplasm: { name: 'Tx303' } }]);
    expect(await match()).toMatchObject({
      both: 2,
      both_names: [{ left: 'Tx303', right: 'Texas 303', how: 'synonym' }, { left: 'W22' }],
    });
    // Again: nothing more is stored.
    expect((await owner.call('POST', address, { pairs: [pair] })).status).toBe(200);
    const { body } = await owner.call('GET', `${place.address}/${await idOf(place, 'Tx303')}`);
    expect(body.synonyms.map(({ name }: { name: string }) => name)).toEqual(['Texas 303']);
  });
});

describe('changing, merging and deleting', () => {
  test('a name that is taken, or nearly, is refused with its owner', async () => {
    const place = await newPlace();
    await upload(place, ['name,synonyms', 'A 1,', 'B,bee', 'C,']);
    const address = `${place.address}/${await idOf(place, 'C')}`;
    expect((await owner.call('PUT', address, { name: 'B' })).body.code).toBe('germplasm/name-taken');
    expect((await owner.call('PUT', address, { name: 'bee' })).body.code).toBe('germplasm/name-taken');
    expect((await owner.call('PUT', address, { synonyms: ['bee'] })).body.code).toBe('germplasm/name-taken');
    expect((await owner.call('PUT', address, { name: 'a-1' })).body.code).toBe('germplasm/name-alike');
    const done = await owner.call('PUT', address, { name: 'a-1', is_distinct: true, attributes: { origin: 'NL' } });
    expect(done.body).toMatchObject({ name: 'a-1', attributes: { origin: 'NL' } });
  });

  test('a parent that descends from the line is refused', async () => {
    const place = await newPlace();
    await upload(place, ['name,mother', 'A,', 'B,A', 'C,B']);
    const [a, c] = [await idOf(place, 'A'), await idOf(place, 'C')];
    const loop = await owner.call('PUT', `${place.address}/${a}`, { paternal_id: c });
    expect(loop.status).toBe(400);
    expect(loop.body.invalid_params[0].name).toBe('body.paternal_id');
  });

  test('a merge moves names and progeny to the one that stays, and can be undone', async () => {
    const place = await newPlace();
    await upload(place, ['name,collection,mother,synonyms', 'B73,,,', 'B-37,Old,,bee', 'C1,,B-37,', 'C2,,B73,']);
    const [kept, gone] = [await idOf(place, 'B73'), await idOf(place, 'B-37')];
    const before = await owner.call('GET', place.address);
    const merged = await owner.call('POST', `${place.address}/${gone}/merge`, { into_id: kept });
    expect(merged.status, merged.text).toBe(200);
    // The old id leads to the one that stays.
    const { body } = await owner.call('GET', `${place.address}/${gone}`);
    expect(body).toMatchObject({ id: kept, collection: 'Old', progeny_count: 2 });
    expect(body.synonyms.map(({ name }: { name: string }) => name)).toEqual(['B-37', 'bee']);
    expect(body.merged).toMatchObject([{ kind: 'MERGE', germplasm: { id: gone, name: 'B-37' } }]);

    const undone = await owner.call('POST', `${place.address}/changes/${merged.body.change_id}/undo`, {});
    expect(undone.status, undone.text).toBe(200);
    const after = await owner.call('GET', place.address);
    const plain = (answer: Answer) =>
      answer.body.data.map(({ name, collection, maternal, synonyms }: Germplasm) => [
        name,
        collection,
        maternal?.name ?? null,
        synonyms.map((one: { name: string }) => one.name),
      ]);
    expect(plain(after)).toEqual(plain(before));
    expect((await owner.call('POST', `${place.address}/changes/${merged.body.change_id}/undo`, {})).status).toBe(404);
  });

  test('a parent is not deleted; another line is, and comes back', async () => {
    const place = await newPlace();
    await upload(place, ['name,mother,synonyms', 'A,,', 'B,A,bee']);
    const [a, b] = [await idOf(place, 'A'), await idOf(place, 'B')];
    expect((await owner.call('DELETE', `${place.address}/${a}`)).body.code).toBe('germplasm/in-use');
    const gone = await owner.call('DELETE', `${place.address}/${b}`);
    expect(namesIn(await owner.call('GET', place.address))).toEqual(['A']);
    await owner.call('POST', `${place.address}/changes/${gone.body.change_id}/undo`, {});
    const { body } = await owner.call('GET', `${place.address}/${b}`);
    expect(body).toMatchObject({ name: 'B', maternal: { name: 'A' }, synonyms: [{ name: 'bee' }] });
  });
});
