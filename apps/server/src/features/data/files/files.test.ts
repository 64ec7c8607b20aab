import { gzipSync } from 'node:zlib';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { openZip } from '@heterosis/file-formats/compression/zip-archive';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../../../platform/http/problem.ts';
import {
  download,
  type Person,
  type Product,
  type Project,
  put,
  SMALL_PHENOTYPE,
  SMALL_VCF,
  settledFile,
  startProduct,
  until,
} from '../../../testing/product.ts';
import { sweepBin } from '../../work/runs/sweep/index.ts';
import { sweepUploads } from './index.ts';

let product: Product;
let owner: Person;
let member: Person;
let outsider: Person;
let project: Project;

beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  member = await product.person('max');
  outsider = await product.person('otto');
  project = await product.project(owner);
  await product.project(outsider);
  await product.join(project, member, 'MEMBER');
});
afterAll(() => product.close());

const files = () => `${project.address}/files`;
const folders = () => `${project.address}/folders`;

const genotype = (name: string, bytes: string | Uint8Array) => ({ name, fileType: 'GENOTYPE' as const, bytes });
const phenotype = (name: string, bytes = SMALL_PHENOTYPE) => ({ name, fileType: 'PHENOTYPE' as const, bytes });

describe('folders', () => {
  const make = async (name: string, folder_id: string | null = null, person = owner) =>
    (await person.call('POST', folders(), { name, folder_id })).body;

  test('a folder knows its path from the root, and lists are by name, at the root or inside a folder', async () => {
    const season = await make('2026');
    const site = await make('Bonn', season.id);
    await make('Aachen', season.id);
    expect(site.path).toEqual([
      { id: season.id, name: '2026' },
      { id: site.id, name: 'Bonn' },
    ]);
    const inside = await owner.call('GET', `${folders()}?folder_id=${season.id}`);
    expect(inside.body.data.map(({ name }: { name: string }) => name)).toEqual(['Aachen', 'Bonn']);
    const root = await owner.call('GET', `${folders()}?root=true`);
    expect(root.body.data.map(({ name }: { name: string }) => name)).toEqual(['2026']);
    const first = await owner.call('GET', `${folders()}?limit=2`);
    const second = await owner.call('GET', `${folders()}?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ name }: { name: string }) => name)).toEqual([
      '2026',
      'Aachen',
      'Bonn',
    ]);
    expect(second.body.next_cursor).toBeNull();
  });

  test('pages of a list lose no name, whatever its letters become in lower case', async () => {
    // The lower case of the first two differs between JavaScript and PostgreSQL.
    const names = ['İa', 'ΟΔΟΣ', 'ib', 'οδοςa', 'Zz'];
    const within = await make('letters');
    for (const name of names) await make(name, within.id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await owner.call('GET', `${folders()}?folder_id=${within.id}&limit=1${cursor}`);
      seen.push(...body.data.map(({ name }: { name: string }) => name));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '' && seen.length <= names.length);
    expect(seen.toSorted()).toEqual(names.toSorted());
  });

  test('a folder is renamed and moved, but never into itself or below itself', async () => {
    const parent = await make('parent');
    const child = await make('child', parent.id);
    const renamed = await owner.call('PUT', `${folders()}/${child.id}`, { name: 'kid' });
    expect(renamed.body).toMatchObject({ name: 'kid', folder_id: parent.id });
    const moved = await owner.call('PUT', `${folders()}/${child.id}`, { folder_id: null });
    expect(moved.body.path).toHaveLength(1);
    await owner.call('PUT', `${folders()}/${child.id}`, { folder_id: parent.id });
    for (const target of [parent.id, child.id]) {
      const refused = await owner.call('PUT', `${folders()}/${parent.id}`, { folder_id: target });
      expect([refused.status, refused.body.code]).toEqual([400, 'folders/inside-itself']);
    }
  });

  test('two folders that are moved into each other at once do not make a ring', async () => {
    const [left, right] = [await make('left'), await make('right')];
    const answers = await Promise.all([
      owner.call('PUT', `${folders()}/${left.id}`, { folder_id: right.id }),
      owner.call('PUT', `${folders()}/${right.id}`, { folder_id: left.id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('a name is taken whatever its case, an empty name is refused, and only an empty folder is deleted', async () => {
    const folder = await make('Taken');
    expect((await owner.call('POST', folders(), { name: 'tAKEN' })).body.code).toBe('folders/name-taken');
    expect((await owner.call('POST', folders(), { name: '  ' })).status).toBe(400);
    const inner = await make('inner', folder.id);
    const refused = await owner.call('DELETE', `${folders()}/${folder.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'folders/not-empty']);
    expect((await owner.call('DELETE', `${folders()}/${inner.id}`)).status).toBe(204);
    expect((await owner.call('DELETE', `${folders()}/${folder.id}`)).status).toBe(204);
    expect((await owner.call('GET', `${folders()}/${folder.id}`)).status).toBe(404);
    expect((await make('Taken')).name).toBe('Taken');
  });

  test('members change only what they made; outsiders find nothing', async () => {
    const folder = await make('of the owner');
    expect((await member.call('PUT', `${folders()}/${folder.id}`, { name: 'x' })).status).toBe(403);
    expect((await member.call('DELETE', `${folders()}/${folder.id}`)).status).toBe(403);
    const own = await make('of the member', null, member);
    expect((await member.call('PUT', `${folders()}/${own.id}`, { name: 'mine' })).status).toBe(200);
    expect((await owner.call('DELETE', `${folders()}/${own.id}`)).status).toBe(204);
    expect((await outsider.call('GET', `${folders()}/${folder.id}`)).status).toBe(404);
  });
});

