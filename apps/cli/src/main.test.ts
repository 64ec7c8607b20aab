import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';

const MAIZE = fileURLToPath(new URL('../../../packages/statgen/reference/maize-mdp/', import.meta.url));
const CROSSING = fileURLToPath(new URL('../../../packages/statgen/reference/crossing-small/', import.meta.url));
const VCF = join(MAIZE, 'genotypes.vcf.gz');
const PHENOTYPES = join(MAIZE, 'phenotypes.csv');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const out = (name: string) => join(folder, name);

async function summaryOf(...args: string[]): Promise<Record<string, never>> {
  const { code, stdout, stderr } = await heterosis(...args, '--json', '--threads', '1');
  expect(
    stderr.split('\n').filter((line) => line.includes('"error"')),
    stderr,
  ).toEqual([]);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

function rows(path: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(line.map((value, i) => [header?.at(i) ?? '', value])));
}

test('help lists every command, and every command has a page with all of its options', async () => {
  const program = await heterosis('--help');
  expect(program).toMatchObject({ code: 0, stderr: '' });
  for (const command of [
    'import',
    'export',
    'qc',
    'means',
    'kinship',
    'prune',
    'train',
    'evaluate',
    'predict',
    'gwas',
    'finemap',
    'cross',
    'phase',
  ]) {
    expect(program.stdout).toContain(`  ${command} `);
    const page = await heterosis(command, '--help');
    expect(page).toMatchObject({ code: 0, stderr: '' });
    for (const section of ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'OUTPUT', 'EXIT STATUS', 'EXAMPLES']) {
      expect(page.stdout).toContain(`${section}\n`);
    }
    expect(page.stdout).toContain(command === 'means' ? '--phenotype' : '--genotype');
    expect(page.stdout).toContain('--threads N');
    expect(page.stdout).toContain('--json');
    expect(Math.max(...page.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(96);
  }
});

test('import, train, evaluate, predict and gwas work together and agree whatever the format of the genotype', async () => {
  const imported = await summaryOf('import', '--genotype', VCF, '--out', out('maize'));
  expect(imported).toMatchObject({ format: 'vcf', n: 281, m: 3093, phased: false });
  for (const extension of [
    'bed',
    'bim',
    'fam',
    'qc.json',
    'samples.csv',
    'contigs.csv',
    'snpids.csv',
    'linkmaptemp.csv',
  ]) {
    expect(existsSync(out(`maize.${extension}`)), extension).toBe(true);
  }
  const common = ['--phenotype', PHENOTYPES, '--trait', 'EarHT,dpoll'];
  const trained = await summaryOf('train', '--genotype', out('maize'), ...common, '--out', out('model.json'));
  expect(trained).toMatchObject({ n_genotyped: 281, m: 2386, markers_read: 3093 });
  const seconds: Record<string, number> = trained['seconds']!;
  expect(Object.keys(seconds)).toEqual(expect.arrayContaining(['match', 'kinship', 'fit', 'predict', 'total']));
  await summaryOf('train', '--genotype', VCF, ...common, '--out', out('model-vcf.json'));
  const models = ['model.json', 'model-vcf.json'].map((name) => JSON.parse(readFileSync(out(name), 'utf8')));
  expect(models[1].traits.map((trait: { fit: object }) => ({ ...trait.fit, seconds: 0 }))).toEqual(
    models[0].traits.map((trait: { fit: object }) => ({ ...trait.fit, seconds: 0 })),
  );

  await summaryOf('predict', '--model', out('model.json'), '--genotype', `${out('maize')}.bed`, '--out', out('p.csv'));
  const predictions = rows(out('p.csv'));
  expect(Object.keys(predictions[0]!)).toEqual([
    'id',
    'gebv_EarHT',
    'reliability_EarHT',
    'gebv_dpoll',
    'reliability_dpoll',
  ]);
  const reference = readFileSync(join(MAIZE, 'gp/gebv_EarHT.csv'), 'utf8')
    .replaceAll('"', '')
    .trimEnd()
    .split('\n')
    .slice(1);
  const predicted = new Map(predictions.map((row) => [row['id'], Number(row['gebv_EarHT'])]));
  for (const line of reference) {
    const cells = line.split(',');
    expect(Math.abs(predicted.get(cells[0])! / Number(cells.at(-1)) - 1)).toBeLessThan(1e-6);
  }

  const evaluation = await summaryOf(
    'evaluate',
    '--genotype',
    out('maize'),
    '--phenotype',
    PHENOTYPES,
    '--trait',
    'EarHT',
    '--folds',
    join(MAIZE, 'gp/cv_folds_EarHT.csv'),
    '--out',
    out('evaluation.csv'),
  );
  expect(evaluation['traits']).toMatchObject([{ trait: 'EarHT', n: 279, n_fold: 5, n_repetition: 10 }]);
  const perFold = readFileSync(join(MAIZE, 'gp/cv_perfold_EarHT.csv'), 'utf8')
    .replaceAll('"', '')
    .trimEnd()
    .split('\n');
  const rExact = perFold[0]!.split(',').indexOf('r_exact');
  const folds = rows(out('evaluation.csv'));
  expect(Object.keys(folds[0]!)).toEqual(['trait', 'repetition', 'fold', 'n', 'r']);
  folds.forEach((row, k) => {
    expect(Math.abs(Number(row['r']) - Number(perFold[k + 1]!.split(',')[rExact]))).toBeLessThan(1e-6);
  });

  for (const genotype of [VCF, out('maize')]) {
    const gwas = await summaryOf(
      'gwas',
      '--genotype',
      genotype,
      '--phenotype',
      PHENOTYPES,
      '--trait',
      'EarHT',
      '--test',
      'wald',
      '--fixed',
      '3',
      '--out',
      out(`gwas-${genotype === VCF}.csv`),
    );
    expect(gwas).toMatchObject({ trait: 'EarHT', test: 'WALD', fixed: 3, n: 279, m: 2368, markers_read: 3093 });
  }
  expect(readFileSync(out('gwas-true.csv'), 'utf8')).toBe(readFileSync(out('gwas-false.csv'), 'utf8'));
  const exact = gunzipSync(readFileSync(join(MAIZE, 'gwas/exact_EarHT_pc3.csv.gz')))
    .toString()
    .replaceAll('"', '')
    .trimEnd()
    .split('\n');
  const columns = exact[0]!.split(',');
  const exactP = new Map(
    exact.slice(1).map((line) => [line.split(',')[0], Number(line.split(',')[columns.indexOf('p_wald')])]),
  );
  for (const row of rows(out('gwas-true.csv'))) {
    // The reference rests on a single-precision kinship; the next test uses the default.
    expect(Math.abs(Number(row['neg_log10_p']) + Math.log10(exactP.get(row['id'])!))).toBeLessThan(3e-5);
  }
});

test('with the kinship in single precision all tests equal the exact reference, which rests on such a kinship', async () => {
  for (const [trait, fixed] of [
    ['EarHT', 0],
    ['dpoll', 3],
  ] as const) {
    const summary = await summaryOf(
      ...['gwas', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', trait, '--fixed', String(fixed)],
      ...['--test', 'ALL', '--kinship-precision', 'single', '--out', out('gwas-single.csv')],
    );
    expect(summary).toMatchObject({ kinship_precision: 'single' });
    writeFileSync(out('exact.csv'), gunzipSync(readFileSync(join(MAIZE, `gwas/exact_${trait}_pc${fixed}.csv.gz`))));
    const exact = new Map(rows(out('exact.csv')).map((row) => [row['id'], row]));
    const found = rows(out('gwas-single.csv'));
    expect(found).toHaveLength(exact.size);
    for (const row of found) {
      const expected = exact.get(row['id'])!;
      for (const test of ['score', 'wald', 'lrt']) {
        const difference = Number(row[`neg_log10_p_${test}`]) + Math.log10(Number(expected[`p_${test}`]));
        expect(Math.abs(difference)).toBeLessThan(1e-6);
      }
      const sd = Number(expected['wald_sd']);
      const beta = Number(expected['wald_beta']);
      expect(Math.abs(Number(row['beta']) - beta)).toBeLessThan(1e-6 * Math.max(Math.abs(beta), sd));
      expect(Math.abs(Number(row['sd']) / sd - 1)).toBeLessThan(1e-6);
    }
  }
  const refused = await heterosis(
    ...['kinship', '--genotype', VCF, '--method', 'dominance', '--kinship-precision', 'single', '--out', 'x'],
  );
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Only the standardized kinship can be computed in single precision.');
});

const OF_EVERY_TEST = ['h2', 'p', 'neg_log10_p', 'effect', 'effect_se', 'q', 'pve', 'at_bound'];

test('several tests in one run give the columns of each run, named by their test', { tags: 'whole' }, async () => {
  const run = (kind: string) =>
    summaryOf(
      ...['gwas', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'EarHT', '--test', kind],
      ...['--out', out(`gwas-${kind}.csv`)],
    );
  const all = await run('all');
  expect(all).toMatchObject({ test: 'SCORE,WALD,LRT', m: 2368 });
  const several = rows(out('gwas-all.csv'));
  for (const [t, kind] of ['SCORE', 'WALD', 'LRT'].entries()) {
    const { lambda, hits, top } = await run(kind);
    expect(all['tests']![t]).toMatchObject({ test: kind, lambda: expect.closeTo(Number(lambda), 9), hits, top });
    for (const [j, row] of rows(out(`gwas-${kind}.csv`)).entries()) {
      for (const [column, value] of Object.entries(row)) {
        const name = OF_EVERY_TEST.includes(column) ? `${column}_${kind.toLowerCase()}` : column;
        // Near 0, a likelihood ratio is the difference of two large numbers.
        const isSame = several[j]![name] === value || Math.abs(Number(several[j]![name]) - Number(value)) < 1e-7;
        expect(isSame, `${name} of ${row['id']}: ${several[j]![name]} and ${value}`).toBe(true);
      }
    }
  }
  const wrong = await heterosis(
    'gwas',
    '--genotype',
    VCF,
    '--phenotype',
    PHENOTYPES,
    '--trait',
    'EarHT',
    '--test',
    'WALD,F',
    '--out',
    'x',
  );
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('--test cannot be "F"');
});

test('gwas warns of numeric covariates that look like codes until it is said what they are', async () => {
  const table = readFileSync(PHENOTYPES, 'utf8').trimEnd().split('\n');
  const rows = table.map((line, i) => `${line},${i === 0 ? 'family' : 1 + (i % 9)}`);
  writeFileSync(out('codes.csv'), `${rows.join('\n')}\n`);
  const command = ['gwas', '--genotype', VCF, '--phenotype', out('codes.csv'), '--trait', 'EarHT'];
  const last = ['--out', out('gwas-codes.csv'), '--json', '--threads', '1'];
  const asked = await heterosis(...command, '--covariates', 'family', ...last);
  expect(asked.stderr).toContain('W-COVARIATE-CODE');
  expect(asked.stderr).toContain('family:factor');
  for (const [kind, groups] of [
    ['numeric', []],
    ['factor', [{ name: 'family', count: 9, reference: '1' }]],
  ] as const) {
    const told = await heterosis(...command, '--covariates', `family:${kind}`, ...last);
    expect(told.stderr).not.toContain('W-COVARIATE-CODE');
    expect(JSON.parse(told.stdout).covariate_groups).toMatchObject(groups);
  }
});

test('gwas takes covariates, names those that add nothing and counts whom they leave out', async () => {
  const [header, ...lines] = readFileSync(PHENOTYPES, 'utf8').trimEnd().split(/\r?\n/);
  const table = [`${header},age,field`, ...lines.map((line, i) => `${line},${i % 7 === 0 ? 'NA' : (i * i) % 31},2024`)];
  writeFileSync(out('covariates.csv'), `${table.join('\n')}\n`);
  const command = ['gwas', '--genotype', VCF, '--phenotype', out('covariates.csv'), '--trait', 'EarHT'];
  const chosen = ['--covariates', 'field,AGE', '--out', out('gwas-age.csv')];
  const { code, stdout, stderr } = await heterosis(...command, ...chosen, '--json');
  expect(code, stderr).toBe(0);
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ covariates: ['age'], covariates_left_out: ['field'] });
  expect(summary.n + summary.without_covariate).toBe(279);
  expect(stderr).toContain('W-GWAS-COVARIATE');
  const plain = await heterosis(...command, ...chosen);
  expect(plain.stdout).toContain(`covariates: age; ${summary.without_covariate} individuals`);
  expect(plain.stderr).toContain('"field" is the same for all individuals analysed');
});

