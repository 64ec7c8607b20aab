import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { FileDetail } from '@heterosis/contracts/data/files';
import { type GwasDetail, type GwasRow, gwasRow } from '@heterosis/contracts/work/gwas';
import { unpackPlanTables } from '@heterosis/statgen/mating/plan-tables';
import { isWhole } from '@heterosis/test-support/whole';
import { beforeAll, describe, expect, test } from 'vitest';
import { planMethods } from '../../src/features/work/crossing-plans/methods-paragraph.ts';
import { crossingMethods } from '../../src/features/work/crossing-simulations/methods-paragraph.ts';
import { modelMethods } from '../../src/features/work/models/methods-paragraph.ts';
import { download, settledFile, settledModel, type Upload, until } from '../../src/testing/product.ts';
import { startProject } from '../../src/testing/start-project.ts';

const FOLDER = new URL('../../../../packages/statgen/reference/sim4x/', import.meta.url);
const bytesOf = (name: string): Buffer => readFileSync(fileURLToPath(new URL(name, FOLDER)));
const rowsOf = (text: string): Record<string, string>[] => {
  const [head = '', ...lines] = text.trim().split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
};

const { product, owner, project } = await startProject();
let sim4x: FileDetail;
let phenotype: FileDetail;

beforeAll(async () => {
  sim4x = await uploaded('sim4x.vcf.gz', bytesOf('sim4x.vcf.gz'));
  const table = { name: 'phenotypes.csv', fileType: 'PHENOTYPE' as const, bytes: bytesOf('phenotypes.csv') };
  phenotype = await product.uploadChecked(owner, project, table);
});

const uploaded = (name: string, bytes: string | Uint8Array, reading?: Upload['reading']): Promise<FileDetail> =>
  product.uploadChecked(owner, project, {
    name,
    fileType: 'GENOTYPE',
    bytes,
    ...(reading === undefined ? {} : { reading }),
  });

const exported = async (file: FileDetail, format: string) =>
  await owner.call('GET', `${project.address}/files/${file.id}/export?format=${format}`);

const codesOf = async ({ id }: FileDetail, severity = '?severity=error'): Promise<string[]> => {
  const { body } = await owner.call('GET', `${project.address}/files/${id}/problems${severity}`);
  return body.data.map(({ code }: { code: string }) => code);
};

const HEAD = '##fileformat=VCFv4.3\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t';
const vcf = (format: string, samples: string[], rows: string[][]): string =>
  `${HEAD}${samples.join('\t')}\n${rows.map((calls, j) => `1\t${j + 1}\tm${j}\tA\tG\t.\t.\t.\t${format}\t${calls.join('\t')}\n`).join('')}`;
const TABLE = 'marker,chrom,pos,a,b,c\nm1,1,10,0,4,3\nm2,1,20,1,NA,2\n';