describe('uploads', () => {
  test('three steps make a file that is checked, described and given back untouched', async () => {
    const file = await product.uploadChecked(member, project, phenotype('trial.csv'));
    expect(file).toMatchObject({
      status: 'READY_WITH_WARNINGS',
      row_count: 6,
      column_count: 1,
      format: 'wide',
      created_by: 'max@example.org',
      meta: { traits: ['Yield'], groups: [], codes: [] },
      size_bytes: SMALL_PHENOTYPE.length,
      progress: null,
    });
    expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    const original = await download(product.app, file.meta.file_url ?? '');
    expect(original.text).toBe(SMALL_PHENOTYPE);
    expect(original.headers).toMatchObject({ 'content-disposition': expect.stringContaining('trial.csv') });
    const rows = await member.call('GET', `${files()}/${file.id}/rows?sort=-Yield&limit=2`);
    expect(rows.body).toMatchObject({
      traits: ['Yield'],
      total: 6,
      data: [
        { individual: 'L7', values: [9.9] },
        { individual: 'L3', values: [7.3] },
      ],
    });
    const next = await member.call(
      'GET',
      `${files()}/${file.id}/rows?sort=-Yield&limit=9&cursor=${rows.body.next_cursor}`,
    );
    expect(next.body.data).toHaveLength(4);
    expect((await member.call('GET', `${files()}/${file.id}/rows?search=l7`)).body.total).toBe(1);
    expect((await member.call('GET', `${files()}/${file.id}/rows?sort=nothing`)).status).toBe(400);
    const qc = await member.call('GET', `${files()}/${file.id}/qc`);
    expect(qc.body).toMatchObject({ kind: 'phenotype', individuals: 6, traits: [{ name: 'Yield', n: 6 }] });
  });

  test('a genotype gets its lists, figures and linkage-map template', async () => {
    const file = await product.uploadChecked(owner, project, {
      name: 'panel.vcf',
      fileType: 'GENOTYPE',
      bytes: SMALL_VCF,
    });
    expect(file).toMatchObject({ format: 'vcf', row_count: 6, column_count: 4 });
    const samples = await download(product.app, file.meta.samples_url ?? '');
    expect(samples.text).toContain('L4');
    for (const url of [file.meta.contigs_url, file.meta.snpids_url, file.meta.linkmaptemp_url, file.meta.qc_url])
      expect((await download(product.app, url ?? '')).status).toBe(200);
    const markers = await download(product.app, file.meta.marker_qc_url ?? '');
    expect(markers.headers).toMatchObject({ 'content-disposition': expect.stringContaining('panel_marker_qc.csv') });
    expect(markers.text.split('\n')).toHaveLength(1 + 4 + 1);
    expect(markers.text).toMatch(/^chr,pos,id,A1,A2,freqA2,maf,call_rate,het,hwe_p,.*\n1,100,m1,/);
    const individuals = await download(product.app, file.meta.sample_qc_url ?? '');
    expect(individuals.text.split('\n')).toHaveLength(1 + 6 + 1);
    const qc = await owner.call('GET', `${files()}/${file.id}/qc`);
    expect(qc.body).toMatchObject({
      kind: 'genotype',
      samples: 6,
      markers: 4,
      hwe: { below_1e_6: 0 },
      duplicate_search: { skipped: 'few-markers' },
    });
    const template = await owner.call('GET', `${files()}/${file.id}/linkage_map_template?mode=1&bp_per_cm=100`);
    expect(template.text.split('\n').slice(1, 3)).toEqual(['chr,physPos,SNPid,linkMapPos', '1,100,m1,1']);
    const blank = await owner.call('GET', `${files()}/${file.id}/linkage_map_template?mode=2`);
    expect(blank.text.split('\n')[2]).toBe('1,100,m1,');
    expect((await owner.call('GET', `${files()}/${file.id}/rows`)).body.code).toBe('files/wrong-type');
  });

  test('checked genotypes are handed out in other formats, which can be uploaded again', async () => {
    const file = await product.uploadChecked(owner, project, genotype('export me.vcf', SMALL_VCF));
    const get = (format: string) => owner.call('GET', `${files()}/${file.id}/export?format=${format}`);
    const hapmap = await get('hapmap');
    expect(hapmap.headers['content-disposition']).toContain('export me.hmp.txt');
    expect(hapmap.text.split('\n')[1]).toBe('m1\tA/C\t1\t100\t+\tNA\tNA\tNA\tNA\tNA\tNA\tAA\tAC\tCC\tAA\tCC\tAC');
    const numbers = await get('numeric');
    expect(numbers.text.split('\n').slice(0, 3)).toEqual(['sample,m1,m2,m3,m4', 'L1,0,0,2,1', 'L2,1,0,1,1']);
    expect((await get('numeric_by_marker')).text.split('\n')[1]).toBe('m1,1,100,A,C,0,1,2,0,2,1');
    for (const [format, ending] of [
      ['vcf', '.vcf.gz'],
      ['plink', '.zip'],
    ] as const) {
      const answer = await product.app.inject({
        url: `${files()}/${file.id}/export?format=${format}`,
        headers: { authorization: `Bearer ${owner.token}` },
      });
      expect(answer.statusCode).toBe(200);
      const again = await product.uploadChecked(owner, project, genotype(`again${ending}`, answer.rawPayload));
      expect(again.status).toMatch(/^READY/);
      const exported = await owner.call('GET', `${files()}/${again.id}/export?format=numeric`);
      expect(exported.text).toBe(numbers.text);
    }
    for (const format of ['plink_text', 'flapjack']) {
      const answer = await product.app.inject({
        url: `${files()}/${file.id}/export?format=${format}`,
        headers: { authorization: `Bearer ${owner.token}` },
      });
      expect(answer.headers['content-disposition']).toContain('export me.zip');
      const again = await product.uploadChecked(owner, project, genotype(`${format}.zip`, answer.rawPayload));
      expect(again).toMatchObject({ status: expect.stringMatching(/^READY/), row_count: 6, column_count: 4 });
    }
    expect((await get('xlsx')).body.code).toBe('request/invalid');
    const table = await product.uploadChecked(owner, project, phenotype('not-genotypes.csv', SMALL_PHENOTYPE));
    const wrong = await owner.call('GET', `${files()}/${table.id}/export?format=vcf`);
    expect(wrong.body.code).toBe('files/wrong-type');
  });

  test('a format that cannot hold the alleles is refused with what to do', async () => {
    const text = 'marker,chrom,pos,A,B,C\nm1,1,5,0,1,2\n';
    const file = await product.uploadChecked(owner, project, genotype('numbers.csv', text));
    const refused = await owner.call('GET', `${files()}/${file.id}/export?format=hapmap`);
    expect([refused.status, refused.body.code]).toEqual([422, 'files/format-cannot-hold']);
    expect(refused.body.detail).toContain('Export VCF');
  });

  test('every planted error of a file is reported with its line, as page and as table, and nothing is made of the file', async () => {
    const bad = 'line,Yield,Height\nL1,5.1,x\nL1,6.2,3\n,7,4\nL4,abc,5\n';
    const file = await product.uploadChecked(owner, project, phenotype('bad.csv', bad));
    expect(file).toMatchObject({ status: 'INVALID', row_count: null, meta: { traits: [] } });
    const report = await owner.call('GET', `${files()}/${file.id}/problems?severity=error`);
    expect(report.body.data.map(({ code, line }: { code: string; line: number }) => [code, line])).toEqual(
      expect.arrayContaining([
        ['E-PH-NAME-EMPTY', 4],
        ['E-PH-NOT-NUMBER', 5],
      ]),
    );
    expect(report.body.totals.errors).toBe(file.problem_totals.errors);
    const first = await owner.call('GET', `${files()}/${file.id}/problems?limit=1`);
    const second = await owner.call('GET', `${files()}/${file.id}/problems?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.data[0]).not.toEqual(first.body.data[0]);
    const table = await owner.call('GET', `${files()}/${file.id}/problems.csv`);
    expect(table.text.split('\n')[0]).toBe('severity,code,line,column,value,message,suggestion');
    expect((await owner.call('GET', `${files()}/${file.id}/qc`)).body.code).toBe('files/no-preview');
  });

  test('a variant under two ids is refused with the choice to keep both, as `heterosis import` does', async () => {
    const row = (id: string) => `1\t50\t${id}\tA\tC\t.\t.\t.\tGT\t0/0\t0/1\t1/1`;
    const head = ['##fileformat=VCFv4.2', '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tL1\tL2\tL3'];
    const bytes = `${[...head, row('probe1'), row('probe2')].join('\n')}\n`;
    const file = await product.uploadChecked(owner, project, { name: 'probes.vcf', fileType: 'GENOTYPE', bytes });
    expect(file.status).toBe('INVALID');
    const { data } = (await owner.call('GET', `${files()}/${file.id}/problems`)).body;
    expect(data).toContainEqual(
      expect.objectContaining({ code: 'E-GT-DUP-POS', suggestion: expect.stringContaining('choose to keep both') }),
    );
    const again = await owner.call('POST', `${files()}/${file.id}/check`, { keep_duplicate_positions: true });
    expect(again.status).toBe(200);
    const kept = await until(
      async () => (await owner.call('GET', `${files()}/${file.id}`)).body,
      ({ status }) => status.startsWith('READY'),
    );
    expect(kept).toMatchObject({ status: 'READY_WITH_WARNINGS', column_count: 2 });
  });

  test('dosages beside calls are read when that is chosen, as by `heterosis import --dosages`, and calls again', async () => {
    const head = ['##fileformat=VCFv4.2', '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tL1\tL2\tL3'];
    const bytes = `${[...head, '1\t50\tm1\tA\tC\t.\t.\t.\tGT:DS\t0/0:0.25\t0/1:1\t1/1:1.75'].join('\n')}\n`;
    const file = await product.uploadChecked(owner, project, { name: 'imputed.vcf', fileType: 'GENOTYPE', bytes });
    expect(file.fractional_dosages).toBeNull();
    const { data } = (await owner.call('GET', `${files()}/${file.id}/problems`)).body;
    expect(data).toContainEqual(expect.objectContaining({ code: 'I-GT-DOSAGE-UNUSED' }));
    for (const [prefer_dosages, fractional] of [
      [true, { calls: 2, markers: 1 }],
      [false, null],
    ] as const) {
      expect((await owner.call('POST', `${files()}/${file.id}/check`, { prefer_dosages })).status).toBe(200);
      const read = await until(
        async () => (await owner.call('GET', `${files()}/${file.id}`)).body,
        ({ status }) => status.startsWith('READY'),
      );
      expect(read.fractional_dosages).toEqual(fractional);
    }
  });

  test('calls of one allele among calls of two are read as homozygous when that is chosen', async () => {
    const head = ['##fileformat=VCFv4.2', '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tL1\tL2\tL3'];
    const bytes = `${[...head, '1\t50\tm1\tA\tC\t.\t.\t.\tGT\t0/1\t1\t0/0'].join('\n')}\n`;
    const file = await product.uploadChecked(owner, project, { name: 'dh.vcf', fileType: 'GENOTYPE', bytes });
    expect(file.status).toBe('INVALID');
    const again = await owner.call('POST', `${files()}/${file.id}/check`, { haploid_as_homozygous: true });
    expect(again.status).toBe(200);
    const read = await until(
      async () => (await owner.call('GET', `${files()}/${file.id}`)).body,
      ({ status }) => status.startsWith('READY'),
    );
    expect(read).toMatchObject({ status: 'READY_WITH_WARNINGS', row_count: 3, column_count: 1 });
  });

  test('an invalid file becomes ready when it is checked again with other choices', async () => {
    const repeated = 'line,Yield\nL1,1\nL1,3\nL2,5\n';
    const file = await product.uploadChecked(owner, project, phenotype('repeated.csv', repeated));
    expect(file.status).toBe('INVALID');
    const again = await owner.call('POST', `${files()}/${file.id}/check`, { average_repeated_rows: true });
    expect(again.status).toBe(200);
    const checked = await until(
      async () => (await owner.call('GET', `${files()}/${file.id}`)).body,
      ({ status }) => status.startsWith('READY'),
    );
    expect(checked.row_count).toBe(2);
    const rows = await owner.call('GET', `${files()}/${file.id}/rows`);
    expect(rows.body.data[0]).toEqual({ individual: 'L1', values: [2], observations: [2] });
  });

  test('a trial has adjusted means with errors, components and both H², as a table too', async () => {
    const rows = Array.from({ length: 80 }, (_, row) => {
      const [line, site, rep] = [Math.floor(row / 4), Math.floor(row / 2) % 2, row % 2];
      return `L${line},S${site},${rep + 1},${line + 4 * site + rep + ((row * 7) % 5) / 4 + ((line * 3 + site) % 4)}`;
    });
    const bytes = `${['line,site,rep,Yield (t/ha)', ...rows, 'Stray,S1,9,3'].join('\n')}\n`;
    const file = await product.uploadChecked(owner, project, phenotype('trial with plots.csv', bytes));
    expect(file.status).toBe('READY_WITH_WARNINGS');
    const address = `${files()}/${file.id}`;
    const { means } = (await owner.call('GET', `${address}/qc`)).body;
    expect(means).toHaveLength(1);
    const [summary] = means;
    expect(summary).toMatchObject({
      trait: 'Yield',
      model: 'line + environment + replicate in environment',
      n: 20,
      not_estimable: 1,
      without_components: null,
    });
    // Balanced: both estimates of H² are one number.
    expect(summary.h2_cullis).toBeCloseTo(summary.h2_entry_mean, 8);
    const table = await owner.call('GET', `${address}/means?trait=Yield`);
    expect(table.body.data).toHaveLength(21);
    expect(table.body.data[20]).toEqual({ individual: 'Stray', n: 1, mean: null, se: null, flag: 'not_estimable' });
    const [first] = table.body.data;
    expect(first.se).toBeCloseTo(Math.sqrt(summary.residual.variance / 4), 9);
    expect(table.body.environments.map(({ name, n }: { name: string; n: number }) => [name, n])).toEqual([
      ['S0', 40],
      ['S1', 41],
    ]);
    const csv = await owner.call('GET', `${address}/means.csv`);
    expect(csv.text.split('\n').slice(0, 2)).toEqual([
      'id,trait,n,mean,se,flag',
      `L0,Yield,4,${first.mean},${first.se},`,
    ]);
    expect((await owner.call('GET', `${address}/means?trait=Height`)).status).toBe(400);
  });

  test('the coding of a numeric matrix is asked for, and confirmed or chosen anew', async () => {
    const text = 'marker,chrom,pos,REF,ALT,A,B,C\nm1,1,5,A,C,0,1,1\nm2,1,9,G,T,1,0,1\n';
    const file = await product.uploadChecked(owner, project, genotype('zero one.csv', text));
    const fits = ['0/1/2', '-1/0/1', '0/1'];
    expect(file.numeric_coding).toEqual({ coding: '0/1', fits, confirmed: false });
    const address = `${files()}/${file.id}`;
    const numbers = async () => (await owner.call('GET', `${address}/export?format=numeric`)).text.split('\n')[1];
    expect(await numbers()).toBe('A,0,2');

    // Confirming the inferred coding needs no reading: the question disappears at once, even if results depend on the
    // file.
    const warnings = file.problem_totals.warnings;
    const confirmed = await owner.call('POST', `${address}/check`, { numeric_coding: '0/1' });
    expect(confirmed.body).toMatchObject({
      numeric_coding: { coding: '0/1', fits, confirmed: true },
      problem_totals: { warnings: warnings - 1 },
    });
    expect(confirmed.body.status).toMatch(/^READY/);
    expect((await owner.call('GET', `${address}/problems`)).body.by_code).not.toHaveProperty('W-GT-CODING');

    const chosen = await owner.call('POST', `${address}/check`, { numeric_coding: '0/1/2' });
    expect(chosen.body.status).toBe('UPLOADED');
    const read = await settledFile(owner, project, file.id);
    expect(read).toMatchObject({
      numeric_coding: { coding: '0/1/2', confirmed: true },
      problem_totals: { warnings: warnings - 1 },
    });
    expect(await numbers()).toBe('A,0,1');

    // Checking again keeps the choice; null infers it again.
    await owner.call('POST', `${address}/check`, {});
    expect((await settledFile(owner, project, file.id)).numeric_coding?.coding).toBe('0/1/2');
    await owner.call('POST', `${address}/check`, { numeric_coding: null });
    expect((await settledFile(owner, project, file.id)).numeric_coding).toMatchObject({
      coding: '0/1',
      confirmed: false,
    });

    expect((await owner.call('POST', `${address}/check`, { numeric_coding: '0/1/3' })).status).toBe(400);
    const vcf = await product.uploadChecked(owner, project, genotype('no numbers.vcf', SMALL_VCF));
    expect(vcf.numeric_coding).toBeNull();
  });

  test('a coding that does not hold the numbers is refused with those that do, and another can be chosen then', async () => {
    const file = await product.uploadChecked(owner, project, genotype('copies.csv', 'id,m1,m2\na,0,2\nb,1,0\nc,2,1\n'));
    const check = (numeric_coding: string) => owner.call('POST', `${files()}/${file.id}/check`, { numeric_coding });
    await check('-1/0/1');
    const refused = await settledFile(owner, project, file.id);
    expect(refused).toMatchObject({
      status: 'INVALID',
      numeric_coding: { coding: null, fits: ['0/1/2'], confirmed: false },
    });
    await check('0/1/2');
    expect(await settledFile(owner, project, file.id)).toMatchObject({
      status: expect.stringMatching(/^READY/),
      numeric_coding: { coding: '0/1/2', confirmed: true },
    });
  });

  test('linkage maps and crossing tables are checked too, a file of no type is just kept', async () => {
    const map = await product.uploadChecked(owner, project, {
      name: 'map.csv',
      fileType: 'LINKAGE_MAP',
      bytes: 'SNPid,chr,physPos,linkMapPos (cM)\nm1,1,100,0\nm2,1,200,80.5\n',
    });
    expect(map.status).toMatch(/^READY/);
    expect((await owner.call('GET', `${files()}/${map.id}/qc`)).body).toMatchObject({
      kind: 'linkage_map',
      markers: 2,
    });
    const crosses = await product.uploadChecked(owner, project, {
      name: 'crosses.csv',
      fileType: 'CROSSING_TABLE',
      bytes: 'female,male\nL1,L2\nL3,L4\n',
    });
    expect((await owner.call('GET', `${files()}/${crosses.id}/qc`)).body.crosses).toHaveLength(2);
    const notes = await product.upload(owner, project, { name: 'notes.txt', fileType: null, bytes: 'hello' });
    expect(notes.status).toBe('READY');
    expect(
      await until(
        async () => (await owner.call('GET', `${files()}/${notes.id}`)).body.sha256,
        (sha256) => sha256 !== null,
      ),
    ).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    const typed = await owner.call('POST', `${files()}/${notes.id}/check`, {});
    expect(typed.status).toBe(400);
  });

  test('a body that was cut, that never came or that is too large makes no file', async () => {
    const link = await owner.call('POST', `${files()}/upload_link`, { content_type: 'text/plain', size_bytes: 10 });
    const make = () =>
      owner.call('POST', files(), { name: 'cut.csv', file_id: link.body.file_id, file_type: 'PHENOTYPE' });
    expect([(await make()).status, (await make()).body.code]).toEqual([409, 'files/not-uploaded']);
    // The address takes the bytes that were announced, which the quota counts, and no others.
    for (const other of ['12345', 'line,Y\nA,1\n'])
      expect(await put(product.app, link.body.put_url, Buffer.from(other))).toBe(400);
    expect((await make()).body.code).toBe('files/not-uploaded');
    // Nor does a file, whatever a bucket took.
    for (const other of ['12345', 'line,Y\nA,1\n']) {
      await product.services.storage.put(`uploads/${link.body.file_id}`, Buffer.from(other));
      expect(await make()).toMatchObject({
        status: 400,
        body: { code: 'files/upload-incomplete', detail: expect.stringContaining(`${other.length} bytes arrived`) },
      });
    }
    expect((await make()).body.code).toBe('files/not-uploaded');
    await put(product.app, link.body.put_url, Buffer.from('line,Y\nA,1'));
    expect((await make()).status).toBe(201);

    const large = await owner.call('POST', `${files()}/upload_link`, { size_bytes: 11 * 1024 ** 3 });
    expect([large.status, large.body.code]).toEqual([413, 'request/too-large']);
    expect((await owner.call('GET', `${files()}?search=cut`)).body.data).toHaveLength(1);
  });

  test('a taken name refuses the file but keeps its bytes, so another name is enough', async () => {
    await product.upload(owner, project, phenotype('twice.csv'));
    const link = await owner.call('POST', `${files()}/upload_link`, { content_type: 'text/plain' });
    await put(product.app, link.body.put_url, Buffer.from(SMALL_PHENOTYPE));
    const body = { file_id: link.body.file_id, file_type: 'PHENOTYPE' };
    const refused = await owner.call('POST', files(), { ...body, name: 'Twice.CSV' });
    expect([refused.status, refused.body.code]).toEqual([409, 'files/name-taken']);
    expect((await owner.call('POST', files(), { ...body, name: 'thrice.csv' })).status).toBe(201);
    expect((await owner.call('POST', files(), { ...body, name: 'again.csv' })).status).toBe(404);
  });

  test('what somebody else uploads is not for the taking, and a bad body is refused', async () => {
    const link = await owner.call('POST', `${files()}/upload_link`, { content_type: 'text/plain' });
    await put(product.app, link.body.put_url, Buffer.from('x'));
    expect((await member.call('POST', files(), { name: 'mine', file_id: link.body.file_id })).status).toBe(404);
    expect((await owner.call('POST', files(), { name: '', file_id: link.body.file_id })).status).toBe(400);
    expect((await owner.call('POST', files(), { name: 'x', file_id: 'no id' })).status).toBe(400);
    expect((await owner.call('POST', `${files()}/upload_link`, { folder_id: link.body.file_id })).status).toBe(404);
    expect((await outsider.call('POST', `${files()}/upload_link`, {})).status).toBe(404);
  });

  test('a gzip that inflates without end is an error of the file, not of the server', { tags: 'whole' }, async () => {
    const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, 'a'));
    const file = await product.uploadChecked(owner, project, {
      name: 'bomb.csv.gz',
      fileType: 'PHENOTYPE',
      bytes: bomb,
    });
    expect(file.status).toBe('INVALID');
    expect((await owner.call('GET', `${files()}/${file.id}/problems`)).body.by_code).toHaveProperty('E-TOO-LARGE');
  });
});

describe('files', () => {
  test('a file is renamed, moved, described and found by type and text', async () => {
    const folder = (await owner.call('POST', folders(), { name: 'archive' })).body;
    const file = await product.uploadChecked(owner, project, phenotype('old name.csv'));
    const changed = await owner.call('PUT', `${files()}/${file.id}`, {
      name: 'new 100%.csv',
      folder_id: folder.id,
      description: 'From the field book',
    });
    expect(changed.body).toMatchObject({
      name: 'new 100%.csv',
      description: 'From the field book',
      path: [{ id: folder.id }],
    });
    expect((await owner.call('GET', `${files()}?folder_id=${folder.id}&file_type=PHENOTYPE`)).body.data).toHaveLength(
      1,
    );
    expect((await owner.call('GET', `${files()}?search=${encodeURIComponent('100%')}`)).body.data).toHaveLength(1);
    expect((await owner.call('GET', `${files()}?search=${encodeURIComponent('1__%')}`)).body.data).toHaveLength(0);
    expect(
      (await owner.call('GET', `${files()}?folder_id=${folder.id}&file_type=GENOTYPE&file_type=LINKAGE_MAP`)).body.data,
    ).toEqual([]);
    const untouched = await owner.call('PUT', `${files()}/${file.id}`, { name: 'renamed.csv' });
    expect(untouched.body).toMatchObject({ folder_id: folder.id, description: 'From the field book' });
    expect((await owner.call('GET', `${files()}?nothing=1`)).status).toBe(400);
    expect((await member.call('PUT', `${files()}/${file.id}`, { name: 'x' })).status).toBe(403);
    expect((await outsider.call('GET', `${files()}/${file.id}`)).status).toBe(404);
    expect((await owner.call('GET', `${files()}/unknown`)).status).toBe(404);
  });

  test('a file of another project is not reached through this one', async () => {
    const other = await product.project(owner);
    const file = await product.upload(owner, other, phenotype('elsewhere.csv'));
    expect((await owner.call('GET', `${files()}/${file.id}`)).status).toBe(404);
    expect((await owner.call('DELETE', `${files()}/${file.id}`)).status).toBe(404);
  });

  test('a deleted file lies in the bin for 30 days, then its bytes go too', async () => {
    const file = await product.uploadChecked(owner, project, phenotype('to delete.csv'));
    expect((await member.call('DELETE', `${files()}/${file.id}`)).status).toBe(403);
    expect((await owner.call('DELETE', `${files()}/${file.id}`)).status).toBe(204);
    expect((await owner.call('GET', `${files()}/${file.id}`)).status).toBe(404);
    const { db, storage } = product.services;
    const prefix = `projects/${project.projectId}/files/${file.id}/`;
    const count = async () => await countObjects(storage.list(prefix));
    // The original, its first rows, and what runs and pages read of it.
    await sweepBin(product.services);
    expect(await count()).toBe(4);
    await sql`update files set deleted_at = now() - interval '31 days' where id = ${file.id}`.execute(db);
    await sweepBin(product.services);
    expect(await count()).toBe(0);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from audit_events where target_id = ${file.id}`.execute(db);
    expect(rows[0]?.n).toBe(1);
  });

  test('uploads that nobody finished are swept away', async () => {
    const link = await owner.call('POST', `${files()}/upload_link`, { content_type: 'text/plain' });
    await put(product.app, link.body.put_url, Buffer.from('x'));
    await sql`update uploads set expires_at = now() - interval '1 minute' where id = ${link.body.file_id}`.execute(
      product.services.db,
    );
    await sweepUploads(product.services);
    expect(await product.services.storage.find(`uploads/${link.body.file_id}`)).toBeUndefined();
  });
});

test('several files come as one zip, byte by byte as they were sent, also of one name from two folders', async () => {
  const { id: folder_id } = (await owner.call('POST', folders(), { name: 'For the zip' })).body;
  const one = await product.upload(owner, project, phenotype('same.csv'));
  await owner.call('PUT', `${files()}/${one.id}`, { folder_id });
  const other = await product.upload(owner, project, phenotype('same.csv', 'line,Yield\nL9,1\n'));
  const address = (...ids: string[]) => `${files()}.zip?${ids.map((id) => `file_id=${id}`).join('&')}`;
  const headers = { authorization: `Bearer ${member.token}` };
  const answer = await product.app.inject({ url: address(one.id, other.id, one.id), headers });
  expect(answer.headers).toMatchObject({ 'content-disposition': expect.stringContaining('files.zip') });
  const zip = await openZip(memorySource(answer.rawPayload));
  const textOf = async (name: string): Promise<string> => {
    let text = '';
    for await (const chunk of zip.stream(name, 1e6)) text += Buffer.from(chunk).toString();
    return text;
  };
  expect(zip.names).toEqual(['same.csv', '2 same.csv']);
  expect([await textOf('same.csv'), await textOf('2 same.csv')]).toEqual([SMALL_PHENOTYPE, 'line,Yield\nL9,1\n']);
  const { projectId } = await product.project(owner);
  const elsewhere = await product.app.inject({
    url: address(one.id).replace(project.projectId, projectId),
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(elsewhere.statusCode).toBe(404);
  await sql`update files set size_bytes = 3e9 where id = ${one.id}`.execute(product.services.db);
  const large = await member.call('GET', address(one.id, other.id));
  expect([large.status, large.body.code]).toEqual([422, 'files/archive-too-large']);
});

test('a file that is deleted while it waits for its check, or whose bytes are lost, ends in a clear state', async () => {
  await product.stopWorker();
  const gone = await product.upload(owner, project, phenotype('gone.csv'));
  const lost = await product.upload(owner, project, phenotype('lost.csv'));
  expect((await owner.call('DELETE', `${files()}/${gone.id}`)).status).toBe(204);
  await product.services.storage.delete(`projects/${project.projectId}/files/${lost.id}/original`);
  await product.startWorker();
  const checked = await until(
    async () => (await owner.call('GET', `${files()}/${lost.id}`)).body,
    ({ status }) => status === 'INVALID',
  );
  expect(checked.problem_totals.errors).toBe(1);
  expect((await owner.call('GET', `${files()}/${lost.id}/problems`)).body.data[0]).toMatchObject({
    code: 'E-FILE-GONE',
    message: expect.stringContaining('no longer in the storage'),
  });
  const { rows } = await sql<{ state: string }>`select state from runs where entity_id = ${gone.id}`.execute(
    product.services.db,
  );
  expect(rows).toEqual([{ state: 'CANCELLED' }]);
});

test('on a full disk the check waits for space, and nothing half is kept', { tags: 'whole' }, async () => {
  await product.stopWorker();
  const file = await product.upload(owner, project, phenotype('no room.csv'));
  const { storage } = product.services;
  const { putFile } = storage;
  // What the storage throws for ENOSPC.
  let refused = 0;
  storage.putFile = async () => {
    refused++;
    throw new Problem('server/storage-full', 'There is no space left to store this.');
  };
  await product.startWorker();
  try {
    await expect.poll(() => refused).toBeGreaterThan(0);
    const waiting = (await owner.call('GET', `${files()}/${file.id}`)).body;
    expect(waiting).toMatchObject({ status: 'CHECKING', problem_totals: { errors: 0 } });
    expect(await countObjects(storage.list(`projects/${project.projectId}/files/${file.id}/`))).toBe(1);
  } finally {
    storage.putFile = putFile;
  }
  // A person need not wait until the job looks again.
  await sql`update pgboss.job set start_after = now() where state in ('created', 'retry')`.execute(product.services.db);
  expect((await settledFile(owner, project, file.id)).row_count).toBe(6);
});

async function countObjects(objects: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _object of objects) count++;
  return count;
}