test('gwas takes columns of words and of the design as groups, and names groups of one', async () => {
  const [header, ...lines] = readFileSync(PHENOTYPES, 'utf8').trimEnd().split(/\r?\n/);
  const origin = (i: number): string => (i % 11 === 0 ? 'NA' : (['flint', 'dent', 'pop'][((i * i) % 7) % 3] ?? ''));
  const isB73 = (line: string): boolean => line.startsWith('B73,');
  const table = [
    `${header},origin,location`,
    ...lines.map((line, i) => `${line},${isB73(line) ? 'Iodent' : origin(i)},${i % 2 ? 'north' : 'south'}`),
  ];
  writeFileSync(out('groups.csv'), `${table.join('\n')}\n`);
  const command = ['gwas', '--genotype', VCF, '--phenotype', out('groups.csv'), '--trait', 'EarHT', '--test', 'WALD'];
  const chosen = ['--covariates', 'Origin,location', '--out', out('gwas-groups.csv')];
  const { code, stdout, stderr } = await heterosis(...command, ...chosen, '--json');
  expect(code, stderr).toBe(0);
  const summary = JSON.parse(stdout);
  expect(summary.covariates).toEqual(['origin', 'location']);
  expect(summary.covariate_groups).toEqual([
    { name: 'origin', count: 4, reference: 'dent', alone: ['Iodent'], explained: [] },
    { name: 'location', count: 2, reference: 'north', alone: [], explained: [] },
  ]);
  expect(summary.n + summary.without_covariate).toBe(279);
  expect(summary.without_covariate).toBeGreaterThan(10);
  expect(stderr).toContain('W-GWAS-GROUP-OF-ONE');
  const plain = await heterosis(...command, ...chosen);
  expect(plain.stdout).toContain(
    'covariates: origin (4 groups, reference dent), location (2 groups, reference north); ',
  );
});

