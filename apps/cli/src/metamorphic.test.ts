// Changes of the input files that must leave the files written by `kinship` and `cross` what they are, or change them
// in a known way. The commands run in this process, from parsed options to written files.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Command, OptionTable, OptionValues } from './command.ts';
import { crossCommand } from './commands/cross.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { kinshipCommand } from './commands/kinship.ts';
import { parseOptions } from './options/parse-options.ts';

interface Marker {
  id: string;
  chromosome: string;
  position: number;
  alleles: [string, string];
  /** Calls as VCF writes them. */
  calls: string[];
}

interface Panel {
  names: string[];
  markers: Marker[];
}

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-cli-metamorphic-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(command: Command, ...args: string[]): Promise<void> {
  const options = parseOptions(command.name, command.options, args) as OptionValues<OptionTable>;
  await command.run(options, { context: { threads: 1 }, report: () => undefined });
}

function write(text: string, ending: string): string {
  const path = join(folder, `${++files}${ending}`);
  writeFileSync(path, text);
  return path;
}

function writeVcf({ names, markers }: Panel): string {
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names];
  const rows = markers.map(({ id, chromosome, position, alleles, calls }) => [
    ...[chromosome, position, id, ...alleles, '.', '.', '.', 'GT'],
    ...calls,
  ]);
  return write(`##fileformat=VCFv4.3\n${[head, ...rows].map((row) => `${row.join('\t')}\n`).join('')}`, '.vcf');
}

/** 0 … n − 1 in another order. */
const order = (n: number): number[] => [
  ...createRandomStream(7, 'order').shuffle(Int32Array.from({ length: n }, (_, i) => i)),
];
const EXCHANGED: Record<string, string> = { '0': '1', '1': '0' };
/** REF and ALT of every second marker change places. */
const exchange = ({ names, markers }: Panel): Panel => ({
  names,
  markers: markers.map((marker, j) =>
    j % 2 === 0
      ? marker
      : {
          ...marker,
          alleles: [marker.alleles[1], marker.alleles[0]],
          calls: marker.calls.map((call) => call.replaceAll(/[01]/g, (allele) => EXCHANGED[allele] ?? allele)),
        },
  ),
});
const copies = (markers: Marker[]): Marker[] => [
  ...markers,
  ...markers.map((marker) => ({ ...marker, id: `${marker.id}_again`, position: marker.position + 1 })),
];

describe('kinship', () => {
  const METHODS = ['standardized', 'vanraden1', 'dominance'] as const;
  const M = 40;
  const PANEL = plants();

  function plants(): Panel {
    const random = createRandomStream(5, 'kinship-command');
    const names = Array.from({ length: 14 }, (_, i) => `plant${i + 1}`);
    const markers = Array.from({ length: M }, (_, j): Marker => {
      const frequency = 0.3 + 0.4 * random.uniform();
      const allele = () => (random.uniform() < frequency ? '1' : '0');
      const calls = names.map((_name, i) => (i > 1 && random.uniform() < 0.05 ? './.' : `${allele()}/${allele()}`));
      // Polymorphic at least by its first two.
      calls.splice(0, 2, '0/0', '0/1');
      const position = 100 * (j + 1);
      return { id: `m${j}`, chromosome: String(1 + (j % 3)), position, alleles: ['A', 'C'], calls };
    });
    return { names, markers };
  }

  async function kinshipFile(genotype: string, method: string): Promise<string> {
    const out = join(folder, `${++files}.csv`);
    await run(
      kinshipCommand,
      '--genotype',
      genotype,
      '--method',
      method,
      '--maf',
      '0',
      '--call-rate',
      '0',
      '--out',
      out,
    );
    return readFileSync(out, 'utf8');
  }

  /** Kinships by both names. */
  function byNames(text: string): Map<string, number> {
    const [head = '', ...rows] = text.trimEnd().split('\n');
    const names = head.split(',').slice(1);
    return new Map(
      rows.flatMap((row) => {
        const [name, ...values] = row.split(',');
        return values.map((value, i): [string, number] => [`${name} × ${names[i]}`, Number(value)]);
      }),
    );
  }

  /** Another order of summation: 1e-12. */
  function expectScaled(found: string, base: string, factor = 1): void {
    const values = byNames(found);
    for (const [pair, value] of byNames(base))
      expect(Math.abs((values.get(pair) ?? Number.NaN) - factor * value), pair).toBeLessThan(1e-12);
  }

  const CHANGES: { name: string; change: (panel: Panel) => Panel }[] = [
    {
      name: 'individuals in another order',
      change: ({ names, markers }) => {
        const places = order(names.length);
        const calls = (marker: Marker) => places.map((i) => marker.calls[i] ?? '');
        return {
          names: places.map((i) => names[i] ?? ''),
          markers: markers.map((marker) => ({ ...marker, calls: calls(marker) })),
        };
      },
    },
    {
      name: 'markers in another order',
      change: ({ names, markers }) => ({
        names,
        markers: order(M).flatMap((j) => markers[j] ?? []),
      }),
    },
    {
      name: 'chromosomes under other names',
      change: ({ names, markers }) => ({
        names,
        markers: markers.map((marker) => ({ ...marker, chromosome: `LG${9 - Number(marker.chromosome)}` })),
      }),
    },
    { name: 'alleles exchanged', change: exchange },
    {
      name: 'a monomorphic marker, and one without calls',
      change: ({ names, markers }) => ({
        names,
        markers: [
          ...markers,
          ...['1/1', './.'].map((call, k): Marker => {
            const calls = names.map(() => call);
            return { id: `constant${k}`, chromosome: '2', position: 9000 + k, alleles: ['G', 'T'], calls };
          }),
        ],
      }),
    },
  ];

  describe.each(METHODS)('%s', (method) => {
    test.each(CHANGES)('$name leave every pair what it is', async ({ change }) => {
      const base = await kinshipFile(writeVcf(PANEL), method);
      expectScaled(await kinshipFile(writeVcf(change(PANEL)), method), base);
    });

    test('an individual without calls is at the mean of all, and moves nobody else', async () => {
      const base = await kinshipFile(writeVcf(PANEL), method);
      const markers = PANEL.markers.map((marker) => ({ ...marker, calls: [...marker.calls, './.'] }));
      const more = await kinshipFile(writeVcf({ names: [...PANEL.names, 'empty'], markers }), method);
      expectScaled(more, base);
      // The centred dosages of an additive matrix are 0 at the mean; those of dominance are not.
      if (method !== 'dominance')
        for (const name of PANEL.names) expect(byNames(more).get(`empty × ${name}`)).toBeCloseTo(0, 12);
    });

    test('every marker in two copies changes nothing but the divisor m − 1 of the standardized matrix', async () => {
      const base = await kinshipFile(writeVcf(PANEL), method);
      const twice = await kinshipFile(writeVcf({ ...PANEL, markers: copies(PANEL.markers) }), method);
      expectScaled(twice, base, method === 'standardized' ? (2 * (M - 1)) / (2 * M - 1) : 1);
    });

    test('VCF, .bed, HapMap, matrix and PLINK text of the same calls give the same file', async () => {
      const vcf = writeVcf(PANEL);
      const base = await kinshipFile(vcf, method);
      const prefix = join(folder, `bed${++files}`);
      await run(importCommand, '--genotype', vcf, '--out', prefix);
      expect(await kinshipFile(prefix, method)).toBe(base);
      for (const [format, ending] of [
        ['hapmap', '.hmp.txt'],
        ['numeric', '.csv'],
        ['numeric-by-marker', '.csv'],
        ['plink-text', '.zip'],
      ] as const) {
        const out = join(folder, `${++files}${ending}`);
        await run(exportCommand, '--genotype', prefix, '--format', format, '--out', out);
        expectScaled(await kinshipFile(out, method), base);
      }
    });
  });
});