describe('a genotype of tetraploids', () => {
  test('is checked, tells its ploidy, and has the frequencies and classes of the reference', async () => {
    expect(sim4x).toMatchObject({ ploidy: 4, row_count: 290, column_count: 660, genotype_field: null });
    expect(sim4x.status, JSON.stringify(sim4x)).toMatch(/^READY/);
    const { body: qc } = await owner.call('GET', `${project.address}/files/${sim4x.id}/qc`);
    const reference = rowsOf(gunzipSync(bytesOf('freq.csv.gz')).toString());
    const table = rowsOf((await download(product.app, sim4x.meta.marker_qc_url ?? '')).text);
    const byName = new Map(table.map((row) => [row['id'], row]));
    const sums = { calls: 0, differing: 0 };
    for (const { marker, freq_alt, H_gametic_obs, n_called } of reference) {
      const row = byName.get(marker);
      expect(Number(row?.['freqA2'])).toBeCloseTo(Number(freq_alt), 9);
      expect(Number(row?.['gametic_het'])).toBeCloseTo(Number(H_gametic_obs), 9);
      expect([0, 1, 2, 3, 4].reduce((sum, copies) => sum + Number(row?.[`n_${copies}`]), 0)).toBe(Number(n_called));
      sums.calls += Number(n_called);
      sums.differing += Number(n_called) * Number(H_gametic_obs);
    }
    expect(qc.ploidy).toBe(4);
    expect(qc.hwe.tested).toBe(reference.filter(({ maf }) => Number(maf) > 0).length);
    for (const { marker, p } of reference.slice(0, 50))
      if (byName.get(marker)?.['hwe_p'] !== '') expect(Number(byName.get(marker)?.['hwe_p'])).toBeCloseTo(Number(p), 8);
    expect(qc.ld_decay.pairs).toBeGreaterThan(10_000);
    expect(qc.double_reduction).toBeGreaterThanOrEqual(0);
    expect(qc.gametic_heterozygosity).toBeCloseTo(sums.differing / sums.calls, 9);
    const dosages = rowsOf(gunzipSync(bytesOf('dosage.csv.gz')).toString()).flatMap(
      ({ marker: _, chrom: __, pos: ___, ...calls }) => Object.values(calls),
    );
    expect(qc.dosage_classes).toEqual(
      ['0', '1', '2', '3', '4'].map((copies) => dosages.filter((x) => x === copies).length),
    );
    const expected: number[] = qc.expected_dosage_classes;
    expect(expected.reduce((sum, count) => sum + count, 0)).toBeCloseTo(sums.calls, 4);
  });

  test('is given back as a VCF and as numbers, which are read again with the same dosages', async () => {
    const numbers = await exported(sim4x, 'numeric_by_marker');
    const written = await exported(sim4x, 'vcf');
    expect([numbers.status, written.status]).toEqual([200, 200]);
    const again = await uploaded('again.csv', numbers.text, { ploidy: 4 });
    expect(again).toMatchObject({ ploidy: 4, status: expect.stringMatching(/^READY/) });
    expect((await exported(again, 'numeric_by_marker')).text).toBe(numbers.text);
    expect((await exported(sim4x, 'letters')).text).toMatch(/,[ACGT]{4},/);
    const refused = await exported(sim4x, 'hapmap');
    expect([refused.status, refused.body.code]).toEqual([422, 'files/format-cannot-hold']);
  });

  test('is read from dosages or reads when the uploader says so, and again after the upload', async () => {
    const reads = await uploaded('reads.vcf.gz', bytesOf('sim4x.vcf.gz'), { genotype_field: 'AD' });
    expect(reads).toMatchObject({ ploidy: 4, genotype_field: 'AD' });
    expect(reads.fractional_dosages?.calls).toBeGreaterThan(100_000);
    const answer = await owner.call('POST', `${project.address}/files/${reads.id}/check`, { genotype_field: null });
    expect(answer.status, answer.text).toBe(200);
    expect(await settledFile(owner, project, reads.id)).toMatchObject({ ploidy: 4, fractional_dosages: null });
  });

  test('shows the plants of one marker by their copies, beside those of random mating', async () => {
    const rows = rowsOf(gunzipSync(bytesOf('dosage.csv.gz')).toString());
    const { body: qc } = await owner.call('GET', `${project.address}/files/${sim4x.id}/qc`);
    for (const row of [rows[0], rows[333], rows.at(-1)]) {
      const { marker, chrom, pos, ...calls } = row ?? {};
      const { body } = await owner.call('GET', `${project.address}/files/${sim4x.id}/markers/${marker}`);
      const counts = ['0', '1', '2', '3', '4'].map((x) => Object.values(calls).filter((copies) => copies === x).length);
      const called = counts.reduce((sum, count) => sum + count, 0);
      expect(body).toMatchObject({ id: marker, chromosome: chrom, position_bp: Number(pos), ploidy: 4, counts });
      expect([body.missing, body.double_reduction]).toEqual([290 - called, qc.double_reduction]);
      const f = counts.reduce((sum, count, copies) => sum + count * copies, 0) / (4 * called);
      const ways = [1, 4, 6, 4, 1];
      for (const [x, expected] of body.expected.entries())
        expect(expected).toBeCloseTo(called * (ways[x] ?? 0) * f ** x * (1 - f) ** (4 - x), 8);
      const doubled: number[] = body.expected_with_double_reduction;
      expect(doubled.reduce((sum, count) => sum + count, 0)).toBeCloseTo(called, 8);
      expect(doubled.reduce((sum, count, x) => sum + count * x, 0)).toBeCloseTo(4 * f * called, 8);
    }
    const unknown = await owner.call('GET', `${project.address}/files/${sim4x.id}/markers/nothing`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'files/unknown-marker']);
  });

  test('has calls made of its reads, which are its classes at a depth of sixty', async () => {
    const called = await uploaded('called.vcf.gz', bytesOf('sim4x.vcf.gz'), { genotype_field: 'AD-called' });
    expect(called).toMatchObject({ ploidy: 4, genotype_field: 'AD-called', fractional_dosages: null });
    expect(await codesOf(called, '')).toContain('I-GT-CALLED');
    const [of, truth] = await Promise.all(
      [called, sim4x].map(async (file) => (await exported(file, 'numeric_by_marker')).text.trim().split('\n')),
    );
    const pairs = (truth ?? []).slice(1).flatMap((line, j) => {
      const read = (of?.[j + 1] ?? '').split(',').slice(5);
      return line
        .split(',')
        .slice(5)
        .map((copies, i) => [copies, read[i]]);
    });
    const both = pairs.filter(([copies, read]) => copies !== 'NA' && read !== 'NA' && copies !== '' && read !== '');
    expect(both.length).toBeGreaterThan(0.9 * 290 * 660);
    // Binomial errors between neighbouring classes, at reads of 60 in the mean, and with all classes as probable.
    expect(both.filter(([copies, read]) => copies === read).length / both.length).toBeGreaterThan(0.98);
  });

  test('is served by BrAPI with as many alleles a call as the plants have copies', async () => {
    const answer = await product.app.inject({
      method: 'GET',
      url: `/brapi/v2/calls?variantSetDbId=${sim4x.id}&pageSize=290`,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const calls: { genotypeValue: string }[] = answer.json().result.data;
    const copies = calls.map(({ genotypeValue }) =>
      genotypeValue === '.' ? 'NA' : String(genotypeValue.split('1').length - 1),
    );
    const [first = ''] = gunzipSync(bytesOf('dosage.csv.gz')).toString().split('\n').slice(1);
    expect(copies.map((x, i) => (calls[i]?.genotypeValue === '1' ? '4' : x))).toEqual(first.split(',').slice(3));
  });
});

describe('an upload', () => {
  test('of a table of dosages is refused until its ploidy is said, and checked again with it', async () => {
    const table = await uploaded('dosages.csv', TABLE);
    expect([table.status, await codesOf(table)]).toEqual(['INVALID', ['E-GT-PLOIDY']]);
    await owner.call('POST', `${project.address}/files/${table.id}/check`, { ploidy: 4 });
    expect(await settledFile(owner, project, table.id)).toMatchObject({ ploidy: 4, row_count: 3, column_count: 2 });
  });

  test.each([
    ['calls of one plant that differ', vcf('GT', ['a'], [['0/0/0/1'], ['0/1']]), {}, 'E-GT-PLOIDY-MIX'],
    ['no plant of the ploidy wanted', vcf('GT', ['a'], [['0/1']]), { samples_of_ploidy: 4 }, 'E-GT-PLOIDY'],
    ['a dosage beyond the ploidy', TABLE.replace(',4,', ',5,'), { ploidy: 4 }, 'E-GT-PLOIDY'],
    ['a dosage of a VCF beyond the ploidy', vcf('DS', ['a'], [['4.5']]), { ploidy: 4 }, 'E-GT-BAD-CALL'],
    ['another ploidy than its calls have', vcf('GT', ['a'], [['0/0/0/1']]), { ploidy: 6 }, 'E-GT-PLOIDY'],
  ] as const)('of %s is refused with a code', async (name, text, reading, code) => {
    const file = await uploaded(`${name}.${text.startsWith('##') ? 'vcf' : 'csv'}`, text, reading);
    expect([file.status, await codesOf(file)]).toEqual(['INVALID', [code]]);
  });

  const tables = [
    ['letters.csv', 'marker,chrom,pos,a,b\nm1,1,5,AAAB,ABBB\nm2,1,9,AAAA,AABB\n', {}, 'letter-matrix'],
    ['updog.csv', 'snp,ind,geno,postmean\nm1,a,1,1.2\nm1,b,4,3.9\n', { ploidy: 4 }, 'long-dosages'],
    ['tag.csv', 'AlleleID,CloneID,AlleleSequence,a\nm|Ref,m,CA,30\nm|Alt,m,CT,10\n', { ploidy: 4 }, 'dart'],
  ] as const;
  test.each(isWhole ? tables : tables.slice(0, 2))(
    'of %s is read as tetraploids',
    async (name, text, reading, format) => {
      const file = await uploaded(name, text, reading);
      expect(file, JSON.stringify(await codesOf(file, ''))).toMatchObject({ ploidy: 4, format });
      expect(file.status).toMatch(/^READY/);
    },
  );

  test('of reads takes calls without any as missing, and says so', async () => {
    const text = vcf('GT:AD', ['a', 'b'], [['0/0/0/1:3,1', '0/0/0/0:0,0']]);
    const file = await uploaded('reads.vcf', text, { genotype_field: 'AD' });
    expect(await codesOf(file, '')).toContain('W-GT-NO-READS');
    expect((await owner.call('GET', `${project.address}/files/${file.id}/qc`)).body.missing_share).toBe(0.5);
  });
});

let runs = 0;
const begin = async (path: string, body: object) =>
  await owner.call('POST', `${project.address}/${path}`, { name: `${path} ${runs++}`, ...body });

describe('a model of tetraploids', () => {
  test('has the variances and breeding values of the reference, and predicts those of the same ploidy', async () => {
    const made = await begin('models', {
      ...{ genotype_id: sim4x.id, phenotype_id: phenotype.id, traits: ['y', 'y2'] },
      ...{ thresh_maf: 0.02, thresh_callrate: 0, n_fold: 2, n_repetition: 1 },
    });
    expect(made.status, made.text).toBe(201);
    const model = await settledModel(owner, project, made.body.id);
    expect(model.status, JSON.stringify(model.error_extras)).toEqual({ y: 'EVALUATED', y2: 'EVALUATED' });
    const reference = rowsOf(bytesOf('varcomp.csv').toString()).filter(({ model: name }) => name === 'G');
    for (const trait of ['y', 'y2'] as const)
      for (const component of ['additive', 'residual'] as const) {
        const wanted = Number(
          reference.find((row) => row['trait'] === trait && row['component'] === component)?.['estimate'],
        );
        const found = model.variance[trait]?.[component] ?? Number.NaN;
        expect(Math.abs(found / wanted - 1)).toBeLessThan(1e-4);
      }
    const asked = await begin('predictions', { model_id: model.id, genotype_id: sim4x.id });
    const prediction = await until(
      async () => (await owner.call('GET', `${project.address}/predictions/${asked.body.id}`)).body,
      ({ status }) => status !== 'PROCESSING',
    );
    expect(prediction.status, JSON.stringify(prediction)).toBe('SUCCESS');
    const diploid = await uploaded('two.vcf', vcf('GT', ['a', 'b'], [['0/1', '1/1']]));
    const other = await begin('predictions', { model_id: model.id, genotype_id: diploid.id });
    expect([other.status, other.body.code]).toEqual([400, 'models/other-ploidy']);
  });

  test('may have digenic dominance', { tags: 'whole' }, async () => {
    const made = await begin('models', {
      ...{ genotype_id: sim4x.id, phenotype_id: phenotype.id, traits: ['y'], dominance_effect: true },
      ...{ thresh_maf: 0.02, thresh_callrate: 0, n_fold: 2, n_repetition: 1 },
    });
    const model = await settledModel(owner, project, made.body.id);
    expect(model.status, JSON.stringify(model.error_extras)).toEqual({ y: 'EVALUATED' });
    const reference = rowsOf(bytesOf('varcomp.csv').toString()).filter(
      ({ model: name, trait }) => name === 'G+D' && trait === 'y',
    );
    const wanted = Number(reference.find(({ component }) => component === 'digenic')?.['estimate']);
    expect(Math.abs((model.variance['y']?.dominance ?? Number.NaN) / wanted - 1)).toBeLessThan(1e-3);
  });
});

test('a GWAS of tetraploids tests gene actions beside, exactly and by P3D', async () => {
  const inputs = { genotype_id: sim4x.id, phenotype_id: phenotype.id, thresh_maf: 0.0001, thresh_callrate: 0 };
  const actions = ['1-dom-alt', 'general'];
  const made = await begin('gwas', { ...inputs, traits: ['y'], test: 'SCORE', gene_action: actions });
  expect(made.status, made.text).toBe(201);
  const address = `${project.address}/gwas/${made.body.id}`;
  const run = await until(
    async (): Promise<GwasDetail> => (await owner.call('GET', address)).body,
    ({ status }) => Object.values(status).every((one) => one !== 'PROCESSING'),
  );
  expect(run.status, JSON.stringify(run.error_extras)).toEqual({
    ...{ y: 'SUCCESS', 'y · 1-dom-alt': 'SUCCESS', 'y · general': 'SUCCESS' },
  });
  expect(run).toMatchObject({ gene_action: actions, methods: expect.stringContaining('1-dom-alt and general') });
  const reference = new Map(
    rowsOf(gunzipSync(bytesOf('gwas.y.csv.gz')).toString()).map((row) => [`${row['marker']} ${row['model']}`, row]),
  );
  for (const action of actions) {
    const name = `y · ${action}`;
    const query = `trait=${encodeURIComponent(name)}`;
    const rows: GwasRow[] = (await owner.call('GET', `${address}/results?${query}&limit=20`)).body.data;
    for (const row of rows) {
      expect(() => gwasRow.parse(row)).not.toThrow();
      const wanted = reference.get(`${row.id} ${action}`) ?? {};
      expect(Math.abs(row.neg_log10_p - Number(wanted['exact_neglog10p']))).toBeLessThan(1e-4);
      expect(Math.abs((row.gene_action?.p3d.neg_log10_p ?? 0) - Number(wanted['p3d_neglog10p']))).toBeLessThan(1e-4);
      expect([row.gene_action?.df, row.gene_action?.df2]).toEqual([Number(wanted['df1']), Number(wanted['df2'])]);
      expect(row.beta === null).toBe(row.gene_action?.df !== 1);
      expect(row).toMatchObject({ score: 0, LRT: 0 });
    }
    const summary = run.summary[name];
    expect(summary?.gene_action).toMatchObject({ trait: 'y', action });
    expect(summary).toMatchObject({ top: { id: rows[0]?.id }, effective_tests: null });
    const csv = rowsOf((await download(product.app, run.result_urls[name] ?? '')).text);
    expect(new Set(csv.map((row) => row['gene_action']))).toEqual(new Set([action]));
    expect(csv).toHaveLength(summary?.m ?? 0);
    const { body: marker } = await owner.call('GET', `${address}/markers/${rows[0]?.id}?${query}`);
    expect(marker.classes.length).toBeGreaterThan(2);
  }
  const refused = async (more: object) =>
    await begin('gwas', { ...inputs, traits: ['y'], gene_action: actions, ...more });
  for (const more of [{ gene_action: ['overdominant'] }, { condition_on: ['M1'] }]) {
    expect((await refused(more)).status).toBe(400);
  }
});

test('the time of a GWAS counts its gene actions, by the columns of each', async () => {
  const inputs = { analysis: 'gwas', genotype_id: sim4x.id, phenotype_id: phenotype.id, traits: ['y'] };
  const secondsOf = async (gene_action: string[]): Promise<number> => {
    const { status, body } = await owner.call('POST', `${project.address}/estimate`, { ...inputs, gene_action });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.seconds;
  };
  // The rest is the same.
  const without = await secondsOf([]);
  const ofActions = async (actions: string[]): Promise<number> => (await secondsOf(actions)) - without;
  const one = await ofActions(['additive']);
  expect(one).toBeGreaterThan(0);
  expect((await ofActions(['general'])) / one).toBeGreaterThan(1.5);
  expect((await ofActions(['additive', '1-dom-alt', '1-dom-ref'])) / one).toBeGreaterThan(2);
});

test('a GWAS of tetraploids tests copies, and shows its markers by classes of dosage', async () => {
  const made = await begin('gwas', {
    genotype_id: sim4x.id,
    phenotype_id: phenotype.id,
    traits: ['y2'],
    test: 'WALD',
    clumps: {},
  });
  expect(made.status, made.text).toBe(201);
  const run = await until(
    async () => (await owner.call('GET', `${project.address}/gwas/${made.body.id}`)).body,
    ({ status }) => status['y2'] !== 'PROCESSING',
  );
  expect(run.status, JSON.stringify(run)).toEqual({ y2: 'SUCCESS' });
  expect(run.summary.y2.clumps).toBeGreaterThan(0);
  const { id } = run.summary.y2.top;
  const { body: marker } = await owner.call('GET', `${project.address}/gwas/${run.id}/markers/${id}?trait=y2`);
  const [head = '', ...lines] = gunzipSync(bytesOf('dosage.csv.gz')).toString().trim().split('\n');
  const names = head.split(',').slice(3);
  const calls = (lines.find((line) => line.startsWith(`${id},`)) ?? '').split(',').slice(3);
  const values = new Map(rowsOf(bytesOf('phenotypes.csv').toString()).map(({ sample, y2 }) => [sample, y2 ?? '']));
  const expected = ['0', '1', '2', '3', '4'].map((copies) =>
    names.flatMap((name, i) => (calls[i] === copies && values.get(name) !== '' ? [Number(values.get(name))] : [])),
  );
  const shown = marker.classes.map(({ dosage, values: of }: { dosage: number; values: number[] }) => [
    dosage,
    of.toSorted(),
  ]);
  expect(shown).toEqual(expected.flatMap((of, dosage) => (of.length === 0 ? [] : [[dosage, of.toSorted()]])));
  expect(marker.classes.at(-1).genotype.split('/')).toHaveLength(4);
});

describe('crosses of tetraploids', () => {
  const parents = rowsOf(gunzipSync(bytesOf('phased_parents.csv.gz')).toString());
  const names = Object.keys(parents[0] ?? {}).slice(1);
  const places = new Map(rowsOf(bytesOf('map.csv').toString()).map((row) => [row['marker'], row]));
  const phased = `${HEAD}${names.join('\t')}\n${parents
    .map((row) => {
      const { chrom, pos } = places.get(row['marker']) ?? {};
      return `${[chrom, pos, row['marker'], 'A', 'G', '.', '.', '.', 'GT', ...names.map((name) => row[name])].join('\t')}\n`;
    })
    .join('')}`;
  const crosses = 'name,female,male,type\nP01_P02,P01,P02,\nP03_self,P03,,self\n';

  test('have the mean of their parents under additive effects, and more variance by quadrivalents', {
    tags: 'whole',
  }, async () => {
    const genotype = await uploaded('parents.vcf', phased);
    expect(genotype).toMatchObject({ ploidy: 4, row_count: 10 });
    const table = { name: 'crosses.csv', fileType: 'CROSSING_TABLE' as const, bytes: crosses };
    const crossingTable = await product.uploadChecked(owner, project, table);
    const made = await begin('models', {
      ...{ genotype_id: sim4x.id, phenotype_id: phenotype.id, traits: ['y2'], n_fold: 2, n_repetition: 1 },
    });
    const model = await settledModel(owner, project, made.body.id);
    const inputs = { model_id: model.id, genotype_id: genotype.id, crossing_table_id: crossingTable.id };
    const resultsOf = async (options: object) => {
      const asked = await begin('crossing_simulations', { ...inputs, population: 'F1', ...options });
      expect(asked.status, asked.text).toBe(201);
      const address = `${project.address}/crossing_simulations/${asked.body.id}`;
      const run = await until(
        async () => (await owner.call('GET', address)).body,
        ({ status }) => status !== 'PROCESSING',
      );
      expect(run.status, JSON.stringify(run)).toBe('SUCCESS');
      const { body } = await owner.call('GET', `${address}/results?trait=y2`);
      return { run, rows: body.data };
    };
    const bivalents = await resultsOf({});
    expect(bivalents.run.report).toMatchObject({ crosses: 2, progeny: 2000 });
    expect(crossingMethods(bivalents.run)).toContain('pair as bivalents');
    expect(bivalents.rows.map(({ population }: { population: string }) => population)).toEqual(['F1', 'F1']);
    for (const { mean, parent1_value, parent2_value } of bivalents.rows)
      expect(mean).toBeCloseTo((parent1_value + parent2_value) / 2, 9);
    const quadrivalents = await resultsOf({ pairing: 'quadrivalent', double_reduction: 0.1 });
    expect(crossingMethods(quadrivalents.run)).toContain('double reduction of up to 0.100');
    for (const [place, { sd, mean }] of quadrivalents.rows.entries()) {
      expect(mean).toBeCloseTo(bivalents.rows[place].mean, 9);
      expect(sd).toBeGreaterThan(bivalents.rows[place].sd);
    }
    const unknown = await resultsOf({ genotype_id: sim4x.id, phase: 'unknown' });
    expect(crossingMethods(unknown.run)).toContain('The phase of the parents was taken as unknown');
    for (const [place, { sd, mean, parent1_value, parent2_value }] of unknown.rows.entries()) {
      expect(mean).toBeCloseTo((parent1_value + parent2_value) / 2, 9);
      expect(sd).not.toBeCloseTo(bivalents.rows[place].sd, 6);
    }
    for (const options of [
      { population: 'DH' },
      { population: 'F1', map_function: 'kosambi' },
      { population: 'F1', phase: 'unknown', preferential: 0.5 },
    ])
      expect((await begin('crossing_simulations', { ...inputs, ...options })).body.code).toBe('request/invalid');
    const { body: match } = await owner.call('POST', `${project.address}/match`, {
      genotype_id: sim4x.id,
      crossing_table_id: crossingTable.id,
    });
    expect(match).toMatchObject({ can_run: false, phase: { phased_sibling: { id: genotype.id } } });
    expect(match.reason).toContain('“Unknown” as phase of the parents');

    const plan = { model_id: model.id, genotype_id: genotype.id, traits: ['y2'], crosses: 3, max_uses: 2 };
    const planned = await begin('crossing_plans', { ...plan, population: 'F1' });
    expect(planned.status, planned.text).toBe(201);
    const address = `${project.address}/crossing_plans/${planned.body.id}`;
    const run = await until(
      async () => (await owner.call('GET', address)).body,
      ({ status }) => status !== 'PROCESSING',
    );
    expect(run.status, JSON.stringify(run)).toBe('SUCCESS');
    expect(run.report).toMatchObject({ candidates: 10, crosses: 3 });
    expect(planMethods(run)).toContain('divided by the ploidy 4');
    // The spread of a pair is that of its F1 in a simulation of crosses.
    const tables = unpackPlanTables(
      (
        await product.app.inject({
          method: 'GET',
          url: `${address}/tables`,
          headers: { authorization: `Bearer ${owner.token}` },
        })
      ).rawPayload,
    );
    const [first, second] = ['P01', 'P02'].map((name) => tables.candidates.indexOf(name));
    const [i = 0, j = 0] = [first ?? 0, second ?? 0].toSorted((a, b) => a - b);
    const n = tables.candidates.length;
    const variance = tables.covariances?.[0]?.[(i * (2 * n - i - 1)) / 2 + j - i - 1] ?? Number.NaN;
    expect(Math.sqrt(variance) / bivalents.rows[0].sd).toBeCloseTo(1, 6);
    const kin = { name: 'pedigree.csv', fileType: 'PEDIGREE' as const, bytes: bytesOf('pedigree.csv') };
    const pedigree = await product.uploadChecked(owner, project, kin);
    for (const [more, name] of [
      [{ population: 'DH' }, 'body.population'],
      [{ population: null, double_reduction: 0.1 }, 'body.double_reduction'],
    ] as const) {
      const { status, body } = await begin('crossing_plans', { ...plan, ...more });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(name)]);
    }
    expect((await begin('crossing_plans', { ...plan, genotype_id: sim4x.id, population: null })).status).toBe(201);
    // Founders of the pedigree share no genes, and two of a founder's own are one in a quarter of the draws.
    const byPedigree = { ...plan, population: null, pedigree_id: pedigree.id, double_reduction: 0.1 };
    const kinPlan = await begin('crossing_plans', byPedigree);
    expect(kinPlan.status, kinPlan.text).toBe(201);
    const related = await until(
      async () => (await owner.call('GET', `${project.address}/crossing_plans/${kinPlan.body.id}`)).body,
      ({ status }) => status !== 'PROCESSING',
    );
    expect(related.status, JSON.stringify(related)).toBe('SUCCESS');
    expect(related.provenance.parameters).toMatchObject({ coancestry: 'pedigree', ploidy: 4, double_reduction: 0.1 });
    const { parents: chosen, coancestry } = related.report;
    expect(coancestry).toBeGreaterThanOrEqual(0.25 / chosen - 1e-9);
    expect(coancestry).toBeLessThan(0.25);
    expect(planMethods(related)).toMatch(/Kerr et al\. 2012.*double reduction of 0\.1/);
  });
});