test('kinship and qc describe the panel', async () => {
  await summaryOf('kinship', '--genotype', VCF, '--method', 'vanraden1', '--out', out('k.csv'));
  const [names, ...kinship] = readFileSync(out('k.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  expect(names).toEqual(['id', ...kinship.map((row) => row[0])]);
  expect(kinship).toHaveLength(281);
  expect(kinship[0]![6]).toBe(kinship[5]![1]);
  const tables = ['--markers-out', out('markers.csv'), '--samples-out', out('samples.csv'), '--ld-out', out('ld.csv')];
  const { code, stdout } = await heterosis('qc', '--genotype', VCF, '--out', out('qc.json'), ...tables);
  expect(code).toBe(0);
  expect(stdout).toContain('markers                   3093 on 10 chromosomes');
  // 9,621 of 835,416 calls; the mean over individuals is a different number.
  expect(stdout).toContain('heterozygous calls        1.15 % of all calls; mean of the individuals 1.17 %');
  expect(stdout).toContain('same genotype             2 pairs: NC336 = NC352, NC362 = NC364');
  expect(stdout).toContain('(from all 2386 markers)');
  expect(stdout).toContain('fewer heterozygotes are expected in inbred lines');
  const rows = (name: string): string[] => readFileSync(out(name), 'utf8').trimEnd().split('\n');
  expect(rows('markers.csv')[0]).toMatch(/^chr,pos,id,A1,A2,freqA2,maf,call_rate,het,hwe_p,/);
  expect(rows('markers.csv')).toHaveLength(1 + 3093);
  expect(rows('samples.csv')).toHaveLength(1 + 281);
  expect(rows('ld.csv')[1]).toMatch(/^all,bp,0,100,/);
  expect(JSON.parse(readFileSync(out('qc.json'), 'utf8'))).toMatchObject({
    kind: 'genotype',
    samples: 281,
    markers: 3093,
  });
});

test('export writes a genotype in other formats, whole and in part, and what it wrote is read again', async () => {
  await summaryOf('import', '--genotype', VCF, '--out', out('imported'));
  const exported = (format: string, file: string) =>
    summaryOf('export', '--genotype', out('imported'), '--format', format, '--out', out(file));
  expect(await exported('plink', 'set')).toMatchObject({
    n: 281,
    m: 3093,
    files: [out('set.bed'), out('set.bim'), out('set.fam')],
  });
  for (const ending of ['bed', 'bim', 'fam']) {
    expect(readFileSync(out(`set.${ending}`)).equals(readFileSync(out(`imported.${ending}`)))).toBe(true);
  }
  for (const [format, file] of [
    ['hapmap', 'set.hmp.txt.gz'],
    ['flapjack', 'flapjack.zip'],
  ] as const) {
    expect(await exported(format, file)).toMatchObject({ files: [out(file)] });
    const again = await summaryOf('import', '--genotype', out(file), '--format', format, '--out', out('again'));
    expect(again).toMatchObject({ format, n: 281, m: 3093 });
  }
  writeFileSync(out('samples.txt'), '# chosen lines\nb73\nMo17\nnobody\n');
  writeFileSync(out('markers.txt'), 'PZA01271.1\nPZB00859.1\n');
  const { code, stderr } = await heterosis(
    ...['export', '--genotype', out('imported'), '--format', 'numeric', '--out', out('part.csv')],
    ...['--samples', out('samples.txt'), '--markers', out('markers.txt')],
  );
  expect(code).toBe(0);
  expect(stderr).toContain(`warning W-NAME-FOLDED ${out('samples.txt')}:2 "b73"`);
  expect(stderr).toContain(`warning W-NAME-UNKNOWN ${out('samples.txt')}:4 "nobody"`);
  const [header, ...lines] = readFileSync(out('part.csv'), 'utf8').trimEnd().split('\n');
  expect(header).toBe('sample,PZB00859.1,PZA01271.1');
  expect(lines.map((line) => line.split(',')[0]!.toUpperCase()).sort()).toEqual(['B73', 'MO17']);
});

test('cross gives exact figures, the same simulation for the same seed, and progeny', async () => {
  const command = (seed: string, name: string) => [
    'cross',
    '--effects',
    join(CROSSING, 'effects.csv'),
    '--genotype',
    join(CROSSING, 'parents.vcf'),
    '--crosses',
    join(CROSSING, 'crossing_table.csv'),
    '--map',
    join(CROSSING, 'linkage_map.csv'),
    '--population',
    'f3',
    '--progeny',
    '40',
    '--seed',
    seed,
    '--out',
    out(name),
    '--progeny-out',
    out(`progeny-${name}`),
    '--progeny-vcf',
    out(`progeny-${name}.vcf.gz`),
  ];
  await summaryOf(...command('1', 'a.csv'));
  await summaryOf(...command('1', 'b.csv'));
  await summaryOf(...command('2', 'c.csv'));
  const [a, b, c] = ['a.csv', 'b.csv', 'c.csv'].map((name) => readFileSync(out(name), 'utf8'));
  expect(b).toBe(a);
  expect(c).not.toBe(a);
  const exact = new Map(
    rows(join(CROSSING, 'exact.csv')).map((row) => [`${row['cross']} ${row['trait']} ${row['population']}`, row]),
  );
  const crosses = rows(out('a.csv'));
  expect(Object.keys(crosses[0]!).join()).toBe(
    'cross,parent1,parent2,trait,mean,variance,sd,usefulness,p_transgress,expected_best,sim_mean,sim_variance,population,parent3,parent4,kinship,segregating_markers',
  );
  expect(crosses).toHaveLength(24);
  for (const row of crosses) {
    const reference = exact.get(`${row['cross']} ${row['trait']} F3`)!;
    for (const figure of ['mean', 'variance', 'sd'] as const) {
      expect(Math.abs(Number(row[figure]) - Number(reference[figure]))).toBeLessThan(
        1e-6 * Math.abs(Number(reference[figure])) + 5.1e-9,
      );
    }
    expect(row['sim_mean']).not.toBe('');
  }
  const progeny = rows(out('progeny-a.csv'));
  expect(progeny).toHaveLength(12 * 40);
  expect(Object.keys(progeny[0]!)).toEqual(['cross', 'id', 'value_yield', 'value_height']);
  expect(progeny[1]!['id']).toBe('C001-2');
  const [genotypes, again, other] = ['a.csv', 'b.csv', 'c.csv'].map((name) =>
    readFileSync(out(`progeny-${name}.vcf.gz`)),
  );
  expect(again!.equals(genotypes!)).toBe(true);
  expect(other!.equals(genotypes!)).toBe(false);
  expect(gunzipSync(genotypes!).toString().split('\n')[2]).toBe('##simulation=<Model=Haldane,Seed=1>');
  // Progeny are ordinary genotyped individuals.
  expect(await summaryOf('qc', '--genotype', out('progeny-a.csv.vcf.gz'))).toMatchObject({ n: 480, m: 2000 });
});

test('a crossing table says for each cross what is grown', async () => {
  writeFileSync(
    out('typed.csv'),
    'cross,female,male,type,n\nA,LINE001,LINE002,RIL,5\nB,LINE001,LINE002,BC1_male,5\nC,PLANT003,,self,5\nD,LINE001,LINE008,,5\n',
  );
  const summary = await summaryOf(
    'cross',
    ...['--effects', join(CROSSING, 'effects.csv'), '--genotype', join(CROSSING, 'parents.vcf')],
    ...['--map', join(CROSSING, 'linkage_map.csv'), '--crosses', out('typed.csv')],
    ...['--population', 'F4', '--out', out('typed-out.csv')],
  );
  expect(summary).toMatchObject({ n: 4, population: 'RIL, BC1_male, F1, F4' });
  expect(rows(out('typed-out.csv')).map((row) => `${row['cross']} ${row['population']}`)).toEqual(
    ['A RIL', 'B BC1_male', 'C F1', 'D F4'].flatMap((row) => [row, row]),
  );
});

test('each trait has its direction, and Kosambi gives exact figures of crosses with two to four parents', async () => {
  const table =
    'cross,parent1,parent2,parent3,parent4\nA,LINE001,LINE002,,\nB,LINE001,LINE002,PLANT003,\nC,LINE001,LINE002,LINE003,LINE004\n';
  writeFileSync(out('several.csv'), table);
  const command = (name: string, ...more: string[]) => [
    'cross',
    ...['--effects', join(CROSSING, 'effects.csv'), '--genotype', join(CROSSING, 'parents.vcf')],
    ...['--map', join(CROSSING, 'linkage_map.csv'), '--crosses', out('several.csv')],
    ...['--population', 'BC1_male_DH', '--analytic-only', '--out', out(name), ...more],
  ];
  await summaryOf(...command('haldane.csv', '--low-traits', 'height'));
  await summaryOf(...command('kosambi.csv', '--low', '--high-traits', 'yield', '--map-function', 'kosambi'));
  const [haldane, kosambi] = [rows(out('haldane.csv')), rows(out('kosambi.csv'))];
  expect(haldane.map((row) => [row['parent3'], row['parent4']].join(' '))).toEqual(
    [' ', 'PLANT003 ', 'LINE003 LINE004'].flatMap((parents) => [parents, parents]),
  );
  for (const [k, row] of haldane.entries()) {
    for (const one of [row, kosambi[k]!])
      expect(Number(one['usefulness']) > Number(one['mean'])).toBe(one['trait'] === 'yield');
    expect(kosambi[k]!['mean']).toBe(row['mean']);
    expect(Number(kosambi[k]!['variance'])).not.toBeCloseTo(Number(row['variance']), 6);
    expect(Number(row['segregating_markers'])).toBeGreaterThan(500);
  }
  const unknown = await heterosis(...command('never.csv', '--high-traits', 'oil'));
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('E-CLI-VALUE')]);
  const simulated = command('never.csv', '--map-function', 'kosambi').filter((part) => part !== '--analytic-only');
  expect(await heterosis(...simulated)).toMatchObject({ code: 2, stderr: expect.stringContaining('--analytic-only') });
});

