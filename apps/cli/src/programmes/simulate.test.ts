import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = readFileSync(fromHere('../../../../docs/user-guide/programmes.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json ?? '');
const reference = (name: string) => fromHere(`../../../../packages/statgen/reference/programmes/${name}.csv`);
const folder = mkdtempSync(join(tmpdir(), 'heterosis-simulate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const out = (name: string) => join(folder, name);
const scheme = (text: string) => {
  writeFileSync(out('scheme.json'), text);
  return out('scheme.json');
};

const simulate = (asked: { text: string; haplotypes?: string; effects?: string; rest?: string[] }) =>
  heterosis(
    ...['simulate', '--scheme', scheme(asked.text), '--haplotypes', asked.haplotypes ?? reference('haplotypes')],
    ...['--map', reference('map'), '--effects', asked.effects ?? reference('effects')],
    ...['--replicates', '3', '--seed', '5', '--out', out('cycles.csv'), ...(asked.rest ?? [])],
  );
const gain = (csv: string) => Number(/^10,dh,mean_gv1,([^,]+)/m.exec(csv)?.[1]);
const cycles = () => readFileSync(out('cycles.csv'), 'utf8');

test('a scheme of the help page gives the same file with any number of threads', { tags: 'whole' }, async () => {
  const [, dh = ''] = BLOCKS;
  const one = await simulate({ text: dh, rest: ['--threads', '1'] });
  expect([one.stderr, one.code]).toEqual(['', 0]);
  expect(one.stdout).toContain('DH lines: 3 replicates of 10 cycles, 60 founders, 1200 loci');
  const before = cycles();
  expect(before).toMatch(/^cycle,stage,quantity,mean,sd,se,replicates\n/);
  expect(before).toMatch(/^10,selected,top4_gv1,[\d.]+,[\d.]+,[\d.]+,3$/m);
  expect(before).toMatch(/^2,programme,cost,17200,0,0,3$/m);
  expect((await simulate({ text: dh, rest: ['--threads', '4'] })).code).toBe(0);
  expect(cycles()).toBe(before);
  await simulate({ text: dh, rest: ['--replicates-out', out('each.csv')] });
  const each = readFileSync(out('each.csv'), 'utf8').trim().split('\n');
  expect(each[0]).toBe('replicate,cycle,stage,quantity,value');
  const gains = each.filter((line) => line.includes(',10,dh,mean_gv1,')).map((line) => Number(line.split(',')[4]));
  expect(gains).toHaveLength(3);
  expect(gains.reduce((sum, gain) => sum + gain / 3, 0)).toBeCloseTo(gain(before), 9);
  // The founders' mean is 0, which the intercepts of the reference say too.
  await simulate({ text: dh, rest: ['--intercepts', reference('intercepts')] });
  expect(gain(cycles())).toBeCloseTo(gain(before), 6);
});

test('carriers of a backcross have the share of the recurrent parent that they are selected for', async () => {
  expect((await simulate({ text: BLOCKS[5] ?? '' })).code).toBe(0);
  const share = (cycle: number, stage: string) =>
    Number(new RegExp(`^${cycle},${stage},mean_share,([^,]+)`, 'm').exec(cycles())?.[1]);
  expect(share(1, 'bc')).toBeGreaterThan(0.7);
  expect(share(1, 'selected')).toBeGreaterThan(share(1, 'bc'));
  expect(share(4, 'line')).toBeGreaterThan(0.97);
  expect(cycles()).toMatch(/^4,line,mean_target,2,0,0,3$/m);
});

test('wrong schemes and tables are refused with the place', async () => {
  const bad = await simulate({ text: (BLOCKS[1] ?? '').replace('"by": "y1"', '"by": "y3"') });
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain('E-SM-SCHEME');
  expect(bad.stderr).toContain(
    'cycle, stage 5 (select), by: The population has no column "y3" at this point; it has y1.',
  );
  const table = (name: string, text: string) => {
    writeFileSync(out(name), text);
    return out(name);
  };
  const alleles = readFileSync(reference('haplotypes'), 'utf8');
  const missing = await simulate({
    text: BLOCKS[1] ?? '',
    haplotypes: table('h.csv', alleles.replace('a01_001,0', 'a01_001,.')),
  });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('E-SM-ALLELE')]);
  const short = await simulate({
    text: BLOCKS[1] ?? '',
    haplotypes: table('h.csv', alleles.replace(/^a01_002.*\n/m, '')),
  });
  expect(short.stderr).toContain('Loci of the map lack alleles: a01_002.');
  const unplaced = await simulate({ text: BLOCKS[1] ?? '', effects: table('e.csv', 'locus,trait1_a\nx,1\n') });
  expect(unplaced.stderr).toContain('E-SM-LOCUS');
});

test('effects drawn from a model differ between replicates and agree with its records', async () => {
  const [header = '', ...lines] = readFileSync(reference('haplotypes'), 'utf8').trim().split('\n');
  const names = header.split(',').slice(1);
  const effects = new Map(
    readFileSync(reference('effects'), 'utf8')
      .split('\n')
      .map((line) => [line.split(',')[0], Number(line.split(',')[1])]),
  );
  const values = names.map(() => 0);
  const rows = lines.map((line, j) => {
    const [locus = '', ...alleles] = line.split(',');
    for (const [i, allele] of alleles.entries())
      values[i] = (values[i] ?? 0) + 2 * Number(allele) * (effects.get(locus) ?? 0);
    return `1\t${j + 1}\t${locus}\tA\tT\t.\t.\t.\tGT\t${alleles.map((allele) => `${allele}|${allele}`).join('\t')}`;
  });
  const columns = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names];
  writeFileSync(out('panel.vcf'), `##fileformat=VCFv4.2\n${columns.join('\t')}\n${rows.join('\n')}\n`);
  writeFileSync(
    out('values.csv'),
    `name,y\n${names.map((name, i) => `${name},${(values[i] ?? 0) + Math.sin(i * 7)}`).join('\n')}\n`,
  );
  const train = ['train', '--genotype', out('panel.vcf'), '--phenotype', out('values.csv'), '--trait', 'y'];
  expect((await heterosis(...train, '--out', out('model.json'))).code).toBe(0);
  const scheme = JSON.stringify({
    name: 'founders',
    cycles: 1,
    error: { environment: 0, plot: 1 },
    start: [],
    cycle: [
      { do: 'measure', stage: 'founders', population: 'founders' },
      { do: 'take', from: 'founders', individuals: ['AL01'], into: 'one' },
      { do: 'measure', stage: 'one', population: 'one' },
    ],
  });
  writeFileSync(out('scheme.json'), scheme);
  const run = (genotype: string) =>
    heterosis(
      ...[
        'simulate',
        '--scheme',
        out('scheme.json'),
        '--haplotypes',
        reference('haplotypes'),
        '--map',
        reference('map'),
      ],
      ...[
        '--model',
        out('model.json'),
        '--genotype-train',
        genotype,
        '--replicates',
        '300',
        '--out',
        out('cycles.csv'),
      ],
    );
  const drawn = await run(out('panel.vcf'));
  expect([drawn.stderr.replace(/^warning.*\n/gm, ''), drawn.code]).toEqual(['', 0]);
  const model = JSON.parse(readFileSync(out('model.json'), 'utf8'));
  const place = model.individuals.indexOf('AL01');
  const { gebv, reliability, variance } = model.traits[0].fit;
  const found = /^1,one,mean_gv1,([^,]+),([^,]+),([^,]+)/m.exec(cycles())?.slice(1).map(Number) ?? [];
  const [mean = Number.NaN, sd = 0, se = 0] = found;
  expect(Math.abs(mean - gebv[place])).toBeLessThan(3 * se);
  // The s.d. over replicates is that of the prediction error, which is a part of the line's own variance.
  expect(reliability[place]).toBeGreaterThan(0);
  expect(sd).toBeGreaterThan(0.3 * Math.sqrt(variance.additive * (1 - reliability[place])));
  writeFileSync(out('other.vcf'), readFileSync(out('panel.vcf'), 'utf8').replaceAll('AL01\tAL02', 'AL02\tAL01'));
  const other = await run(out('other.vcf'));
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('programmes/not-the-training-genotype')]);
});

