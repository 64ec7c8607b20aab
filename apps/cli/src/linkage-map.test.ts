import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';

const MARKERS = 40;
const LINES = 24;
/** Markers by name: on two chromosomes, 5 cM and 100 kb apart. */
const markers = Array.from({ length: MARKERS }, (_, j) => ({
  id: `m${j}`,
  chromosome: String(1 + (j % 2)),
  cm: 5 * Math.floor(j / 2),
  bp: 1000 + 100_000 * Math.floor(j / 2),
}));
/** Homozygous calls without any pattern that correlates with the map. */
const dosage = (line: number, marker: number) => ((((line + 3) * (marker + 5) * 2654435761) >>> 13) % 2 === 0 ? 0 : 2);

/** A number; the capture group makes `split` keep it. */
const NUMBER = /(-?\d+(?:\.\d+)?(?:e-?\d+)?)/;

let folder: string;
const path = (name: string) => join(folder, name);
const write = (name: string, lines: string[]) => {
  writeFileSync(path(name), `${lines.join('\n')}\n`);
  return path(name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-cli-map-'));
  const names = Array.from({ length: LINES }, (_, i) => `L${i}`);
  const vcf = (place: (j: number) => [string, number]) => [
    '##fileformat=VCFv4.2',
    `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names.join('\t')}`,
    ...markers.map(({ id }, j) => {
      const calls = names.map((_, i) => (dosage(i, j) === 0 ? '0/0' : '1/1'));
      return [...place(j), id, 'A', 'C', '.', '.', '.', 'GT', ...calls].join('\t');
    }),
  ];
  write(
    'located.vcf',
    vcf((j) => [markers[j]?.chromosome ?? '', markers[j]?.bp ?? 0]),
  );
  write(
    'un.vcf',
    vcf((j) => ['UN', MARKERS - j]),
  );
  write('map.csv', [
    'SNPid,chr,physPos,linkMapPos (cM)',
    ...markers.map((m) => [m.id, m.chromosome, m.bp, m.cm].join()),
  ]);
  write('wrong.csv', [
    'SNPid,chr,physPos,linkMapPos (cM)',
    ...markers.map((m, j) => [m.id, j === 3 ? 7 : m.chromosome, j === 8 ? m.bp + 1 : m.bp, m.cm].join()),
  ]);
  write('traits.csv', ['id,yield', ...names.map((name, i) => `${name},${((i * 7) % 11) + dosage(i, 4)}`)]);
  write('effects.csv', [
    'marker,effect_allele,yield_additive',
    ...markers.map(({ id }, j) => `${id},C,${(j % 5) - 2}`),
  ]);
  write('crosses.csv', ['female,male', 'L0,L1', 'L2,L3']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Arguments of each command that takes a map, without genotype, map and output. */
const COMMANDS = {
  cross: ['--effects', 'effects.csv', '--crosses', 'crosses.csv', '--population', 'RIL', '--analytic-only'],
  gwas: ['--phenotype', 'traits.csv', '--trait', 'yield', '--effective-tests'],
  qc: [],
  phase: [],
};

const run = (command: keyof typeof COMMANDS, genotype: string, map: string | null, out: string) =>
  heterosis(
    command,
    ...COMMANDS[command].map((part) => (part.endsWith('.csv') ? path(part) : part)),
    ...['--genotype', path(genotype), '--out', path(out)],
    ...(map === null ? [] : ['--map', path(map)]),
    ...['--threads', '1'],
  );

test.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])(
  '%s gives for a genotype without positions and a map what it gives for the located genotype',
  async (command) => {
    // Crosses require a map; quality control measures linkage disequilibrium in cM when given one.
    const needsMap = command === 'cross' || command === 'qc';
    const located = await run(command, 'located.vcf', needsMap ? 'map.csv' : null, 'located.out');
    expect(located).toMatchObject({ code: 0 });
    const mapped = await run(command, 'un.vcf', 'map.csv', 'mapped.out');
    expect(mapped).toMatchObject({ code: 0 });
    const [before = '', after = ''] = ['located.out', 'mapped.out'].map((name) => readFileSync(path(name), 'utf8'));
    const words = (text: string) => text.split(NUMBER).map((part, k) => (k % 2 === 0 ? part : '#'));
    const numbers = (text: string) => text.split(NUMBER).filter((_, k) => k % 2 === 1);
    expect(words(after)).toEqual(words(before));
    // Sums over markers run in another order.
    for (const [k, number] of numbers(after).entries())
      expect(Number(number)).toBeCloseTo(Number(numbers(before)[k]), 6);
  },
);

test.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])(
  '%s ends with exit code 2 and the lines of the map where it contradicts the genotype',
  async (command) => {
    const { code, stderr } = await run(command, 'located.vcf', 'wrong.csv', 'never.out');
    expect(code).toBe(2);
    expect(stderr).toContain(`error E-LM-CHR-MISMATCH ${path('wrong.csv')}:5 "m3"`);
    expect(stderr).toContain(`error E-LM-PHYS-MISMATCH ${path('wrong.csv')}:10 "m8"`);
  },
);