test('all pairs are ranked by the same figures as single crosses', async () => {
  const common = [
    '--effects',
    join(CROSSING, 'effects.csv'),
    '--genotype',
    join(CROSSING, 'parents.vcf'),
    '--map',
    join(CROSSING, 'linkage_map.csv'),
  ];
  await summaryOf(
    'cross',
    ...common,
    '--crosses',
    join(CROSSING, 'crossing_table.csv'),
    '--population',
    'RIL',
    '--analytic-only',
    '--out',
    out('table.csv'),
  );
  await summaryOf('cross', ...common, '--all-pairs', '--population', 'RIL', '--out', out('pairs.csv'));
  const pairs = new Map(
    rows(out('pairs.csv')).map((row) => [`${[row['parent1'], row['parent2']].sort().join()} ${row['trait']}`, row]),
  );
  expect(pairs.size).toBe(2 * 190);
  for (const row of rows(out('table.csv'))) {
    expect(row['sim_mean']).toBe('');
    const pair = pairs.get(`${[row['parent1'], row['parent2']].sort().join()} ${row['trait']}`)!;
    expect(Math.abs(Number(pair['variance']) / Number(row['variance']) - 1)).toBeLessThan(1e-8);
    expect(Number(pair['mean'])).toBeCloseTo(Number(row['mean']), 10);
  }
});

