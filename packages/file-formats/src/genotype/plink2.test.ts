import { readFile } from 'node:fs/promises';
import { zstdCompressSync } from 'node:zlib';
import { isWhole } from '@heterosis/test-support/whole';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../byte-source.ts';
import { codesOf, listed, readFileOf, zipOf } from './genotype-file.test-data.ts';
import { createRandomStream } from './random.test-data.ts';

const bytesOf = (name: string) => readFile(new URL(`../../testdata/plink2/${name}`, import.meta.url));
const textOf = async (name: string) => (await bytesOf(name)).toString('utf8');

async function setOf(name: string): Promise<Record<string, Uint8Array>> {
  const [pgen, pvar, psam] = await Promise.all(['pgen', 'pvar', 'psam'].map((ending) => bytesOf(`${name}.${ending}`)));
  return { 'p.pgen': pgen!, 'p.pvar': pvar!, 'p.psam': psam! };
}

interface PlainMarker {
  place: string;
  /** Copies of ALT by sample, null when missing. */
  copies: (number | null)[];
}

/** A plain reader of the VCF that PLINK has exported: one marker for each alternative. */
function plainMarkers(vcf: string): PlainMarker[] {
  return vcf
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [chromosome, position, , ref, alts = '', , , , , ...cells] = line.split('\t');
      const copiesOf = (cell: string, allele: number) =>
        cell.startsWith('.') ? null : cell.split(/[/|]/).filter((one) => Number(one) === allele).length;
      return alts.split(',').map((alt, k) => ({
        place: `${chromosome}:${position} ${ref}/${alt}`,
        copies: cells.map((cell) => copiesOf(cell, k + 1)),
      }));
    });
}

const read = async (files: Record<string, string | Uint8Array>) => {
  const outcome = await readFileOf(zipOf(files));
  const markers = outcome.panel.markers.map(({ chromosome, positionBp, a1, a2, dosages }) => ({
    place: `${chromosome}:${positionBp} ${a1}/${a2}`,
    copies: dosages,
  }));
  return { ...outcome, plain: markers };
};

describe('a set of PLINK 2', () => {
  test.each(['calls', 'wide'])('%s: every call is that of the VCF that PLINK exports', async (name) => {
    const expected = plainMarkers(await textOf(`${name}.vcf`));
    const outcome = await read(await setOf(name));
    expect(outcome.format).toBe('plink2');
    expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
    expect(outcome.plain).toEqual(expected);
  });

  test('may have its list of variants compressed, and its calls in either fixed width', async () => {
    const random = createRandomStream(5);
    const samples = 6;
    const markers = 4;
    // Categories: 0, 1 and 2 copies, 3 = missing.
    const drawn = Array.from({ length: markers }, () =>
      Array.from({ length: samples }, () => Math.floor(4 * random())),
    );
    const packed = (codes: readonly number[]) =>
      [0, 4].map((from) => codes.slice(from, from + 4).reduce((byte, code, i) => byte | (code << (2 * i)), 0));
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32LE(markers, 0);
    numbers.writeUInt32LE(samples, 4);
    const plain = Buffer.of(0x6c, 0x1b, 2, ...numbers, 0x40, ...drawn.flatMap(packed));
    const bed = Buffer.of(0x6c, 0x1b, 1, ...drawn.flatMap((codes) => packed(codes.map((code) => [3, 2, 0, 1][code]!))));
    const pvar = `#CHROM\tID\tPOS\tALT\tREF\n${drawn.map((_, j) => `1\t.\t${j + 5}\tT\tG\n`).join('')}`;
    const psam = `#FID\tIID\tSEX\n${drawn[0]!.map((_, i) => `F${i}\tL${i % 3}\tNA\n`).join('')}`;
    const expected = drawn.map((codes, j) => ({
      place: `1:${j + 5} G/T`,
      copies: codes.map((code) => (code === 3 ? null : code)),
    }));
    for (const pgen of [plain, bed]) {
      const outcome = await read({ 'p.pgen': pgen, 'p.pvar.zst': zstdCompressSync(Buffer.from(pvar)), 'p.psam': psam });
      expect(outcome.plain, listed(outcome).join('; ')).toEqual(expected);
      expect(outcome.samples).toEqual(['F0_L0', 'F1_L1', 'F2_L2', 'F3_L0', 'F4_L1', 'F5_L2']);
    }
  });

  test('says that phase is not kept, and which allele is counted', async () => {
    expect(codesOf(await read(await setOf('calls')))).toEqual(expect.arrayContaining(['I-GT-PHASE', 'I-GT-COUNTED']));
  });

  test('is refused when its files do not belong together, or one is missing', async () => {
    const files = await setOf('calls');
    const { 'p.psam': _, ...without } = files;
    expect(listed(await read(without))).toEqual(['E-GT-TRIO']);
    const other = await read({ ...files, 'p.pvar': await bytesOf('wide.pvar') });
    expect(other.report.problems).toMatchObject([
      { code: 'E-GT-TRIO', message: expect.stringContaining('60 variants') },
    ]);
    const broken = await read({ ...files, 'p.pvar': (await textOf('calls.pvar')).replace('\t100\t', '\tx\t') });
    expect(codesOf(broken)).toEqual(['E-GT-TRIO']);
  });

  test('is refused with its reason when its calls are stored in another way, or are damaged', async () => {
    const files = await setOf('calls');
    const changed = async (change: (bytes: Buffer) => Uint8Array) =>
      (await read({ ...files, 'p.pgen': change(Buffer.from(files['p.pgen']!)) })).report.problems;
    const withByte = (at: number, value: number) =>
      changed((bytes) => {
        bytes[at] = value;
        return bytes;
      });
    expect(await withByte(2, 0x20)).toMatchObject([{ code: 'E-GT-PGEN', message: expect.stringContaining('0x20') }]);
    expect(await changed((bytes) => bytes.subarray(0, -5))).toMatchObject([{ code: 'E-GT-PGEN' }]);
    expect(await changed((bytes) => Buffer.concat([bytes, bytes]))).toMatchObject([{ code: 'E-GT-PGEN' }]);
    // Wherever a byte is wrong, it ends in a report.
    for (let at = 3; at < files['p.pgen']!.length; at += isWhole ? 7 : 29) {
      for (const problem of await withByte(at, 0xff))
        if (problem.severity === 'error') expect(['E-GT-PGEN', 'E-GT-TRIO']).toContain(problem.code);
    }
  });
});

test('a .pgen that is uploaded alone is named', async () => {
  const outcome = await readFileOf(memorySource(await bytesOf('calls.pgen'), 'x'));
  expect(outcome.report.problems).toMatchObject([
    { code: 'E-TYPE', message: expect.stringContaining('.pgen'), suggestion: expect.stringContaining('.psam') },
  ]);
});
