import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { memorySource } from '../byte-source.ts';
import { parentsLine, readVcfParents } from './vcf-parents.ts';

const FAMILIES = [
  { name: 'A_X_B', female: 'A', male: 'B' },
  { name: 'x,"1"', female: 'a = b', male: '<c\\>' },
];
const HEADER = ['##fileformat=VCFv4.2', ...FAMILIES.map(parentsLine), '##PEDIGREE=<ID=Clone,Original=A>'];
const source = (text: string) => memorySource(Buffer.from(text), 'hybrids.vcf');

test('the parents that the header names are read back, whatever their names are', async () => {
  const text = [...HEADER, '#CHROM\tPOS', '##PEDIGREE=<ID=late,Mother=A,Father=B>', ''].join('\n');
  expect(await readVcfParents(source(text))).toEqual(FAMILIES);
  expect(await readVcfParents(memorySource(gzipSync(text), 'hybrids.vcf.gz'))).toEqual(FAMILIES);
});

test.each(['', 'id,m1\nA,0\n', '\0\0', `##${'x'.repeat(1000)}`])('%j names no parents', async (text) => {
  expect(await readVcfParents(source(text))).toEqual([]);
});