test('a homozygous file is phased without any other program', async () => {
  const vcf = gunzipSync(readFileSync(VCF)).toString().replaceAll('\t0/1', '\t0/0').replaceAll('\t1/0', '\t0/0');
  writeFileSync(out('homozygous.vcf'), vcf);
  const summary = await summaryOf('phase', '--genotype', out('homozygous.vcf'), '--out', out('phased.vcf.gz'));
  expect(summary).toMatchObject({ n: 281, m: 3093, phased_by: 'homozygous' });
  const phased = gunzipSync(readFileSync(out('phased.vcf.gz'))).toString();
  expect(phased).toContain('0|0');
  expect(phased).not.toMatch(/\d\/\d/);
});

test.each([
  ['an unknown command', ['tarin'], 'E-CLI-COMMAND', 'Did you mean train?'],
  ['an unknown option', ['train', '--genotpye', 'x'], 'E-CLI-OPTION', 'Did you mean --genotype?'],
  ['a missing option', ['train', '--genotype', 'x', '--trait', 'EarHT'], 'E-CLI-MISSING', '--phenotype and --out'],
  ['an option without value', ['qc', '--genotype'], 'E-CLI-VALUE', '--genotype needs a value'],
  [
    'a value out of range',
    ['gwas', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'EarHT', '--maf', '0.7', '--out', 'x'],
    'E-CLI-VALUE',
    'from 0 to 0.5',
  ],
  [
    'an unknown choice',
    ['kinship', '--genotype', VCF, '--method', 'best', '--out', 'x'],
    'E-CLI-VALUE',
    'standardized, vanraden1, dominance',
  ],
  [
    'a list that names nobody',
    ['export', '--genotype', VCF, '--format', 'vcf', '--out', 'x', '--samples', PHENOTYPES, '--markers', PHENOTYPES],
    'match/nothing-in-common',
    'names no individual',
  ],
  [
    'a folder that is not there',
    ['kinship', '--genotype', VCF, '--out', '/nowhere/k.csv'],
    'E-FILE-ENOENT /nowhere/k.csv',
    'There is no folder "/nowhere"',
  ],
  [
    'a folder as a result',
    ['kinship', '--genotype', VCF, '--out', tmpdir()],
    'E-FILE-EISDIR',
    'Give the result a file',
  ],
  [
    'a device as a result',
    ['kinship', '--genotype', VCF, '--out', '/dev/null'],
    'E-CLI-VALUE /dev/null',
    'plain files',
  ],
  ['a folder as a genotype', ['qc', '--genotype', tmpdir()], `E-FILE-EISDIR ${tmpdir()}`, 'This is a folder'],
  [
    'a result in place of an input',
    ['gwas', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'EarHT', '--out', PHENOTYPES],
    'E-CLI-SAME-FILE',
    '--out would replace the file of --phenotype',
  ],
  [
    'progeny of a ranking',
    [
      ...['cross', '--effects', join(CROSSING, 'effects.csv'), '--genotype', join(CROSSING, 'parents.vcf')],
      ...['--map', join(CROSSING, 'linkage_map.csv'), '--out', 'x'],
      ...['--all-pairs', '--progeny-vcf', 'p.vcf'],
    ],
    'E-CLI-OPTION',
    '--all-pairs simulates none',
  ],
  ['a stray word', ['qc', VCF], 'E-CLI-OPTION', 'does not know what to do with'],
  ['a missing file', ['qc', '--genotype', 'nowhere.vcf'], 'E-FILE-ENOENT', 'nowhere.vcf'],
  [
    'an unknown trait',
    ['train', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'Height', '--out', 'x'],
    'models/trait-not-in-phenotype',
    'Its traits are EarHT, dpoll, EarDia.',
  ],
  [
    'an unknown covariate',
    [
      ...['gwas', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'EarHT'],
      ...['--covariates', 'dpol', '--out', 'x'],
    ],
    'gwas/unknown-covariate',
    'Did you mean "dpoll"?',
  ],
  [
    'a trait as its own covariate',
    [
      ...['gwas', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'EarHT'],
      ...['--covariates', 'EarHT', '--out', 'x'],
    ],
    'gwas/covariate-is-trait',
    'cannot be a trait and a covariate at once',
  ],
  ['a phenotype instead of a genotype', ['qc', '--genotype', PHENOTYPES], 'E-', 'phenotypes.csv'],
  [
    'a genotype instead of a model',
    ['predict', '--model', PHENOTYPES, '--genotype', VCF, '--out', 'x'],
    'models/not-a-model',
    'it is not JSON',
  ],
])('%s ends with exit code 2 and a coded record', async (_case, args, code, text) => {
  const result = await heterosis(...args);
  expect(result.code, result.stderr).toBe(2);
  expect(result.stdout).toBe('');
  expect(result.stderr).toContain(`error ${code}`);
  expect(result.stderr).toContain(text);
  expect(result.stderr).not.toContain('    at ');
});

