import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'heterosis-parentage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const out = (name: string) => join(folder, name);

/** Inbred lines A–H, and the F1s of A × B, C × D, E × F, G × H; those of A × B and C × D are mixed up. */
function vcf(): string {
  const random = createRandomStream(4, 'lines');
  const lines = 'ABCDEFGH'.split('');
  const f1s = ['AB', 'CD', 'EF', 'GH'];
  const rows = Array.from({ length: 300 }, (_, j) => {
    const allele = new Map(lines.map((name) => [name, random.nextInt(2)]));
    const mixed = ['CD', 'AB', 'EF', 'GH'];
    const calls = [...lines.map((name) => name + name), ...mixed].map((pair) =>
      pair
        .split('')
        .map((name) => allele.get(name))
        .join('/'),
    );
    return ['1', j + 1, `m${j}`, 'A', 'C', '.', '.', '.', 'GT', ...calls].join('\t');
  });
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...lines, ...f1s];
  return `##fileformat=VCFv4.2\n${head.join('\t')}\n${rows.join('\n')}\n`;
}

test('finds two F1s that were mixed up, and writes three tables', async () => {
  writeFileSync(out('panel.vcf'), vcf());
  writeFileSync(out('pedigree.csv'), 'name,female,male\nAB,A,B\nCD,C,D\nEF,E,F\nGH,G,H\n');
  const args = [
    'parentage',
    '--genotype',
    out('panel.vcf'),
    '--pedigree',
    out('pedigree.csv'),
    '--json',
    '--threads',
    '1',
  ];
  const files = [
    '--out',
    out('families.csv'),
    '--out-parents',
    out('parents.csv'),
    '--out-findings',
    out('findings.csv'),
  ];
  const summary = JSON.parse((await heterosis(...args, ...files)).stdout);
  expect(summary).toMatchObject({
    families: { CONFIRMED: 2, CONFLICT: 2, PLAUSIBLE: 0, DOUBTFUL: 0, UNTESTABLE: 0 },
    swaps: [['AB', 'CD']],
    copies: [],
  });
  expect(readFileSync(out('families.csv'), 'utf8')).toMatch(/^GH,G,H,G,H,cross,CONFIRMED,\d+,0,0,0\.\d+,0,0,\d+/m);
  expect(readFileSync(out('findings.csv'), 'utf8')).toContain('swap,AB,CD,,,2,,');
  expect(readFileSync(out('parents.csv'), 'utf8')).toMatch(/^AB,1,C,D,yes,/m);
  const again = await heterosis(...args, '--error-rate', '0');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('E-CLI-VALUE')]);
});
