import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';

// The autotetraploid reference population and its results are described in packages/statgen/reference/sim4x.
const REFERENCE = new URL('../../../packages/statgen/reference/sim4x/', import.meta.url);
const sim4x = (name: string): string => fileURLToPath(new URL(name, REFERENCE));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'polyploid-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const out = (name: string): string => join(folder, name);

type Row = Record<string, string>;

function rows(path: string): Row[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const [header = '', ...lines] = text.trim().split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((column, i) => [column, cells[i] ?? '']));
  });
}

/** A number of a row; NaN where it is empty. */
const at = (row: Row | undefined, column: string): number => {
  const text = row?.[column] ?? '';
  return text === '' ? Number.NaN : Number(text);
};

async function succeeds(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await heterosis(...args, '--json');
  expect(code, stderr).toBe(0);
  return stdout;
}

const GENOTYPE = ['--genotype', sim4x('sim4x.vcf.gz'), '--maf', '0.02', '--call-rate', '0'];
const PHENOTYPE = ['--phenotype', sim4x('phenotypes.csv'), '--trait', 'y,y2'];

interface TrainedJson {
  traits: {
    trait: string;
    variance: { additive: number; dominance: number | null; residual: number };
    log_likelihood: number;
  }[];
}

const relative = (actual: number, expected: number): number => Math.abs(actual - expected) / Math.abs(expected);

describe('plants that differ in ploidy', () => {
  let mixed: string;
  beforeAll(() => {
    // Two diploids beside the reference population: the first two homologs of its first plants.
    const text = gunzipSync(readFileSync(sim4x('sim4x.vcf.gz'))).toString();
    const lines = text.trimEnd().split('\n');
    const withDiploids = lines.map((line) => {
      if (line.startsWith('##')) return line;
      const cells = line.split('\t');
      const added = line.startsWith('#CHROM')
        ? ['dip1', 'dip2']
        : cells.slice(9, 11).map((cell) => cell.replace(/^([^:]*)/u, (gt) => gt.split(/[/|]/u).slice(0, 2).join('/')));
      return [...cells, ...added].join('\t');
    });
    mixed = out('mixed.vcf');
    writeFileSync(mixed, `${withDiploids.join('\n')}\n`);
  });

  test('are described and written again, and refused by what compares plants', async () => {
    const qc = JSON.parse(await succeeds('qc', '--genotype', mixed)) as { qc: { ploidies: unknown } };
    expect(qc.qc.ploidies).toEqual([
      { ploidy: 2, samples: 2 },
      { ploidy: 4, samples: 290 },
    ]);
    await succeeds('export', '--genotype', mixed, '--format', 'vcf', '--out', out('mixed-again.vcf'));
    const again = await heterosis('qc', '--genotype', out('mixed-again.vcf'));
    expect(again.stdout).toContain('292, of different ploidy: 2 of 2x, 290 of 4x');
    await succeeds('import', '--genotype', mixed, '--out', out('mixed'));
    for (const genotype of [mixed, out('mixed')]) {
      const args = ['kinship', '--genotype', genotype, '--method', 'vanraden1', '--out', out('k.csv')];
      const { code, stderr } = await heterosis(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('E-GT-PLOIDY-MIX')]);
      expect(stderr).toContain('--samples-of-ploidy 4');
    }
  });

  test('give the plants of one ploidy, with the results of a file of their own', async () => {
    const args = ['kinship', '--method', 'vanraden1', '--maf', '0', '--call-rate', '0'];
    await succeeds(...args, '--genotype', sim4x('sim4x.vcf.gz'), '--out', out('k4.csv'));
    await succeeds('import', '--genotype', mixed, '--out', out('mixed'));
    for (const [i, genotype] of [mixed, out('mixed')].entries()) {
      await succeeds(...args, '--genotype', genotype, '--samples-of-ploidy', '4', '--out', out(`k4-${i}.csv`));
      expect(readFileSync(out(`k4-${i}.csv`)).equals(readFileSync(out('k4.csv')))).toBe(true);
      const hapmap = out(`dip${i}.hmp.txt`);
      await succeeds(
        'export',
        '--genotype',
        genotype,
        '--samples-of-ploidy',
        '2',
        '--format',
        'hapmap',
        '--out',
        hapmap,
      );
      expect(readFileSync(hapmap, 'utf8').split('\n', 1)[0]?.split('\t').slice(11)).toEqual(['dip1', 'dip2']);
    }
  });
});