test('a variant in two rows is refused with the option that keeps both', async () => {
  const row = (id: string) => `1\t7\t${id}\tA\tC\t.\t.\t.\tGT\t0/1\t0/0\n`;
  writeFileSync(
    out('twice.vcf'),
    `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\n${row('m1')}${row('m2')}`,
  );
  const args = ['import', '--genotype', out('twice.vcf'), '--out', out('twice')];
  const refused = await heterosis(...args);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('keep both with --duplicate-positions keep.');
  expect((await heterosis(...args, '--duplicate-positions', 'keep')).code).toBe(0);
});

test('calls of one allele among calls of two are refused with the option that reads them', async () => {
  writeFileSync(
    out('haploid.vcf'),
    '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\n1\t7\tm1\tA\tC\t.\t.\t.\tGT\t0/1\t1\n',
  );
  const args = ['import', '--genotype', out('haploid.vcf'), '--out', out('haploid')];
  const refused = await heterosis(...args);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('as homozygous with --haploid-calls homozygous');
  expect((await heterosis(...args, '--haploid-calls', 'homozygous')).code).toBe(0);
});

test('the coding of a numeric matrix is found, or told, and one that does not fit is refused', async () => {
  writeFileSync(out('numbers.csv'), 'marker,chrom,pos,REF,ALT,a,b,c\nm1,1,5,A,C,0,1,1\nm2,1,9,G,T,1,0,1\n');
  const read = (...more: string[]) =>
    heterosis('import', '--genotype', out('numbers.csv'), '--out', out('numbers'), '--json', ...more);
  const found = await read();
  expect([JSON.parse(found.stdout).coding, found.stderr.includes('W-GT-CODING')]).toEqual(['0/1', true]);
  const told = await read('--coding', '-1/0/1');
  expect([JSON.parse(told.stdout).coding, told.stderr.includes('W-GT-CODING')]).toEqual(['-1/0/1', false]);
  writeFileSync(out('numbers.csv'), 'id,m1,m2\na,0,2\nb,1,0\n');
  const refused = await read('--coding', '0/1');
  expect([refused.code, refused.stderr.includes('E-GT-CODING')]).toEqual([2, true]);
  expect((await read('--coding', '0/1/3')).code).toBe(2);
});

