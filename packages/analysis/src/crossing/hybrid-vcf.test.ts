import { memorySource } from '@heterosis/file-formats/byte-source';
import { readVcfParents } from '@heterosis/file-formats/genotype/vcf-parents';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { expect, test } from 'vitest';
import { CONTEXT, importText } from '../maize.test-data.ts';
import { hybridVcf } from './hybrid-vcf.ts';

const vcf = (calls: readonly string[]): string =>
  [
    '##fileformat=VCFv4.2',
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', 'A', 'B', 'C'].join('\t'),
    ...calls.map((row, j) =>
      ['1', 100 * (j + 1), `m${j + 1}`, 'A', 'C', '.', '.', '.', 'GT', ...row.split(' ')].join('\t'),
    ),
    '',
  ].join('\n');
const cross = (female: string, male: string, more: Partial<Cross> = {}): Cross => ({
  name: `${female}x${male}`,
  female,
  male,
  progenyCount: null,
  type: 'biparental',
  line: 2,
  ...more,
});

async function hybridsOf(text: string, crosses: Cross[]) {
  await using from = await importText(text);
  const { bytes, counts } = await hybridVcf({ panel: from.panel, crosses }, false, CONTEXT);
  let out = '';
  for await (const part of bytes) out += Buffer.from(part).toString();
  const rows = out
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('##'));
  const parents = await readVcfParents(memorySource(Buffer.from(out), 'hybrids.vcf'));
  return { calls: rows.map((line) => line.split('\t').slice(9)), counts, parents };
}

test('a hybrid has one allele of each parent, the female first; a gap or a heterozygote of a parent is a gap', async () => {
  const homozygous = ['0/0 1/1 0/0', '1/1 0/0 1/1', '0/0 0/0 1/1', ...Array.from({ length: 40 }, () => '0/0 1/1 1/1')];
  const { calls, counts, parents } = await hybridsOf(vcf([...homozygous, './. 1/1 0/0', '0/1 1/1 0/0']), [
    cross('A', 'B'),
    cross('B', 'C'),
  ]);
  expect(calls[0]).toEqual(['AxB', 'BxC']);
  expect(calls.slice(1, 4)).toEqual([
    ['0|1', '1|0'],
    ['1|0', '0|1'],
    ['0|0', '0|1'],
  ]);
  expect(calls.slice(-2)).toEqual([
    ['.|.', '1|0'],
    ['.|.', '1|0'],
  ]);
  expect(parents).toEqual([
    { name: 'AxB', female: 'A', male: 'B' },
    { name: 'BxC', female: 'B', male: 'C' },
  ]);
  expect(counts).toEqual({ hybrids: 2, markers: 45, missing: 1, heterozygous: 1 });
});

test('parents that are not inbred and crosses of more parents are refused with the reason', async () => {
  const mixed = vcf(['0/1 1/1 0/0', '0/1 0/0 1/1', '0/0 1/1 0/0']);
  await expect(hybridsOf(mixed, [cross('A', 'B')])).rejects.toThrow(/calls of A are heterozygous/);
  await expect(hybridsOf(mixed, [cross('B', 'C', { parent3: 'A' })])).rejects.toThrow(
    /not one of two different parents/,
  );
});
