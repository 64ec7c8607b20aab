import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Passport } from '@heterosis/contracts/data/passports';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { JPEG_2X1 } from '../../../platform/images/read-image.test-data.ts';
import { MAIZE, settledModel, until, uploadMaize } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, project } = await startProject();

beforeAll(async () => {
  const { db } = product.services;
  // CM37 is a child of B73 and Mo17; B73 has a parent of its own.
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name)
    select gen_random_uuid(), organization_id, crop_id, line, lower(line)
    from projects, unnest(array['BSSS', 'B73', 'Mo17', 'CM37']) as line where projects.id = ${project.projectId}
  `.execute(db);
  const parent = (name: string) => sql`(select id from germplasm where name = ${name})`;
  await sql`update germplasm set maternal_id = ${parent('BSSS')} where name = 'B73'`.execute(db);
  await sql`update germplasm set maternal_id = ${parent('B73')}, paternal_id = ${parent('Mo17')}
    where name = 'CM37'`.execute(db);
  await sql`insert into germplasm_synonyms (germplasm_id, crop_id, name, folded_name)
    select id, crop_id, 'Canada 37', 'canada37' from germplasm where name = 'CM37'`.execute(db);
});

const passportOf = async (line: string, person = owner): Promise<Passport> => {
  const { status, text, body } = await person.call(
    'GET',
    `${project.address}/passport?line=${encodeURIComponent(line)}`,
  );
  expect(status, text).toBe(200);
  return body;
};

test('a line is found by id, name and synonym, with its parents and theirs, and in no other project', async () => {
  const found = await passportOf('CM37');
  expect(found.maternal).toMatchObject({ name: 'B73', maternal: { name: 'BSSS' }, paternal: null });
  expect(found.paternal).toMatchObject({ name: 'Mo17', maternal: null });
  expect(await passportOf('Canada 37')).toEqual(found);
  expect(await passportOf(found.germplasm.id)).toEqual(found);
  expect((await passportOf('B73')).progeny_count).toBe(1);
  const page = await owner.call('GET', `${project.address}/germplasms/${encodeURIComponent('Canada 37')}`);
  expect(page.body.id).toBe(found.germplasm.id);
  const other = await product.project(await product.person('other'));
  for (const line of ['CM37', found.germplasm.id])
    expect((await other.owner.call('GET', `${other.address}/passport?line=${line}`)).status).toBe(404);
  expect((await owner.call('GET', `${project.address}/passport?line=Nobody`)).status).toBe(404);
});

test('stages are those that decisions gave, the latest first', async () => {
  const { db } = product.services;
  for (const [stage, at] of [
    ['PYT', '2025-03-01'],
    ['AYT', '2026-03-01'],
  ])
    await sql`insert into line_stages (id, project_id, germplasm_id, stage, set_at)
      select gen_random_uuid(), ${project.projectId}, id, ${stage}, ${at}::timestamptz
      from germplasm where name = 'CM37'`.execute(db);
  expect((await passportOf('CM37')).stages).toMatchObject([
    { stage: 'AYT', decision: null },
    { stage: 'PYT', decision: null },
  ]);
});

test('trials show the line beside the other checks, by the values that count', async () => {
  const scales = { Yield: { kind: 'numeric', min: 0, max: 99 }, Note: { kind: 'text' } };
  const traits = Object.entries(scales).map(([name, scale]) => ({
    ...{ name, scale, direction: 'higher', unit: null, weight: 1 },
  }));
  expect((await owner.call('PUT', `${project.address}/traits`, { traits })).status).toBe(200);
  const layout = {
    ...{ number: [1, 2, 3, 4, 5], row: [1, 1, 2, 2, 3], column: [1, 2, 1, 2, 1] },
    ...{ replicate: [1, 1, 2, 2, 1], block: [1, 1, 2, 2, 1], entry: [0, 1, 0, 2, 1] },
    kind: ['ENTRY', 'CHECK', 'ENTRY', 'ENTRY', 'CHECK'],
  };
  const made = await owner.call('POST', `${project.address}/trials`, {
    ...{ name: 'Kiel 2026', season: '2026', entries: ['CM37', 'B73', 'Mo17'], traits: ['Yield', 'Note'] },
    places: [{ location_name: 'Kiel', layout }],
  });
  expect(made.status, made.text).toBe(201);
  const address = `${project.address}/trials/${made.body.data[0].id}`;
  expect((await passportOf('CM37')).trials).toMatchObject([{ name: 'Kiel 2026', plots: [1, 3], observed: [] }]);
  await owner.call('PUT', address, { state: 'SOWN' });
  const seen = (plot: number, value: string, trait = 'Yield') => ({
    ...{ id: randomUUID(), plot, trait, value, observed_at: '2026-08-01T10:00:00.000Z' },
  });
  const wrong = seen(3, '70');
  const observations = [seen(1, '5'), wrong, seen(2, '4'), seen(5, '6'), seen(4, '10'), seen(1, 'NaN', 'Note')];
  expect((await owner.call('POST', `${address}/observations`, { observations })).status).toBe(200);
  await owner.call('POST', `${address}/observations/set_aside`, { observations: [wrong.id], reason: 'Hail' });
  const yieldOf = async (line: string) => (await passportOf(line)).trials[0]?.observed;
  expect(await yieldOf('CM37')).toEqual([
    { trait: 'Yield', mean: 5, plots: 1, check_mean: 5, check_plots: 2, trial_mean: 6.25 },
  ]);
  // A photo of a plot is one of its line, and of no other.
  const query = new URLSearchParams({ id: randomUUID(), plot: '3', note: 'Lodged', taken_at: '2026-08-02T10:00:00Z' });
  const photo = await product.app.inject({
    ...{ method: 'POST', url: `${address}/photos?${query}`, payload: JPEG_2X1 },
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'image/jpeg' },
  });
  expect(photo.statusCode, photo.body).toBe(200);
  expect(await passportOf('CM37')).toMatchObject({
    photo_count: 1,
    photos: [{ plot: 3, note: 'Lodged', trial: 'Kiel 2026', season: '2026', location_name: 'Kiel' }],
  });
  expect((await passportOf('B73')).photos).toEqual([]);
  // A check is not compared with itself.
  expect(await yieldOf('B73')).toMatchObject([{ mean: 5, plots: 2, check_mean: null, check_plots: 0 }]);
  await owner.call('DELETE', address);
  expect(await passportOf('CM37')).toMatchObject({ trials: [], photos: [], photo_count: 0 });
});

test('lists, crosses and the genotype at the strongest marker are those of the files', async () => {
  const maize = await uploadMaize(product, project);
  const list = { name: 'Testers', kind: 'germplasm', members: ['Canada 37', 'B73'] };
  await owner.call('POST', `${project.address}/lists`, list);
  await product.uploadChecked(owner, project, {
    ...{ name: 'crosses.csv', fileType: 'CROSSING_TABLE', bytes: 'female,male\nCM37,B73\nB73,MO17\n' },
  });
  const inputs = { genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id };
  const { body: gwas } = await owner.call('POST', `${project.address}/gwas`, {
    ...{ name: 'Height', traits: ['EarHT'] },
    ...inputs,
  });
  await until(
    async () => (await owner.call('GET', `${project.address}/gwas/${gwas.id}`)).body.status,
    ({ EarHT }) => EarHT !== 'PROCESSING',
  );
  const found = await passportOf('CM37');
  expect(found.lists).toMatchObject([{ name: 'Testers' }]);
  expect(found.crosses).toMatchObject([{ parents: ['CM37', 'B73'], file: { name: 'crosses.csv' } }]);
  expect(found.values.data).toContainEqual(
    expect.objectContaining({ estimate: 'mean', trait: 'EarHT', se: null, percentile: null }),
  );
  const [locus] = found.loci;
  expect(locus).toMatchObject({ run: { id: gwas.id, name: 'Height' }, trait: 'EarHT' });
  const { head, rowOf, inRegion } = await readVcf();
  const row = rowOf(locus?.marker ?? '');
  const written = allelesOf(row, head.indexOf('CM37'));
  expect(locus?.genotype?.split('/').toSorted()).toEqual(written.toSorted());
  expect(locus?.copies).toBe(written.filter((allele) => allele === locus?.effect_allele).length);

  // Loci that are chosen for the project: a marker, and a region around it.
  expect(found.chosen).toBeNull();
  const { genotype } = maize;
  const [marker, chr, pos] = [locus?.marker ?? '', row[0] ?? '', Number(row[1])];
  const region = `${chr}:${pos - 2_000_000}-${pos + 2_000_000}`;
  const loci = `${project.address}/passport_loci`;
  const unknown = await owner.call('PUT', loci, { genotype_id: genotype.id, loci: [marker, 'nothing'] });
  expect([unknown.status, unknown.body.code]).toEqual([400, 'passports/unknown-loci']);
  expect(unknown.body.detail).toContain('"nothing"');
  const chosen = await owner.call('PUT', loci, { genotype_id: genotype.id, loci: [marker, region] });
  const within = inRegion(chr, pos - 2_000_000, pos + 2_000_000);
  expect(chosen.body, chosen.text).toMatchObject({
    ...{ genotype: { id: genotype.id }, loci: [marker, region], markers: 1 + within.length },
    chosen_by: expect.any(String),
  });
  expect((await owner.call('GET', loci)).body).toEqual(chosen.body);
  const model = await owner.call('POST', `${project.address}/models`, {
    ...{ name: 'GEBV', traits: ['EarHT'], model_type: 'RRBLUP', n_fold: 2, n_repetition: 1, ...inputs },
  });
  expect(model.status, model.text).toBe(201);
  await owner.call('PUT', `${project.address}/traits`, {
    traits: [{ name: 'EarHT', direction: 'lower', unit: 'cm', weight: 1 }],
  });
  const shown = await until(
    () => passportOf('CM37'),
    (one) => one.chosen?.loci[0]?.markers[0]?.effects.length === 1,
    60_000,
  );
  expect(shown.chosen).toMatchObject({ genotype: { id: genotype.id }, individual: 'CM37' });
  const [single, around] = shown.chosen?.loci ?? [];
  expect(single?.markers[0]?.genotype?.split('/').toSorted()).toEqual(written.toSorted());
  expect(around?.markers.map((one) => one.marker)).toEqual(within.map((one) => one[2]));
  for (const [k, one] of within.entries()) {
    const alleles = allelesOf(one, head.indexOf('CM37'));
    const genotypeThere = around?.markers[k]?.genotype ?? null;
    expect(genotypeThere?.split('/').toSorted()).toEqual(alleles.includes('.') ? undefined : alleles.toSorted());
  }
  const others = head.flatMap((name, at) => (at > 8 && name !== 'CM37' ? [at] : []));
  const isAlike = (rows: string[][], at: number) =>
    rows.every((one) => {
      const own = allelesOf(one, head.indexOf('CM37')).toSorted().join();
      return own.includes('.') || own === allelesOf(one, at).toSorted().join();
    });
  expect(single?.alike).toBe(others.filter((at) => isAlike([row], at)).length);
  expect(around?.alike).toBe(others.filter((at) => isAlike(within, at)).length);
  // The wanted allele of a model is the one that lowers the ear.
  const [effect] = single?.markers[0]?.effects ?? [];
  expect(effect).toMatchObject({ kind: locus?.is_significant ? 'gwas' : 'model', trait: 'EarHT' });
  expect(effect?.effect).toBeLessThan(0);
  const isEffectAllele = effect?.favourable === locus?.effect_allele;
  if (locus?.is_significant) expect(isEffectAllele).toBe((locus.effect ?? 0) < 0);
  expect(row.slice(3, 5)).toContain(effect?.favourable);
  // A marker that no GWAS finds is as the model has it, if its effect is large.
  await settledModel(owner, project, model.body.id);
  const effects = await owner.call(
    'GET',
    `${project.address}/models/${model.body.id}/effects?trait=EarHT&sort=-abs_effect&limit=500`,
  );
  const large = effects.body.data.find(({ id }: { id: string }) => id !== marker);
  const small = effects.body.data.at(-1);
  await owner.call('PUT', loci, { genotype_id: genotype.id, loci: [large.id, small.id] });
  const [told, untold] = (await passportOf('CM37')).chosen?.loci.flatMap((one) => one.markers) ?? [];
  expect(told?.effects).toMatchObject([
    { kind: 'model', trait: 'EarHT', favourable: large.additive < 0 ? large.A2 : large.A1 },
  ]);
  expect(told?.effects[0]?.effect).toBeCloseTo(-Math.abs(large.additive), 10);
  expect(untold?.effects).toEqual([]);
  // B73 is in the project too, another project has chosen nothing, and no loci end it.
  expect((await passportOf('B73')).chosen?.loci).toHaveLength(2);
  expect((await owner.call('PUT', loci, { genotype_id: genotype.id, loci: [] })).body.genotype).toBeNull();
  expect((await passportOf('CM37')).chosen).toBeNull();
});

/** The text of the maize genotypes as cells. */
async function readVcf() {
  const text = gunzipSync(await readFile(join(MAIZE, 'genotypes.vcf.gz'))).toString();
  const cells = text.split('\n').map((line) => line.split('\t'));
  const rows = cells.filter(([chr]) => chr !== '' && !chr?.startsWith('#'));
  return {
    head: cells.find(([first]) => first === '#CHROM') ?? [],
    rowOf: (marker: string) => rows.find((one) => one[2] === marker) ?? [],
    inRegion: (chr: string, start: number, end: number) =>
      rows.filter((one) => one[0] === chr && Number(one[1]) >= start && Number(one[1]) <= end),
  };
}

/** The alleles of an individual at a row of the VCF; `.` where it is not called. */
const allelesOf = (row: readonly string[], column: number): string[] =>
  (row[column] ?? '')
    .split(':', 1)
    .flatMap((call) =>
      call.split(/[/|]/).map((allele) => (allele === '.' ? '.' : ([row[3], row[4]][Number(allele)] ?? '.'))),
    );