test('folds in which the model finds no genetic variance are counted in a warning, since the mean of r leaves them out', async () => {
  const genotyped =
    /^#CHROM.*$/m
      .exec(gunzipSync(readFileSync(VCF)).toString())?.[0]
      .split('\t')
      .slice(9) ?? [];
  const noise = (i: number) => (Math.sin(12.9898 * (i + 1)) * 43758.5453) % 1;
  writeFileSync(out('noise.csv'), `line,noise\n${genotyped.map((name, i) => `${name},${noise(i)}\n`).join('')}`);
  const { code, stdout, stderr } = await heterosis(
    ...['evaluate', '--genotype', VCF, '--phenotype', out('noise.csv'), '--trait', 'noise', '--json'],
    ...['--n-fold', '3', '--n-repetition', '2', '--out', out('noise-r.csv')],
  );
  expect(code, stderr).toBe(0);
  const empty = rows(out('noise-r.csv')).filter(({ r }) => r === '');
  const [summary] = JSON.parse(stdout).traits;
  expect([empty.length > 0, summary.folds_without_r]).toEqual([true, empty.length]);
  expect(stderr).toContain('W-CV-NO-R');
  expect(stderr).toContain(
    `${empty.length} of 6 folds have no r and are not in its mean (first repetition ${empty[0]?.repetition}, fold ${empty[0]?.fold})`,
  );
  expect(stderr).toContain('The other folds show no genetic variance');
});