describe('cross', () => {
  const M = 30;
  const LINES: Panel = (() => {
    const random = createRandomStream(11, 'cross-command');
    const names = ['L1', 'L2', 'L3', 'L4'];
    const markers = Array.from({ length: M }, (_, j): Marker => {
      const calls = names.map(() => (random.uniform() < 0.5 ? '0|0' : '1|1'));
      return { id: `m${j}`, chromosome: String(1 + (j % 2)), position: 50_000 * (j + 1), alleles: ['A', 'C'], calls };
    });
    return { names, markers };
  })();
  const map = (): string =>
    write(
      `marker,chromosome,position_cM\n${LINES.markers.map(({ id, chromosome }, j) => `${id},${chromosome},${2 * j}\n`).join('')}`,
      '.csv',
    );
  const effects = (): string =>
    write(
      `marker,effect_allele,yield_additive\n${LINES.markers.map(({ id }, j) => `${id},C,${(j % 7) - 3}\n`).join('')}`,
      '.csv',
    );

  async function crossFile(genotype: string, crosses: string, ...args: string[]): Promise<string> {
    const out = join(folder, `${++files}.csv`);
    const table = write(`female,male\n${crosses}\n`, '.csv');
    const inputs = ['--effects', effects(), '--genotype', genotype, '--crosses', table, '--population', 'RIL'];
    await run(crossCommand, ...inputs, '--map', map(), '--out', out, ...args);
    return readFileSync(out, 'utf8');
  }

  async function bedOf(panel: Panel): Promise<string> {
    const prefix = join(folder, `bed${++files}`);
    await run(importCommand, '--genotype', writeVcf(panel), '--out', prefix);
    return prefix;
  }

  test('inbred parents from a .bed have the figures and the simulated progeny that a phased VCF gives', async () => {
    const simulated = ['--progeny', '50', '--seed', '3'];
    const fromVcf = await crossFile(writeVcf(LINES), 'L1,L2\nL3,L4', ...simulated);
    expect(fromVcf.split('\n')).toHaveLength(4);
    expect(await crossFile(await bedOf(LINES), 'L1,L2\nL3,L4', ...simulated)).toBe(fromVcf);
  });

  test('a .bed with alleles exchanged gives the same exact figures', async () => {
    const base = await crossFile(await bedOf(LINES), 'L1,L2\nL3,L4', '--analytic-only');
    const other = await crossFile(await bedOf(exchange(LINES)), 'L1,L2\nL3,L4', '--analytic-only');
    const cells = (text: string) => text.split(/[\n,]/);
    for (const [k, cell] of cells(base).entries()) {
      const found = cells(other)[k] ?? '';
      if (Number.isNaN(Number(cell))) expect(found).toBe(cell);
      else expect(Number(found)).toBeCloseTo(Number(cell), 10);
    }
  });

  test('a heterozygous parent needs phase, which a .bed does not hold: it is refused, whatever the VCF held', async () => {
    const [first, ...rest] = LINES.markers as [Marker, ...Marker[]];
    const plant: Panel = { ...LINES, markers: [{ ...first, calls: ['0|1', ...first.calls.slice(1)] }, ...rest] };
    await expect(crossFile(writeVcf(plant), 'L1,L2', '--analytic-only')).resolves.toContain('L1');
    await expect(crossFile(await bedOf(plant), 'L1,L2', '--analytic-only')).rejects.toMatchObject({
      code: 'crossing/unphased-parents',
    });
  });
});
