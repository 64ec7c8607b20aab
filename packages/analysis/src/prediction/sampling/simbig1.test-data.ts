import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** Simulated lines with five large QTL, see the README there. */
export const SIMBIG1: string = fileURLToPath(new URL('../../../../statgen/reference/simbig1/', import.meta.url));

/** Their genotypes as VCF; of some markers every `missing`th call is missing. */
export function simbig1Vcf(missing: ReadonlyMap<string, number> = new Map()): string {
  const text = gunzipSync(readFileSync(join(SIMBIG1, 'genotypes.csv.gz'))).toString();
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const fixed = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
  const markers = head.slice(1).map((name, j) => {
    const every = missing.get(name);
    const calls = rows.map((row, i) =>
      every !== undefined && i % every === 1 ? './.' : row[j + 1] === '0' ? '0/0' : row[j + 1] === '1' ? '0/1' : '1/1',
    );
    return [1 + Math.floor(j / 100), 1000 * (1 + (j % 100)), name, 'A', 'T', '.', 'PASS', '.', 'GT', ...calls].join(
      '\t',
    );
  });
  const heads = [...fixed, ...rows.map(([name]) => name)].join('\t');
  return `##fileformat=VCFv4.2\n${[heads, ...markers].join('\n')}\n`;
}