describe('a pedigree of tetraploids', () => {
  let pedigree: FileDetail;
  beforeAll(async () => {
    const kin = { name: 'kin.csv', fileType: 'PEDIGREE' as const, bytes: bytesOf('pedigree.csv') };
    pedigree = await product.uploadChecked(owner, project, kin);
  });

  test('gives a single-step model with double reduction, whose relationships are on the scale of the markers', async () => {
    const inputs = { genotype_id: sim4x.id, phenotype_id: phenotype.id, traits: ['y2'], n_fold: 2, n_repetition: 1 };
    const asked = await begin('models', { ...inputs, pedigree_id: pedigree.id, double_reduction: 0.1 });
    expect(asked.status, asked.text).toBe(201);
    const model = await settledModel(owner, project, asked.body.id);
    expect(model.fit['y2']?.single_step).toMatchObject({ genotyped: 290, without_pedigree: 0, shift: 0, factor: 1 });
    expect(model.provenance.parameters).toMatchObject({ single_step: true, double_reduction: 0.1 });
    expect(modelMethods(model)).toContain('have a double reduction of 0.1 (Kerr et al. 2012)');
    expect(modelMethods(model)).not.toContain('scale of the pedigree');
    const refused = await begin('models', { ...inputs, double_reduction: 0.1 });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('choose a pedigree')]);
  });

  test('gives the relationships of trials, alone with its ploidy and with the markers', { tags: 'whole' }, async () => {
    const plots = rowsOf(bytesOf('phenotypes.csv').toString())
      .filter(({ y }, i) => y !== '' && i % 8 === 0)
      .flatMap(({ sample, y, y2 }, i) =>
        ['A', 'B'].flatMap((environment, e) =>
          [1, 2].map((rep) =>
            [sample, environment, rep, Number(e === 0 ? y : y2) + ((7 * i + 3 * rep) % 5) / 5].join(),
          ),
        ),
      );
    const bytes = `line,environment,rep,y\n${plots.join('\n')}\n`;
    const trial = await product.uploadChecked(owner, project, { name: 'plots.csv', fileType: 'PHENOTYPE', bytes });
    const inputs = { phenotype_ids: [trial.id], traits: ['y'], model: 'blocks', structure: 'cs' };
    const relationshipsOf = async (options: object): Promise<string> => {
      const asked = await begin('trial_analyses', { ...inputs, double_reduction: 0.1, ...options });
      expect(asked.status, asked.text).toBe(201);
      const address = `${project.address}/trial_analyses/${asked.body.id}`;
      const run = await until(
        async () => (await owner.call('GET', address)).body,
        ({ status }) => status.y !== 'PROCESSING',
      );
      expect(run.status, JSON.stringify(run)).toEqual({ y: 'SUCCESS' });
      const { body } = await owner.call('GET', `${address}/series?trait=y`);
      return body.relationships;
    };
    expect(await relationshipsOf({ pedigree_id: pedigree.id, ploidy: '4' })).toBe('pedigree');
    expect(await relationshipsOf({ pedigree_id: pedigree.id, genotype_id: sim4x.id })).toBe('single-step');
    const diploid = await begin('trial_analyses', { ...inputs, pedigree_id: pedigree.id, double_reduction: 0.1 });
    expect([diploid.status, diploid.text]).toEqual([400, expect.stringContaining('Diploids have no double reduction')]);
  });
});