describe('models of tetraploids', () => {
  test.each([
    ['G', 'individuals', []],
    ['G', 'markers', []],
    ['G+D', 'individuals', ['--dominance']],
  ])('%s by %s have the components, values and reliabilities of the reference', async (name, engine, options) => {
    const model = out(`${name}-${engine}.json`);
    const args = [...GENOTYPE, ...PHENOTYPE, ...options, '--engine', engine, '--out', model];
    const { traits } = JSON.parse(await succeeds('train', ...args)) as TrainedJson;
    const components = rows(sim4x('varcomp.csv')).filter((row) => row['model'] === name);
    for (const { trait, variance, log_likelihood } of traits) {
      const of = (component: string) =>
        components.find((row) => row['trait'] === trait && row['component'] === component);
      // The reference leaves ½ log|XᵀX| out; X is a column of 280 ones.
      expect(log_likelihood - Math.log(280) / 2).toBeCloseTo(at(of('additive'), 'logL'), 6);
      expect(relative(variance.additive, at(of('additive'), 'estimate'))).toBeLessThan(1e-4);
      expect(relative(variance.residual, at(of('residual'), 'estimate'))).toBeLessThan(1e-4);
      if (trait === 'y' && variance.dominance !== null)
        expect(relative(variance.dominance, at(of('digenic'), 'estimate'))).toBeLessThan(1e-4);
    }
    const predicted = out(`${name}-${engine}.csv`);
    await succeeds('predict', '--genotype', sim4x('sim4x.vcf.gz'), '--model', model, '--out', predicted);
    const expected = new Map(rows(sim4x('gebv.y.csv.gz')).map((row) => [row['sample'], row]));
    const mean = at(
      components.find((row) => row['trait'] === 'y'),
      'intercept',
    );
    for (const row of rows(predicted)) {
      const one = expected.get(row['id']);
      expect(Math.abs(at(row, 'gebv_y') - mean - at(one, `${name}.additive.u`))).toBeLessThan(1e-6);
      expect(Math.abs(at(row, 'reliability_y') - at(one, `${name}.additive.rel`))).toBeLessThan(1e-6);
      if (name === 'G') continue;
      const u = at(one, 'G+D.additive.u') + at(one, 'G+D.digenic.u');
      expect(Math.abs(at(row, 'genotypic_y') - mean - u)).toBeLessThan(1e-6);
    }
  });

  test('are cross-validated as the reference is, fold by fold', { tags: 'whole' }, async () => {
    for (const [name, options] of [
      ['G', []],
      ['G+D', ['--dominance']],
    ] as const) {
      const path = out(`folds-${name}.csv`);
      await succeeds('evaluate', ...GENOTYPE, ...PHENOTYPE, ...options, '--folds', sim4x('folds.csv'), '--out', path);
      const found = rows(path);
      const expected = rows(sim4x('cv.csv')).filter((row) => row['model'] === name);
      expect(expected.length).toBeGreaterThan(0);
      for (const row of expected) {
        const one = found.find(
          ({ trait, repetition, fold }) => trait === row['trait'] && repetition === row['rep'] && fold === row['fold'],
        );
        expect(Math.abs(at(one, 'r') - at(row, 'r'))).toBeLessThan(1e-3);
      }
    }
  });

  test('predict no diploids, and their markers are pruned by the r² of dosages', async () => {
    const model = out('tetraploid.json');
    await succeeds('train', ...GENOTYPE, ...PHENOTYPE, '--out', model);
    const diploids = out('diploids.csv');
    const markers = rows(sim4x('dosage.csv.gz')).slice(0, 400);
    writeFileSync(
      diploids,
      `marker,chrom,pos,a,b\n${markers.map((row) => `${row['marker']},${row['chrom']},${row['pos']},0,2`).join('\n')}\n`,
    );
    const refused = await heterosis('predict', '--genotype', diploids, '--model', model, '--out', out('no.csv'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('predictions/other-ploidy')]);
    const pruned = out('pruned.json');
    await succeeds('train', ...GENOTYPE, ...PHENOTYPE, '--prune-r2', '0.5', '--out', pruned);
    const kept = (path: string): number => JSON.parse(readFileSync(path, 'utf8')).markers.id.length;
    expect(kept(pruned)).toBeLessThan(kept(model));
  });
});

