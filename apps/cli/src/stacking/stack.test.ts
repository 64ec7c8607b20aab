import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'heterosis-stack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

// Markers every 10 cM on two chromosomes of 1 M. Targets: a2 in D1, a8 in D2, b5 in both, and a4, where D2 is unclear.
const PARENTS = ['Elite', 'D1', 'D2', 'D3'];
const CALLS: Record<string, string> = { a2: '0100', a8: '0010', b5: '0110', a4: '01h0' };
const GENOTYPES = { '0': '0/0', '1': '1/1', h: '0/1' } as const;
const MARKERS = ['a', 'b'].flatMap((c, k) =>
  Array.from({ length: 11 }, (_, i) => ({ name: `${c}${i}`, chromosome: k + 1, cm: 10 * i })),
);
writeFileSync(
  at('parents.vcf'),
  [
    '##fileformat=VCFv4.2',
    '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...PARENTS].join('\t'),
    ...MARKERS.map(({ name, chromosome, cm }) => {
      const calls = [...(CALLS[name] ?? '0101')].map((call) => GENOTYPES[call as keyof typeof GENOTYPES]);
      return [chromosome, 1 + cm * 1_000_000, name, 'A', 'G', '.', '.', '.', 'GT', ...calls].join('\t');
    }),
    '',
  ].join('\n'),
);
writeFileSync(
  at('map.csv'),
  [
    'marker,chromosome,position_cM',
    ...MARKERS.map(({ name, chromosome, cm }) => `${name},${chromosome},${cm}`),
    '',
  ].join('\n'),
);

const stack = (...args: string[]) =>
  heterosis('stack', '--genotype', at('parents.vcf'), '--map', at('map.csv'), '--out', at('schedule.csv'), ...args);
const rows = () => readFileSync(at('schedule.csv'), 'utf8').trim().split('\n');

test('donors are crossed, and doubled haploids have all targets', async () => {
  const run = await stack('--targets', 'a2=G,a8=G,b5=G', '--donors', 'D1,D2,D3', '--report', at('plan.json'));
  expect([run.stderr, run.code]).toEqual(['', 0]);
  expect(run.stdout).toContain('3 targets of D1, D2; not needed: D3');
  // a2 and a8 in repulsion at 60 cM: P = r/2 with r = (1 − e^(−1.2))/2, and b5 is in both.
  const p = (1 - Math.exp(-1.2)) / 4;
  const plants = Math.ceil(Math.log(0.05) / Math.log(1 - p));
  expect(rows()).toHaveLength(3);
  expect(rows()[1]).toBe('1,C1,cross,D1,D2,1,1,1,a2 b5,a8 b5,20,,,,,');
  expect(rows()[2]).toMatch(new RegExp(`^2,DH,dh,C1,,${plants},1,${String(p).slice(0, 8)}`));
  const report = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
  expect(report).toMatchObject({ generations: 2, donors: ['D1', 'D2'], success_se: 0, fits: true, plants: plants + 1 });
  expect(report.targets.map(({ marker, donors }: { marker: string; donors: string[] }) => [marker, donors])).toEqual([
    ['a2', ['D1']],
    ['a8', ['D2']],
    ['b5', ['D1', 'D2']],
  ]);
});

test('backcrosses say what is left of the donors; the same seed gives the same file', async () => {
  const args = ['--targets', 'a2=G,a8=G,b5=G', '--donors', 'D1,D2', '--recurrent', 'Elite', '--replicates', '50'];
  const run = await stack(...args, '--order', 'backcross-first', '--ending', 'selfing', '--json');
  expect([run.stderr, run.code]).toEqual(['', 0]);
  const summary = JSON.parse(run.stdout);
  expect(summary.steps.filter(({ kind }: { kind: string }) => kind === 'backcross')).toHaveLength(4);
  expect(summary.recurrent_share).toBeGreaterThan(0.6);
  expect(summary.drag_cm).toBeLessThan(60);
  const first = rows();
  await stack(...args, '--order', 'backcross-first', '--ending', 'selfing');
  expect(rows()).toEqual(first);
});

test.each([
  ['stacking/unknown-marker', ['--targets', 'a2=G,z9=G', '--donors', 'D1,D2']],
  ['stacking/unknown-allele', ['--targets', 'a2=T,a8=G', '--donors', 'D1,D2']],
  ['stacking/unknown-parent', ['--targets', 'a2=G,a8=G', '--donors', 'D1,D9']],
  ['stacking/not-carried', ['--targets', 'a2=G,a8=G', '--donors', 'D1,D3']],
  ['stacking/twice', ['--targets', 'a2=G,a2=A', '--donors', 'D1,D2']],
  ['stacking/donors', ['--targets', 'a2=G,b5=G', '--donors', 'D1,D2']],
  ['stacking/nothing-to-do', ['--targets', 'a2=A', '--donors', 'D2', '--recurrent', 'Elite']],
  ['E-CLI-VALUE', ['--targets', 'a2', '--donors', 'D1,D2']],
])('%s says what to change, and nothing is written', async (code, args) => {
  rmSync(at('schedule.csv'), { force: true });
  const run = await stack(...args);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(code);
  expect(existsSync(at('schedule.csv'))).toBe(false);
});

test('a donor that is heterozygous at a target counts as without it, and is named', async () => {
  const run = await stack('--targets', 'a4=G,a8=G', '--donors', 'D1,D2');
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('D2 is not homozygous at a4 and counts as without it');
});
