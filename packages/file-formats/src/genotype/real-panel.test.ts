import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { memorySource } from '../byte-source.ts';
import { bgzip, readFileOf, zipOf } from './genotype-file.test-data.ts';

// The maize diversity panel, 281 lines and 3,093 SNPs; where it comes from stands in the README beside it. The other
// formats are made from its text cell by cell, without the product's own readers and writers.
const MAIZE = new URL('../../../statgen/reference/maize-mdp/genotypes.vcf.gz', import.meta.url);
const rows = gunzipSync(await readFile(MAIZE))
  .toString('utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('##'))
  .map((line) => line.split('\t'));
const [header = [], ...variants] = rows;
const samples = header.slice(9);
const vcf = `##fileformat=VCFv4.2\n${rows.map((cells) => cells.join('\t')).join('\n')}\n`;

/** Each row as its marker and its calls, written by `call` from the two alleles of a call (undefined where missing). */
function markerRows<Cell>(call: (first: string | undefined, second: string | undefined, alternative: string) => Cell) {
  return variants.map(([chromosome = '', position = '', id = '', ref = '', alt = '', , , , , ...calls]) => ({
    chromosome,
    position,
    id,
    ref,
    alt,
    cells: calls.map((text) => {
      const [first, second] = text
        .split('/')
        .map((allele) => (allele === '.' ? undefined : allele === '0' ? ref : alt));
      return call(first, second, alt);
    }),
  }));
}

const pairs = (missing: string, between: string) =>
  markerRows((first = missing, second = missing) => first + between + second);
const copies = markerRows((first, second, alt) =>
  first === undefined ? 'NA' : String(Number(first === alt) + Number(second === alt)),
);
const HAPMAP = 'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode'.split(
  '\t',
);
const hapmap = `${[
  [...HAPMAP, ...samples],
  ...pairs('N', '').map(({ id, ref, alt, chromosome, position, cells }) => [
    id,
    `${ref}/${alt}`,
    chromosome,
    position,
    ...Array(7).fill('+'),
    ...cells,
  ]),
]
  .map((cells) => cells.join('\t'))
  .join('\n')}\n`;
const numbers = `${[
  ['Marker', 'Chrom', 'Position', 'REF', 'ALT', ...samples],
  ...copies.map(({ id, chromosome, position, ref, alt, cells }) => [id, chromosome, position, ref, alt, ...cells]),
]
  .map((cells) => cells.map((cell) => `"${cell}"`).join(';'))
  .join('\r\n')}\r\n`;
const letters = `${[
  ['snp', 'chr', 'pos', 'alleles', ...samples],
  ...pairs('-', '/').map(({ id, chromosome, position, ref, alt, cells }) => [
    id,
    chromosome,
    position,
    `${ref}/${alt}`,
    ...cells,
  ]),
]
  .map((cells) => cells.join(','))
  .join('\n')}\n`;
const pedCells = pairs('0', ' ').map(({ cells }) => cells);
const ped = samples.map((name, i) => `0 ${name} 0 0 0 -9 ${pedCells.map((cells) => cells[i]).join(' ')}\n`).join('');
const map = variants.map(([chromosome, position, id]) => `${chromosome}\t${id}\t0\t${position}\n`).join('');

const read = await readFileOf(vcf);

test('the maize panel read from its VCF has the calls of the text', () => {
  expect(read.report.totals.errors).toBe(0);
  expect(read.panel.samples).toEqual(samples);
  const known = copies.map(({ id, cells }) => ({
    id,
    dosages: cells.map((cell) => (cell === 'NA' ? null : Number(cell))),
  }));
  expect(read.panel.markers.map(({ id, dosages }) => ({ id, dosages }))).toEqual(known);
});

test.each([
  ['bgzip', bgzip(vcf)],
  ['HapMap', memorySource(Buffer.from(hapmap), 'maize.hmp.txt')],
  ['numbers between quotes, semicolons and CRLF', memorySource(Buffer.from(numbers), 'maize.csv')],
  ['letters with markers in rows', memorySource(Buffer.from(letters), 'maize.csv')],
])('the maize panel as %s gives the same .bed and .bim, byte by byte', async (_, source) => {
  const other = await readFileOf(source);
  expect(other.panel.samples).toEqual(samples);
  expect(other.bim).toBe(read.bim);
  expect(other.bed.equals(read.bed)).toBe(true);
});

test('the maize panel as PLINK text has the same calls, counted from the rarer allele', async () => {
  const other = await readFileOf(zipOf({ 'maize.ped': ped, 'maize.map': map }));
  expect(other.panel.samples).toEqual(samples);
  const flipped = (dosages: (number | null)[]) => dosages.map((dosage) => (dosage === null ? null : 2 - dosage));
  let swapped = 0;
  for (const [i, marker] of other.panel.markers.entries()) {
    const { a1, a2, dosages } = read.panel.markers[i]!;
    const isSwapped = marker.a1 === a2;
    if (isSwapped) swapped++;
    expect(marker.dosages).toEqual(isSwapped ? flipped(dosages) : dosages);
    if (marker.a2 !== '0') expect([marker.a1, marker.a2].sort()).toEqual([a1, a2].sort());
    const copiesOfA2 = marker.dosages.reduce((sum: number, dosage) => sum + (dosage ?? 0), 0);
    expect(copiesOfA2).toBeLessThanOrEqual(marker.dosages.filter((dosage) => dosage !== null).length);
  }
  expect(swapped).toBeGreaterThan(0);
});