describe('a pedigree of tetraploids', () => {
  const PEDIGREE = ['--pedigree', sim4x('pedigree.csv')];

  test('says by which convention founders are inbred, and takes their ploidy from the genotype', async () => {
    const summary = async (...args: string[]) =>
      JSON.parse(await succeeds('pedigree', ...PEDIGREE, ...args, '--relationships', out('a.csv')));
    expect(await summary('--ploidy', '4', '--double-reduction', '0.1')).toMatchObject({
      ...{ ploidy: 4, double_reduction: 0.1, founders: 'non-inbred', founder_inbreeding: 0 },
    });
    expect(rows(out('a.csv'))[0]).toMatchObject({ id: 'P01', P01: '1' });
    const { founder_inbreeding } = await summary(
      ...['--ploidy', '4', '--double-reduction', '0.1', '--founders', 'equilibrium'],
    );
    expect(founder_inbreeding).toBeCloseTo(0.1 / 2.1, 12);
    expect(await summary('--genotype', sim4x('sim4x.vcf.gz'))).toMatchObject({
      ...{ ploidy: 4, double_reduction: 0, single_step: { genotyped: 290, shift: 0, factor: 1 } },
    });
  });

  test.each([
    ['double reduction of diploids', ['--double-reduction', '0.1', '--relationships', 'a.csv'], 'Diploids have no'],
    ['the sparse inverse', ['--ploidy', '4', '--out-inverse', 'a.csv'], 'that of diploids'],
    [
      'one file twice',
      ['--ploidy', '4', '--relationships', 'a.csv', '--out-relationships', 'a.csv'],
      'E-CLI-SAME-FILE',
    ],
    ['another ploidy than the genotype', ['--ploidy', '6', '--genotype', sim4x('sim4x.vcf.gz')], 'E-GT-PLOIDY'],
  ])('refuses %s', async (_, args, message) => {
    const file = args.includes('a.csv') ? [] : ['--relationships', out('no.csv')];
    const { code, stderr } = await heterosis(
      'pedigree',
      ...PEDIGREE,
      ...args.map((one) => (one === 'a.csv' ? out(one) : one)),
      ...file,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('a GWAS of tetraploids', () => {
  const INPUT = ['--genotype', sim4x('sim4x.vcf.gz'), '--phenotype', sim4x('phenotypes.csv'), '--trait', 'y'];

  /** Tests these gene actions and compares those of the reference; the names of all that were tested. */
  async function comparedWithReference(actions: string): Promise<string[]> {
    const path = out('actions.csv');
    const summary = JSON.parse(await succeeds('gwas', ...INPUT, '--gene-action', actions, '--out', path));
    const [null_] = rows(sim4x('gwas.y.null.csv'));
    // The reference searched h² to 4e-8.
    expect(relative(summary.variance_null.h2, at(null_, 'h2'))).toBeLessThan(1e-6);
    expect(relative(summary.variance_null.residual, at(null_, 've'))).toBeLessThan(1e-6);
    const found = new Map(rows(path).map((row) => [`${row['id']} ${row['gene_action']}`, row]));
    const tested = [...new Set(rows(path).map((row) => row['gene_action'] ?? ''))];
    const expected = rows(sim4x('gwas.y.csv.gz')).filter((row) => tested.includes(row['model'] ?? ''));
    expect(expected.length).toBeGreaterThan(0);
    for (const row of expected) {
      const one = found.get(`${row['marker']} ${row['model']}`);
      expect([one?.['df'], one?.['df2']]).toEqual([row['df1'], row['df2']]);
      expect(Math.abs(at(one, 'neg_log10_p') - at(row, 'exact_neglog10p'))).toBeLessThan(1e-4);
      expect(Math.abs(at(one, 'p3d_neg_log10_p') - at(row, 'p3d_neglog10p'))).toBeLessThan(1e-4);
      if (row['p3d_effect'] === '') continue;
      // Of effects near 0 the reference has the digits of their errors.
      const error = at(row, 'exact_se');
      const near = (actual: number, other: number) => Math.abs(actual - other) / Math.max(Math.abs(other), error);
      expect(near(at(one, 'effect'), at(row, 'exact_effect'))).toBeLessThan(1e-4);
      expect(near(at(one, 'p3d_effect'), at(row, 'p3d_effect'))).toBeLessThan(1e-4);
      expect(relative(at(one, 'effect_se'), error)).toBeLessThan(1e-4);
      expect(relative(at(one, 'p3d_effect_se'), at(row, 'p3d_se'))).toBeLessThan(1e-4);
    }
    return tested.toSorted();
  }

  test('has the tests of the reference, exact and by P3D', async () => {
    expect(await comparedWithReference('diplo-additive')).toEqual(['diplo-additive']);
  });

  test('has those of the reference for each gene action', { tags: 'whole' }, async () => {
    expect(await comparedWithReference('additive,1-dom,2-dom,general,diplo-additive,diplo-general')).toEqual(
      '1-dom-alt 1-dom-ref 2-dom-alt 2-dom-ref additive diplo-additive diplo-general general'.split(' '),
    );
  });

  test('without gene actions is the same from individuals and from markers', { tags: 'whole' }, async () => {
    for (const engine of ['individuals', 'markers'])
      await succeeds('gwas', ...INPUT, '--test', 'WALD', '--engine', engine, '--out', out(`${engine}.csv`));
    const [individuals, markers] = [rows(out('individuals.csv')), rows(out('markers.csv'))];
    expect(individuals.length).toBe(560);
    for (const [j, row] of individuals.entries())
      expect(Math.abs(at(row, 'neg_log10_p') - at(markers[j], 'neg_log10_p'))).toBeLessThan(1e-8);
  });

  test('puts hits together by the correlation of their dosages', async () => {
    await succeeds(
      'gwas',
      ...INPUT,
      '--clumps',
      out('clumps.csv'),
      '--clump-r2',
      '0.1',
      '--clump-kb',
      '100000',
      '--clump-p1',
      '0.01',
      '--out',
      out('hits.csv'),
    );
    const [dosages, clumps] = [rows(sim4x('dosage.csv.gz')), rows(out('clumps.csv'))];
    const calls = new Map(dosages.map(({ marker = '', chrom: _, pos: __, ...of }) => [marker, of]));
    const r2 = (one: string, other: string): number => {
      const [a, b] = [calls.get(one) ?? {}, calls.get(other) ?? {}];
      const observed = rows(sim4x('phenotypes.csv')).flatMap(({ sample = '', y }) => (y === '' ? [] : [sample]));
      const both = observed.flatMap((name) =>
        a[name] === 'NA' || b[name] === 'NA' ? [] : [[at(a, name), at(b, name)]],
      );
      const mean = (of: number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
      const [mx, my] = [mean(both.map(([x = 0]) => x)), mean(both.map(([, y = 0]) => y))];
      const sums = both.map(([x = 0, y = 0]) => [(x - mx) * (y - my), (x - mx) ** 2, (y - my) ** 2]);
      const [xy, xx, yy] = [0, 1, 2].map((k) => sums.reduce((sum, row) => sum + (row[k] ?? 0), 0));
      return (xy ?? 0) ** 2 / ((xx ?? 0) * (yy ?? 0));
    };
    const members = clumps.flatMap(({ id = '', members = '' }) =>
      members
        .split(' ')
        .filter(Boolean)
        .map((one) => [id, one]),
    );
    expect(members.length).toBeGreaterThan(0);
    for (const [first = '', other = ''] of members) expect(r2(first, other)).toBeGreaterThanOrEqual(0.1);
  });

  test('estimates gene actions, and leaves chromosomes out', { tags: 'whole' }, async () => {
    const args = ['--gene-action', 'additive,general', '--loco', '--out', out('loco.csv')];
    const estimate = JSON.parse(await succeeds('gwas', ...INPUT, ...args, '--estimate'));
    expect(estimate.seconds).toBeGreaterThan(0);
    expect(estimate.memory_mb).toBeGreaterThan(0);
    expect(JSON.parse(await succeeds('gwas', ...INPUT, ...args)).loco).toBe(true);
    const h2 = new Set(rows(out('loco.csv')).map((row) => `${row['chr']} ${row['p3d_h2']}`));
    expect(h2.size).toBe(6);
  });

  test.each([
    [['--gene-action', 'additive', '--condition-on', 'c1_1'], 'without given markers'],
    [['--gene-action', 'overdominant'], '--gene-action cannot be "overdominant"'],
    [['--dominance'], 'analysis/diploids-only'],
    [['--gene-action', 'additive', '--clumps', 'clumps.csv'], 'does not go with --clumps'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await heterosis(
      ...['gwas', ...INPUT, ...args.map((one) => (one.endsWith('.csv') ? out(one) : one)), '--out', out('no.csv')],
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('crosses of tetraploids', () => {
  const parents = rows(sim4x('phased_parents.csv.gz'));
  const names = Object.keys(parents[0] ?? {}).slice(1);
  const placeOf = new Map(rows(sim4x('map.csv')).map((row) => [row['marker'], row]));

  /** The phased parents as a VCF; its path. */
  function phasedVcf(callOf = (call: string) => call): string {
    const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t');
    const lines = parents.map((row) => {
      const { chrom, pos } = placeOf.get(row['marker']) ?? {};
      const calls = names.map((name) => callOf(row[name] ?? ''));
      return [chrom, pos, row['marker'], 'A', 'G', '.', 'PASS', '.', 'GT', ...calls].join('\t');
    });
    const path = out('parents.vcf');
    writeFileSync(path, `##fileformat=VCFv4.3\n${head}\n${lines.join('\n')}\n`);
    return path;
  }

  function inputs(): string[] {
    const effects = rows(sim4x('truth_effects.csv')).map((row) =>
      [row['marker'], 'G', row['a_per_alt_allele'], row['a_per_alt_allele'], row['d_times_x(p-x)/(p^2/4)']].join(','),
    );
    writeFileSync(
      out('effects.csv'),
      `marker,effect_allele,a_additive,total_additive,total_dominance\n${effects.join('\n')}\n`,
    );
    const map = [...placeOf.values()].map((row) => `${row['marker']},${row['chrom']},${row['pos']},${row['cM']}`);
    writeFileSync(out('map.csv'), `SNPid,chr,physPos,linkMapPos (cM)\n${map.join('\n')}\n`);
    const crosses = names.flatMap((female, i) =>
      names.slice(i).map((male) => `${female},${male},${female === male ? 'self' : 'F1'}`),
    );
    writeFileSync(out('crosses.csv'), `female,male,type\n${crosses.join('\n')}\n`);
    return ['--effects', out('effects.csv'), '--map', out('map.csv')];
  }

  test('have the moments of the reference under bivalents', async () => {
    const args = [
      ...inputs(),
      '--genotype',
      phasedVcf(),
      '--crosses',
      out('crosses.csv'),
      '--out',
      out('crosses-out.csv'),
    ];
    await succeeds('cross', ...args, '--analytic-only');
    const found = rows(out('crosses-out.csv'));
    const expected = rows(sim4x('cross4x_sim4x_genome.csv'));
    expect(found).toHaveLength(2 * expected.length);
    for (const row of expected) {
      for (const [trait, kind] of [
        ['a', 'additive'],
        ['total', 'total'],
      ]) {
        const one = found.find(
          ({ parent1, parent2, trait: name }) =>
            parent1 === row['parent1'] && parent2 === row['parent2'] && name === trait,
        );
        expect(one).toMatchObject({ population: 'F1', sim_mean: '' });
        expect(Math.abs(at(one, 'mean') - at(row, `mean_${kind}`))).toBeLessThan(1e-9);
        expect(Math.abs(at(one, 'variance') - at(row, `var_${kind}`))).toBeLessThan(1e-9);
      }
    }
    await succeeds('cross', ...args, '--analytic-only', '--pairing', 'quadrivalent');
    const more = rows(out('crosses-out.csv'));
    // Double reduction makes progeny vary more.
    for (const [j, row] of more.entries())
      if (row['trait'] === 'a') expect(at(row, 'variance')).toBeGreaterThan(at(found[j], 'variance'));
    await succeeds('cross', ...args, '--analytic-only', '--pairing', 'quadrivalent', '--double-reduction', '0');
    expect(rows(out('crosses-out.csv'))).toEqual(found);
  });

  test('have exact means and the sum of the variances of their markers where the phase of the parents is unknown', async () => {
    const written = ['--crosses', out('crosses.csv'), '--out', out('crosses-out.csv')];
    const args = [...inputs(), ...written];
    await succeeds('cross', ...args, '--genotype', phasedVcf(), '--analytic-only');
    const phased = rows(out('crosses-out.csv'));
    const unphased = phasedVcf((call) => call.split('|').toSorted().join('/'));
    const refused = await heterosis('cross', ...args, '--genotype', unphased);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('crossing/unphased-parents')]);
    const unknown = [...args, '--genotype', unphased, '--phase', 'unknown'];
    const summary = JSON.parse(await succeeds('cross', ...unknown, '--progeny', '400', '--seed', '3'));
    expect(summary).toMatchObject({ phase: 'unknown' });
    // Two of four homologs are drawn: the variance of copies is 4/3 of f(1 − f) in each gamete.
    const effects = new Map(
      rows(sim4x('truth_effects.csv')).map((row) => [row['marker'], at(row, 'a_per_alt_allele')]),
    );
    const ofGamete = (name = ''): number =>
      parents.reduce((sum, row) => {
        const f = (row[name] ?? '').split('').filter((allele) => allele === '1').length / 4;
        return sum + (4 / 3) * f * (1 - f) * (effects.get(row['marker']) ?? 0) ** 2;
      }, 0);
    for (const [j, row] of rows(out('crosses-out.csv')).entries()) {
      expect(Math.abs(at(row, 'mean') - at(phased[j], 'mean'))).toBeLessThan(1e-9);
      const variance = at(row, 'variance');
      if (row['trait'] === 'a')
        expect(Math.abs(variance - ofGamete(row['parent1']) - ofGamete(row['parent2']))).toBeLessThan(1e-9);
      expect(Math.abs(at(row, 'sim_mean') - at(row, 'mean'))).toBeLessThan(5 * Math.sqrt(variance / 400));
      expect(Math.abs(at(row, 'sim_variance') / variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 399));
    }
    for (const more of [
      ['--preferential', '0.5'],
      ['--progeny-vcf', out('p.vcf')],
    ]) {
      const { code, stderr } = await heterosis('cross', ...unknown, ...more);
      expect([code, stderr]).toEqual([2, expect.stringContaining('E-CLI-OPTION')]);
    }
  });

  /** Σ c_i·c_j·θ_ij of the shares of parents in crosses, θ = ZZᵀ/(k²Σf(1 − f)). */
  function coancestryOf(plan: Record<string, string>[]): number {
    const shares = names.map(
      (name) => plan.filter((row) => row['parent1'] === name || row['parent2'] === name).length / (2 * plan.length),
    );
    let products = 0;
    let variances = 0;
    for (const row of parents) {
      const copies = names.map((name) => (row[name] ?? '').split('').filter((allele) => allele === '1').length);
      const f = copies.reduce((sum, x) => sum + x, 0) / (4 * names.length);
      products += shares.reduce((sum, share, i) => sum + share * ((copies[i] ?? 0) - 4 * f), 0) ** 2;
      variances += f * (1 - f);
    }
    return products / (16 * variances);
  }

  test('are planned by exact means and variances, with coancestries of single genes', async () => {
    const args = [...inputs(), '--genotype', phasedVcf(), '--crosses', '5', '--max-uses', '3', '--traits', 'a'];
    const files = ['--pairs-out', out('pairs.csv'), '--out', out('plan.csv')];
    const summary = JSON.parse(await succeeds('plan', ...args, '--population', 'F1', ...files));
    const expected = rows(sim4x('cross4x_sim4x_genome.csv'));
    const pairs = rows(out('pairs.csv'));
    expect(pairs).toHaveLength(45);
    for (const pair of pairs) {
      const row = expected.find(
        ({ parent1, parent2 }) =>
          [parent1, parent2].toSorted().join() === [pair['parent1'], pair['parent2']].toSorted().join(),
      );
      expect(Math.abs(at(pair, 'index') - at(row, 'mean_additive'))).toBeLessThan(1e-6);
      // Covariances are kept in single precision.
      expect(Math.abs(at(pair, 'sd') / Math.sqrt(at(row, 'var_additive')) - 1)).toBeLessThan(1e-6);
    }
    const plan = rows(out('plan.csv'));
    expect(plan).toHaveLength(5);
    expect(Math.abs(summary.coancestry - coancestryOf(plan))).toBeLessThan(1e-9);
    await succeeds('plan', ...args, '--population', 'none', '--mates', 'inbreeding', '--out', out('unphased.csv'));
    expect(rows(out('unphased.csv'))).toHaveLength(5);
    for (const population of ['DH', 'RIL']) {
      const refused = await heterosis('plan', ...args, '--population', population, '--out', out('no.csv'));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('planning/polyploid-population')]);
    }
  });

  test.each([
    ['bivalents', []],
    ['preferential bivalents', ['--preferential', '0.5']],
    ['quadrivalents', ['--pairing', 'quadrivalent', '--double-reduction', '0.1']],
  ])('have simulated progeny, whose genotypes are the parents of further crosses: %s', async (_, pairing) => {
    writeFileSync(out('two.csv'), 'name,female,male,type\nab,P01,P02,F1\nc,P03,,self\n');
    const args = [...inputs(), '--genotype', phasedVcf(), '--crosses', out('two.csv'), '--progeny', '400', ...pairing];
    const written = ['--progeny-out', out('progeny.csv'), '--progeny-vcf', out('progeny.vcf')];
    await succeeds('cross', ...args, ...written, '--seed', '5', '--out', out('simulated.csv'));
    for (const row of rows(out('simulated.csv'))) {
      const [variance, simulated] = [at(row, 'variance'), at(row, 'sim_variance')];
      // Four standard errors; values are nearly normal, of which the variance has the error √(2/399).
      expect(Math.abs(at(row, 'sim_mean') - at(row, 'mean'))).toBeLessThan(4 * Math.sqrt(variance / 400));
      expect(Math.abs(simulated / variance - 1)).toBeLessThan(4 * Math.sqrt(2 / 399));
    }
    const lines = readFileSync(out('progeny.vcf'), 'utf8').trim().split('\n');
    expect(lines[2]).toMatch(/^##simulation=<Model=Haldane,Seed=5,Ploidy=4,Quadrivalents=0\.?\d*,Preferential=0/);
    const [head = '', ...calls] = lines.filter((line) => !line.startsWith('##')).map((line) => line.split('\t'));
    const effects = new Map(rows(sim4x('truth_effects.csv')).map((row) => [row['marker'], row]));
    const progeny = rows(out('progeny.csv'));
    expect(head.slice(9)).toEqual(progeny.map(({ id }) => id));
    expect(progeny).toHaveLength(800);
    for (const [i, row] of progeny.entries()) {
      let [additive, total] = [0, 0];
      for (const line of calls) {
        const effect = effects.get(line[2] ?? '');
        const copies = (line[9 + i] ?? '').split('|').reduce((sum, allele) => sum + Number(allele), 0);
        additive += at(effect, 'a_per_alt_allele') * copies;
        total += at(effect, 'd_times_x(p-x)/(p^2/4)') * ((copies * (4 - copies)) / 4);
      }
      expect(at(row, 'value_a')).toBeCloseTo(additive, 9);
      expect(at(row, 'value_total')).toBeCloseTo(additive + total, 9);
    }
    const read = JSON.parse(await succeeds('qc', '--genotype', out('progeny.vcf'), '--out', out('qc-of-progeny')));
    expect(read).toMatchObject({ n: 800 });
    writeFileSync(out('next.csv'), 'female,male\nab-1,c-2\n');
    const next = [...inputs(), '--genotype', out('progeny.vcf'), '--crosses', out('next.csv'), ...pairing];
    await succeeds('cross', ...next, '--progeny', '10', '--out', out('next-out.csv'));
    const mean = ['ab-1', 'c-2'].map((id) =>
      at(
        progeny.find((row) => row['id'] === id),
        'value_a',
      ),
    );
    expect(at(rows(out('next-out.csv'))[0], 'mean')).toBeCloseTo(((mean[0] ?? 0) + (mean[1] ?? 0)) / 2, 9);
  });

  test('of all pairs are ranked, each once', async () => {
    await succeeds('cross', ...inputs(), '--genotype', phasedVcf(), '--all-pairs', '--out', out('pairs.csv'));
    expect(rows(out('pairs.csv'))).toHaveLength(2 * 45);
  });

  test('are refused without phase, of other populations, and with what only diploids have', async () => {
    const common = [...inputs(), '--out', out('no.csv')];
    const refused = async (genotype: string, ...args: string[]) => {
      const { code, stderr } = await heterosis('cross', ...common, '--genotype', genotype, ...args);
      expect(code).toBe(2);
      return stderr;
    };
    const table = ['--crosses', out('crosses.csv')];
    expect(
      await refused(
        phasedVcf((call) => call.replaceAll('|', '/')),
        ...table,
      ),
    ).toContain('crossing/unphased-parents');
    const phased = phasedVcf();
    expect(await refused(phased, ...table, '--double-reduction', '0.1')).toContain('--pairing quadrivalent');
    expect(await refused(phased, ...table, '--map-function', 'kosambi', '--analytic-only')).toContain('Haldane');
    writeFileSync(out('dh.csv'), 'female,male,type\nP01,P02,DH\n');
    expect(await refused(phased, '--crosses', out('dh.csv'))).toContain('crossing/polyploid-population');
  });
});

describe('a pedigree of tetraploids with double reduction', () => {
  const pedigree = ['--pedigree', sim4x('pedigree.csv'), '--double-reduction', '0.1'];

  test('trains the single-step model of its relationships H', async () => {
    const h = out('h-of-model.csv');
    const one = out('single-step.json');
    await succeeds('pedigree', ...pedigree, ...GENOTYPE, '--relationships', h);
    const phenotype = ['--phenotype', sim4x('phenotypes.csv'), '--trait', 'y2'];
    const trained: TrainedJson = JSON.parse(
      await succeeds('train', ...GENOTYPE, ...phenotype, ...pedigree, '--out', one),
    );
    const given = ['--kinship-file', h, '--out', out('by-file.json')];
    const expected: TrainedJson = JSON.parse(await succeeds('train', ...GENOTYPE, ...phenotype, ...given));
    const [a, b] = [trained.traits[0]?.variance, expected.traits[0]?.variance];
    expect(relative(a?.additive ?? 0, b?.additive ?? 0)).toBeLessThan(1e-6);
    expect(relative(a?.residual ?? 0, b?.residual ?? 0)).toBeLessThan(1e-6);
    const refused = await heterosis('train', ...GENOTYPE, ...phenotype, ...pedigree, '--dominance', '--out', one);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('models/kinship-with-dominance')]);
  });

  test('gives the relationships of a series', { tags: 'whole' }, async () => {
    const lines = rows(sim4x('phenotypes.csv')).filter(({ y2 }, i) => y2 !== '' && y2 !== 'NA' && i % 4 === 0);
    const means = lines.flatMap((row) => {
      const name = Object.values(row)[0] ?? '';
      return [`A,y,${name},${row['y']},1`, `B,y,${name},${row['y2']},1`];
    });
    writeFileSync(out('means.csv'), `environment,trait,line,mean,se\n${means.join('\n')}\n`);
    const series = ['--means', out('means.csv'), '--trait', 'y', '--structure', 'cs'];
    const resultOf = async (...args: string[]): Promise<Map<string, number>> => {
      await succeeds('series', ...series, ...args, '--out', out('series.csv'));
      return new Map(rows(out('series.csv')).map((row) => [`${row['line']} ${row['environment']}`, at(row, 'value')]));
    };
    await succeeds('pedigree', ...pedigree, '--ploidy', '4', '--relationships', out('a-of-series.csv'));
    const found = await resultOf(...pedigree, '--ploidy', '4');
    const expected = await resultOf('--kinship-file', out('a-of-series.csv'));
    expect(found.size).toBe(3 * lines.length);
    for (const [place, value] of found) expect(value).toBeCloseTo(expected.get(place) ?? Number.NaN, 6);
    const diploid = await heterosis('series', ...series, ...pedigree, '--out', out('no.csv'));
    expect([diploid.code, diploid.stderr]).toEqual([2, expect.stringContaining('Diploids have no double reduction')]);
  });
});

describe('parentage of tetraploids', () => {
  const check = async (...args: string[]): Promise<{ families: Row[]; summary: Record<string, unknown> }> => {
    const families = out('families.csv');
    const summary = await succeeds('parentage', '--pedigree', sim4x('pedigree.csv'), '--out', families, ...args);
    return { families: rows(families), summary: JSON.parse(summary) };
  };

  test('confirms the pedigree that was simulated, and finds all parents among all plants', {
    tags: 'whole',
  }, async () => {
    const parents = out('parents.csv');
    const args = ['--genotype', sim4x('sim4x.vcf.gz'), '--seek', 'all', '--out-parents', parents];
    const { families, summary } = await check(...args);
    expect(summary).toMatchObject({ ploidy: 4, families: { CONFIRMED: 280 }, swaps: [], suspects: [], copies: [] });
    expect(families.every(({ conflicts }) => conflicts === '0')).toBe(true);
    const known = new Map(families.map(({ id = '', female, male }) => [id, [female, male].toSorted().join(' × ')]));
    const found = rows(parents).filter(({ id = '', rank, parent2 }) => rank === '1' && parent2 !== '' && known.has(id));
    expect(found).toHaveLength(280);
    for (const { id = '', parent1, parent2 } of found)
      expect([parent1, parent2].toSorted().join(' × '), id).toBe(known.get(id));
  });

  test('finds two exchanged samples', async () => {
    const text = gunzipSync(readFileSync(sim4x('sim4x.vcf.gz'))).toString();
    const names: Record<string, string> = { F03_05: 'F07_08', F07_08: 'F03_05' };
    const path = out('exchanged.vcf');
    writeFileSync(
      path,
      text.replace(/^#CHROM.*$/mu, (line) => line.replaceAll(/F0[37]_0[58]/gu, (name) => names[name] ?? name)),
    );
    const { summary } = await check('--genotype', path, '--seek', 'none');
    expect(summary).toMatchObject({ families: { CONFIRMED: 278, CONFLICT: 2 }, swaps: [['F07_08', 'F03_05']] });
  });

  test('of diploids has no double reduction', async () => {
    const path = out('diploid.vcf');
    writeFileSync(
      path,
      '##fileformat=VCFv4.3\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\n1\t1\tm\tA\tC\t.\t.\t.\tGT\t0/1\n',
    );
    const { code, stderr } = await heterosis('parentage', '--genotype', path, '--double-reduction', '0.1');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Diploids have no double reduction')]);
  });
});