test('individuals without a fold are counted in a warning, and a template of the import is a map with a known unit', async () => {
  const genotyped = /^#CHROM.*$/m.exec(gunzipSync(readFileSync(VCF)).toString())?.[0].split('\t') ?? [];
  const phenotyped = readFileSync(PHENOTYPES, 'utf8')
    .split('\n')
    .flatMap((line) => (/,\d/.test(line) ? line.split(',', 1) : []));
  const some = phenotyped.filter((name) => genotyped.includes(name)).slice(0, 40);
  writeFileSync(out('few-folds.csv'), `individual,rep1\n${some.map((name, i) => `${name},${1 + (i % 2)}\n`).join('')}`);
  const { code, stderr } = await heterosis(
    ...['evaluate', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'EarHT'],
    ...['--folds', out('few-folds.csv'), '--out', out('few.csv')],
  );
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`warning W-FO-NO-FOLD ${out('few-folds.csv')} EarHT "239": 239 of 279 individuals`);
  await summaryOf('import', '--genotype', VCF, '--out', out('with-template'));
  writeFileSync(
    out('inbred.vcf'),
    gunzipSync(readFileSync(VCF)).toString().replaceAll('\t0/1', '\t0/0').replaceAll('\t1/0', '\t0/0'),
  );
  writeFileSync(out('pair.csv'), 'female,male\nB73,MO17\n');
  await summaryOf(
    'train',
    ...['--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'EarHT', '--out', out('m.json')],
  );
  const cross = await heterosis(
    ...['cross', '--model', out('m.json'), '--genotype', out('inbred.vcf'), '--crosses', out('pair.csv')],
    ...['--map', out('with-template.linkmaptemp.csv'), '--analytic-only', '--out', out('pair-out.csv')],
  );
  expect(cross.code, cross.stderr).toBe(0);
  expect(cross.stderr).not.toContain('W-LM-');
});

test('files without a common name end with exit code 2 and leave no output', async () => {
  writeFileSync(
    out('strangers.csv'),
    `line,EarHT\n${Array.from({ length: 30 }, (_, i) => `field plot ${i},${i}\n`).join('')}`,
  );
  const result = await heterosis(
    'train',
    '--genotype',
    VCF,
    '--phenotype',
    out('strangers.csv'),
    '--trait',
    'EarHT',
    '--out',
    out('none.json'),
  );
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('error match/nothing-in-common');
  expect(existsSync(out('none.json'))).toBe(false);
});

test('every problem of a bad genotype is on standard error with its line, as JSON when asked for', async () => {
  const header = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\n';
  writeFileSync(
    out('bad.vcf'),
    `${header}1\t10\tm1\tA\tG\t.\t.\t.\tGT\t0/0\t0/7\n1\tx\tm2\tA\tG\t.\t.\t.\tGT\t0/0\t0/1\n`,
  );
  const plain = await heterosis('import', '--genotype', out('bad.vcf'), '--out', out('bad'));
  expect(plain.code).toBe(2);
  expect(plain.stderr).toContain(`error E-GT-BAD-CALL ${out('bad.vcf')}:3`);
  expect(plain.stderr).toContain(`error E-GT-POS ${out('bad.vcf')}:4`);
  expect(existsSync(out('bad.bed'))).toBe(false);
  const json = await heterosis('import', '--genotype', out('bad.vcf'), '--out', out('bad'), '--json');
  expect(json.code).toBe(2);
  const records = json.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.map(({ code, line }) => [code, line])).toEqual([
    ['E-GT-BAD-CALL', 3],
    ['E-GT-POS', 4],
  ]);
});

test('heterozygous parents without phase are refused with the way out', async () => {
  writeFileSync(
    out('unphased.vcf'),
    readFileSync(join(CROSSING, 'parents.vcf'), 'utf8').replaceAll(/(\d)\|(\d)/g, '$1/$2'),
  );
  const result = await heterosis(
    'cross',
    '--effects',
    join(CROSSING, 'effects.csv'),
    '--genotype',
    out('unphased.vcf'),
    '--map',
    join(CROSSING, 'linkage_map.csv'),
    '--crosses',
    join(CROSSING, 'crossing_table.csv'),
    '--out',
    out('unphased.csv'),
  );
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('error crossing/unphased-parents');
  expect(result.stderr).toContain('Phase the genotype file and use the phased file');
});