test('QTL of an architecture are drawn in each replicate, and give the founders their mean and variance', async () => {
  const cycle = [{ do: 'measure', stage: 'founders', population: 'founders' }];
  const scheme = { name: 'founders', cycles: 1, error: { environment: 0, plot: 1 }, start: [], cycle };
  writeFileSync(out('scheme.json'), JSON.stringify(scheme));
  const run = async (architecture: unknown) => {
    writeFileSync(out('architecture.json'), JSON.stringify(architecture));
    const files = ['--haplotypes', reference('haplotypes'), '--map', reference('map')];
    return await heterosis(
      ...['simulate', '--scheme', out('scheme.json'), ...files, '--architecture', out('architecture.json')],
      ...['--replicates', '4', '--out', out('cycles.csv')],
    );
  };
  expect((await run([{ trait: 'yield', qtl: 30, mean: 90, variance: 25 }])).code).toBe(0);
  // The same in every replicate, while other QTL give another genic variance.
  expect(cycles()).toMatch(/^1,founders,mean_gv1,(90|89\.9{6,}\d*|90\.0{6,}\d*),/m);
  expect(cycles()).toMatch(/^1,founders,var_gv1,(25|24\.9{6,}\d*|25\.0{6,}\d*),/m);
  expect(Number(/^1,founders,genic_hwe1,[^,]+,([^,]+),/m.exec(cycles())?.[1])).toBeGreaterThan(0.1);
  const wrong = await run([{ trait: 'yield', qtl: 30 }]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('E-SM-ARCHITECTURE')]);
});