test('the parents of tetraploids are checked and found by their dosages', { tags: 'whole' }, async () => {
  const kin = { name: 'parents.csv', fileType: 'PEDIGREE' as const, bytes: bytesOf('pedigree.csv') };
  const pedigree = await product.uploadChecked(owner, project, kin);
  const body = { genotype_id: sim4x.id, pedigree: 'file', pedigree_id: pedigree.id, double_reduction: 0.1 };
  const asked = await begin('parentage_checks', body);
  expect(asked.status, asked.text).toBe(201);
  const run = await until(
    async () => (await owner.call('GET', `${project.address}/parentage_checks/${asked.body.id}`)).body,
    ({ status }) => status !== 'PROCESSING',
  );
  expect(run.report).toMatchObject({ individuals: 290, verdicts: { CONFIRMED: 280, CONFLICT: 0 }, copies: [] });
});

describe('a VCF of plants that differ in ploidy', () => {
  const calls = [
    ['0/1', '0/0/0/1', './.'],
    ['1/1', '0/0/1/1', '0/1/1/1'],
    ['0/0', '1/1/1/1', '0/0/0/0'],
  ];
  const text = vcf('GT', ['dip', 'tet', 'tet2'], calls);
  let mixed: FileDetail;
  beforeAll(async () => {
    mixed = await uploaded('mixed.vcf', text);
  });

  test('is checked with the ploidy of each, which its page, its tables and exports have', async () => {
    const ploidies = [
      { ploidy: 2, samples: 1 },
      { ploidy: 4, samples: 2 },
    ];
    expect(mixed).toMatchObject({ status: 'READY_WITH_WARNINGS', ploidy: 4, ploidies, samples_of_ploidy: null });
    expect(await codesOf(mixed, '?severity=warning')).toContain('W-GT-PLOIDY-MIX');
    const { body: qc } = await owner.call('GET', `${project.address}/files/${mixed.id}/qc`);
    expect(qc).toMatchObject({ ploidy: 4, ploidies, pca: null, ld_decay: null });
    expect(qc.samples_table.map(({ ploidy }: { ploidy: number }) => ploidy)).toEqual([2, 4, 4]);
    const markers = rowsOf((await download(product.app, mixed.meta.marker_qc_url ?? '')).text);
    expect(markers.map(({ freqA2 }) => Number(freqA2))).toEqual([2 / 6, 7 / 10, 4 / 10]);
    const samples = rowsOf((await download(product.app, mixed.meta.sample_qc_url ?? '')).text);
    expect(samples.map(({ id, ploidy }) => `${id} ${ploidy}`)).toEqual(['dip 2', 'tet 4', 'tet2 4']);
    const written = await product.app.inject({
      method: 'GET',
      url: `${project.address}/files/${mixed.id}/export?format=vcf`,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const again = await uploaded('mixed again.vcf.gz', written.rawPayload);
    expect(again.ploidies).toEqual(ploidies);
    for (const format of ['numeric', 'letters', 'hapmap'])
      expect((await exported(mixed, format)).body).toMatchObject({ code: 'files/format-cannot-hold' });
  });

  test('is served by BrAPI with the alleles that each plant has', async () => {
    const answer = await product.app.inject({
      method: 'GET',
      url: `/brapi/v2/calls?variantSetDbId=${mixed.id}&expandHomozygotes=true`,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const values = answer.json().result.data.map(({ genotypeValue }: { genotypeValue: string }) => genotypeValue);
    expect(values).toEqual(calls.flat().map((call) => (call === './.' ? '.' : call)));
  });

  test('is refused by what compares plants, which says what to do', async () => {
    const { id } = mixed;
    const asked = [
      begin('models', { genotype_id: id, phenotype_id: phenotype.id, traits: ['y'], name: 'mixed' }),
      begin('gwas', { genotype_id: id, phenotype_id: phenotype.id, traits: ['y'] }),
      begin('parentage_checks', { genotype_id: id, pedigree: 'none', pedigree_id: null }),
      owner.call('POST', `${project.address}/files/${id}/phasing`, {}),
      owner.call('GET', `${project.address}/files/${id}/markers/m0`),
      owner.call('PUT', `${project.address}/passport_loci`, { genotype_id: id, loci: ['m0'] }),
    ];
    for (const { status, body } of await Promise.all(asked)) {
      expect([status, body.code], JSON.stringify(body)).toEqual([400, 'files/mixed-ploidy']);
      expect(body.detail).toContain('1 has 2 copies of each chromosome, 2 have 4');
      expect(body.detail).toContain('read only the plants of one ploidy');
    }
  });

  test('gives the plants of one ploidy, when it is uploaded or later, and all again', async () => {
    const diploids = await uploaded('diploids.vcf', text, { samples_of_ploidy: 2 });
    expect(diploids).toMatchObject({ ploidy: 2, ploidies: null, row_count: 1, samples_of_ploidy: 2 });
    const address = `${project.address}/files/${mixed.id}/check`;
    await owner.call('POST', address, { samples_of_ploidy: 4 });
    const tetraploids = await settledFile(owner, project, mixed.id);
    expect(tetraploids).toMatchObject({ ploidy: 4, ploidies: null, row_count: 2, samples_of_ploidy: 4 });
    const classes = await owner.call('GET', `${project.address}/files/${mixed.id}/markers/m1`);
    expect(classes.body).toMatchObject({ ploidy: 4, counts: [0, 0, 1, 1, 0] });
    await owner.call('POST', address, { samples_of_ploidy: null });
    expect(await settledFile(owner, project, mixed.id)).toMatchObject({ row_count: 3, samples_of_ploidy: null });
  });
});

describe('what takes diploids refuses tetraploids before it begins:', () => {
  test.each([
    ['phasing', () => owner.call('POST', `${project.address}/files/${sim4x.id}/phasing`, {})],
    [
      'hybrids',
      () => owner.call('POST', `${project.address}/files/${sim4x.id}/hybrids`, { females: ['P01'], males: ['P02'] }),
    ],
    [
      'a test of dominance',
      () => begin('gwas', { genotype_id: sim4x.id, phenotype_id: phenotype.id, traits: ['y'], dominance: true }),
    ],
  ])('%s', async (_, ask) => {
    const { status, body } = await ask();
    expect([status, body.code], JSON.stringify(body)).toEqual([400, 'files/polyploid']);
    expect(body.detail).toMatch(/takes? diploids, and the plants of "sim4x\.vcf\.gz" have 4 copies/);
  });
});
