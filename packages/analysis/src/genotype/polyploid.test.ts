import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisContext, GenotypeReading } from '../context.ts';
import { openFileSource } from '../inputs/byte-source.ts';
import { fullAutopolyploidKinship } from '../inputs/full-autopolyploid-kinship.ts';
import { FileRefused, openGenotypeBlocks } from '../inputs/open-genotype.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { importGenotype } from './import-genotype.ts';
import { frequencyTable } from './marker-frequencies.ts';
import { differenceFrom, POLYPLOIDS, sim4x, sim4xRows, sim4xText } from './polyploid.test-data.ts';
import { qcGenotype, qualityOfPanel } from './qc-genotype.ts';

/** Of two markers over the plants with both dosages. */
function squaredCorrelation(x: readonly number[], y: readonly number[]): number {
  const both = x.flatMap((one, i) => (Number.isNaN(one) || Number.isNaN(y[i]) ? [] : [[one, y[i] ?? 0] as const]));
  const meanOf = (k: 0 | 1): number => both.reduce((sum, pair) => sum + pair[k], 0) / both.length;
  const [mx, my] = [meanOf(0), meanOf(1)];
  const sumOf = (value: (a: number, b: number) => number): number =>
    both.reduce((sum, [a, b]) => sum + value(a - mx, b - my), 0);
  return sumOf((a, b) => a * b) ** 2 / (sumOf((a) => a * a) * sumOf((_, b) => b * b));
}

/** The references are printed with ten digits after the point. */
const PRINTED = 1e-9;
const MARKERS = { maf: 0.02, callRate: 0 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'polyploid-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const reading = (genotypes: GenotypeReading): AnalysisContext => ({
  threads: 1,
  genotypes: { polyploids: true, ...genotypes },
});

let files = 0;
/** A file of this text; its path. */
function written(text: string, ending: string): string {
  const path = join(folder, `${files++}.${ending}`);
  writeFileSync(path, text);
  return path;
}

type Figures = Record<'marker' | 'frequency' | 'call_rate' | 'heterozygosity', string>;

async function frequenciesOf(path: string, context: AnalysisContext = POLYPLOIDS): Promise<Figures[]> {
  const opened = await openGenotypeBlocks(path, context);
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of frequencyTable(opened.panel, context)) chunks.push(chunk);
    const [, ...lines] = Buffer.concat(chunks).toString().trim().split('\n');
    return lines.map((line) => {
      const [marker = '', frequency = '', call_rate = '', heterozygosity = ''] = line.split(',');
      return { marker, frequency, call_rate, heterozygosity };
    });
  } finally {
    await opened.close();
  }
}

async function kinshipOf(path: string, method: 'vanraden1' | 'dominance', context: AnalysisContext = POLYPLOIDS) {
  const opened = await openGenotypeBlocks(path, context);
  try {
    const { kernels } = await panelKinship({ panel: opened.panel, methods: [method], ...MARKERS }, context);
    return { names: opened.panel.samples, data: kernels[method]?.data ?? new Float64Array(0) };
  } finally {
    await opened.close();
  }
}

/** Codes of the errors of a file that is refused. */
async function errorsOf(path: string, context: AnalysisContext = POLYPLOIDS): Promise<string[]> {
  try {
    await (await openGenotypeBlocks(path, context)).close();
    return [];
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return error.problems.filter(({ severity }) => severity === 'error').map(({ code, line }) => `${code} ${line}`);
  }
}

const HEAD = '##fileformat=VCFv4.3\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t';
const vcf = (format: string, samples: string[], rows: string[][]): string =>
  `${HEAD}${samples.join('\t')}\n${rows.map((calls, j) => `1\t${j + 1}\tm${j}\tA\tG\t.\t.\t.\t${format}\t${calls.join('\t')}\n`).join('')}`;

describe('a genotype of tetraploids', () => {
  test.each([
    ['calls', 'sim4x.vcf.gz', POLYPLOIDS],
    ['numbers', 'dosage.csv.gz', reading({ ploidy: 4 })],
  ])('has the frequencies of the reference when it is read from %s', async (_, name, context) => {
    const found = new Map((await frequenciesOf(sim4x(name), context)).map((row) => [row.marker, row]));
    const rows = sim4xRows('freq.csv.gz');
    expect(found.size).toBe(rows.length);
    for (const { marker = '', freq_alt, n_called, H_gametic_obs } of rows) {
      const row = found.get(marker);
      expect(Math.abs(Number(row?.frequency) - Number(freq_alt))).toBeLessThan(PRINTED);
      expect(Math.abs(Number(row?.heterozygosity) - Number(H_gametic_obs))).toBeLessThan(PRINTED);
      expect(Number(row?.call_rate) * 290).toBeCloseTo(Number(n_called), 9);
    }
  });

  test('has the additive, digenic and full autopolyploid relationships of the reference', async () => {
    for (const [method, file] of [
      ['vanraden1', 'G_vanraden.csv.gz'],
      ['dominance', 'D_digenic.csv.gz'],
    ] as const) {
      const { names, data } = await kinshipOf(sim4x('sim4x.vcf.gz'), method);
      expect(differenceFrom(file, names, data)).toBeLessThan(PRINTED);
    }
    const opened = await openGenotypeBlocks(sim4x('sim4x.vcf.gz'), POLYPLOIDS);
    const { kernel, classes } = await fullAutopolyploidKinship({ panel: opened.panel, ...MARKERS }, POLYPLOIDS);
    expect(classes).toBe(2514);
    expect(differenceFrom('G_slater_full.csv.gz', opened.panel.samples, kernel)).toBeLessThan(PRINTED);
    await opened.close();
  });

  test('keeps printed dosages to all their digits, and takes shares of reads', async () => {
    const lines = sim4xText('sim4x.vcf.gz').trim().split('\n');
    const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t').slice(9));
    const means = (valueOf: (cell: string[]) => number) =>
      rows.map((cells) => {
        const values = cells.map((cell) => valueOf(cell.split(':'))).filter((value) => !Number.isNaN(value));
        return values.reduce((sum, value) => sum + value, 0) / values.length / 4;
      });
    const printed = means(([, , dosage]) => (dosage === '.' ? Number.NaN : Number(dosage)));
    const reads = means(([, depth = '']) => {
      const [ref = 0, alt = 0] = depth.split(',').map(Number);
      return (4 * alt) / (ref + alt);
    });
    for (const [field, expected] of [
      ['DS', printed],
      ['AD', reads],
    ] as const) {
      const found = await frequenciesOf(sim4x('sim4x.vcf.gz'), reading({ genotypeField: field }));
      // Reads are rounded to 1e-8 of a copy, printed dosages not at all.
      for (const [j, row] of found.entries())
        expect(Math.abs(Number(row.frequency) - (expected[j] ?? 0))).toBeLessThan(field === 'DS' ? 1e-14 : 2e-9);
    }
  });

  test('is tested for random mating by its classes, and its r² falls with distance as that of its dosages', async () => {
    const opened = await openGenotypeBlocks(sim4x('sim4x.vcf.gz'), POLYPLOIDS);
    const { qc, classes } = await qualityOfPanel({ panel: opened.panel }, POLYPLOIDS);
    const reference = new Map(sim4xRows('freq.csv.gz').map((row) => [row['marker'], row]));
    const { id, chromosome } = await opened.panel.readMarkers(0, opened.panel.markerCount);
    for (const [j, name] of id.entries()) {
      const { chi2, p } = reference.get(name) ?? {};
      const own = classes?.hwe.p[j] ?? Number.NaN;
      // Where there is one allele there is no test.
      if (Number(chi2) === 0 || chi2 === '') expect(own).toBeNaN();
      else expect(Math.abs(own - Number(p))).toBeLessThan(PRINTED);
    }
    const markers = sim4xRows('dosage.csv.gz').filter(({ marker }) => {
      const { maf, n_called } = reference.get(marker) ?? {};
      return Number(maf) >= 0.05 && Number(n_called) >= 0.9 * opened.panel.samples.length;
    });
    const callsOf = new Map(
      markers.map(({ marker, chrom: _, pos: __, ...calls }) => [marker, Object.values(calls).map(Number)]),
    );
    let sum = 0;
    let pairs = 0;
    for (const [a, first] of id.entries())
      for (const [b, second] of id.entries()) {
        const [x, y] = [callsOf.get(first), callsOf.get(second)];
        if (b <= a || chromosome[a] !== chromosome[b] || x === undefined || y === undefined) continue;
        sum += squaredCorrelation(x, y);
        pairs++;
      }
    const decay = qc.ld_decay;
    expect([decay?.pairs, decay?.of_pairs]).toEqual([pairs, pairs]);
    const mean = (decay?.bins ?? []).reduce((total, bin) => total + bin.pairs * bin.r2, 0) / pairs;
    expect(Math.abs(mean - sum / pairs)).toBeLessThan(1e-12);
    await opened.close();
  });

  test('is stored in four bits a call beside the .bed, and read back with the same numbers', async () => {
    const source = await openFileSource(sim4x('sim4x.vcf.gz'));
    const outPrefix = join(folder, 'stored');
    const { panel, qc } = await importGenotype({ source, outPrefix }, POLYPLOIDS);
    await source.close();
    expect(panel).toMatchObject({ samples: 290, markers: 660, ploidy: 4, fractional: null });
    expect(qc?.ploidy).toBe(4);
    const bytes = readFileSync(`${outPrefix}.dosage`);
    expect(bytes.length).toBe(32 + 84 + 660 * 145);
    const [stored, read] = [
      await kinshipOf(outPrefix, 'vanraden1'),
      await kinshipOf(sim4x('sim4x.vcf.gz'), 'vanraden1'),
    ];
    expect(stored).toEqual(read);
  });

  test('gives the same numbers in another order of samples, and for the other allele', async () => {
    const opened = await openGenotypeBlocks(sim4x('sim4x.vcf.gz'), POLYPLOIDS);
    await opened.close();
    const lines = sim4xText('dosage.csv.gz').trim().split('\n');
    const reordered = lines.map((line) => {
      const cells = line.split(',');
      return [...cells.slice(0, 3), ...cells.slice(3).reverse()].join(',');
    });
    const swapped = lines.map((line, row) => {
      if (row === 0) return line;
      const cells = line.split(',');
      return [...cells.slice(0, 3), ...cells.slice(3).map((x) => (x === 'NA' ? x : String(4 - Number(x))))].join(',');
    });
    const context = reading({ ploidy: 4 });
    for (const method of ['vanraden1', 'dominance'] as const) {
      const plain = await kinshipOf(sim4x('dosage.csv.gz'), method, context);
      const n = plain.names.length;
      for (const text of [reordered, swapped]) {
        const other = await kinshipOf(written(text.join('\n'), 'csv'), method, context);
        const place = new Map(other.names.map((name, i) => [name, i]));
        const at = plain.names.map((name) => place.get(name) ?? -1);
        let largest = 0;
        for (let i = 0; i < n; i++) {
          for (let j = 0; j < n; j++) {
            const one = other.data[(at[i] ?? 0) * n + (at[j] ?? 0)] ?? Number.NaN;
            largest = Math.max(largest, Math.abs((plain.data[i * n + j] ?? 0) - one));
          }
        }
        expect(largest).toBeLessThan(1e-12);
      }
    }
  });

  test('has inbreeding coefficients near 0 in random F1s', async () => {
    const opened = await openGenotypeBlocks(sim4x('sim4x.vcf.gz'), POLYPLOIDS);
    const qc = await qcGenotype({ panel: opened.panel }, POLYPLOIDS);
    await opened.close();
    expect(Math.abs(qc.mean_inbreeding ?? 1)).toBeLessThan(0.05);
    expect(qc.hwe.tested).toBe(608);
  });
});

test('a hexaploid and an octoploid are read, with calls that miss', async () => {
  const six = vcf(
    'GT',
    ['a', 'b'],
    [
      ['0/0/0/0/0/1', './././././.'],
      ['1/1/1/1/1/1', '0/0/0/0/1/1'],
    ],
  );
  expect((await frequenciesOf(written(six, 'vcf'))).map(({ frequency }) => Number(frequency))).toEqual([1 / 6, 8 / 12]);
  const eight = vcf(
    'GT',
    ['a', 'b'],
    [
      ['0/0/0/0/0/0/0/1', '0|1|1|1|1|1|1|1'],
      ['.', '0/0/0/0/1/1/1/1'],
    ],
  );
  expect((await frequenciesOf(written(eight, 'vcf'))).map(({ frequency }) => Number(frequency))).toEqual([0.5, 0.5]);
});

test('a marker of three alleles is split, each part counting its own allele', async () => {
  const text = vcf('GT', ['a', 'b'], [['0/1/2/2', '0/0/0/1']]).replace('\tG\t', '\tG,T\t');
  expect((await frequenciesOf(written(text, 'vcf'))).map(({ frequency }) => Number(frequency))).toEqual([2 / 8, 2 / 8]);
});

describe('is refused with a code and a line:', () => {
  const four = ['0/0/0/1', '0/0/1/1'];
  test.each([
    ['plants that differ in ploidy', vcf('GT', ['a', 'b'], [['0/0/0/1', '0/1']]), {}, ['E-GT-PLOIDY-MIX null']],
    ['another ploidy in a later line', vcf('GT', ['a', 'b'], [four, ['0/1', '1/1']]), {}, ['E-GT-PLOIDY-MIX 4']],
    ['tetraploids behind diploids', vcf('GT', ['a', 'b'], [['0/1', '1/1'], four]), {}, ['E-GT-PLOIDY-MIX 4']],
    ['three copies', vcf('GT', ['a', 'b'], [['0/0/1', '0/1/1']]), {}, ['E-GT-PLOIDY 3']],
    ['diploid calls said to be tetraploid', vcf('GT', ['a'], [['0/1']]), { ploidy: 4 }, ['E-GT-PLOIDY 3']],
    ['tetraploid calls said to be diploid', vcf('GT', ['a'], [['0/0/0/1']]), { ploidy: 2 }, ['E-GT-PLOIDY 3']],
    ['a dosage beyond the ploidy', vcf('DS', ['a'], [['4.5']]), { ploidy: 4 }, ['E-GT-BAD-CALL 3']],
    ['a dosage beyond 2 of an unknown ploidy', vcf('DS', ['a'], [['3.5']]), {}, ['E-GT-BAD-CALL 3']],
    [
      'dosages before the first line that tells the ploidy',
      vcf('GT:DS', ['a'], [['./././.:1.5'], ['0/0/0/1:1']]),
      { genotypeField: 'DS' },
      ['E-GT-PLOIDY 4'],
    ],
    ['reads that are not there', vcf('GT', ['a'], [['0/0/0/1']]), { genotypeField: 'AD' }, ['E-GT-NO-GT 3']],
    ['reads that are no numbers', vcf('GT:AD', ['a'], [['0/0/0/1:3,x']]), { genotypeField: 'AD' }, ['E-GT-BAD-CALL 3']],
  ] as const)('%s', async (_, text, genotypes, errors) => {
    expect(await errorsOf(written(text, 'vcf'), reading(genotypes))).toEqual(errors);
  });

  test('a table with numbers beyond 2 and nobody says the ploidy, or beyond the ploidy', async () => {
    const path = written('marker,chrom,pos,a,b,c,d\nm1,1,10,0,4,3,2\nm2,1,20,1,6,2,4\n', 'csv');
    expect(await errorsOf(path)).toEqual(['E-GT-PLOIDY 3']);
    expect(await errorsOf(path, reading({ ploidy: 4 }))).toEqual(['E-GT-PLOIDY 3']);
    expect(await errorsOf(path, reading({ ploidy: 6 }))).toEqual([]);
  });

  test('a ploidy that the format does not hold, or where diploids are needed', async () => {
    const hapmap =
      'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode\ta\tb\nm1\tA/G\t1\t10\t+\tNA\tNA\tNA\tNA\tNA\tNA\tAA\tAG\n';
    expect(await errorsOf(written(hapmap, 'hmp.txt'), reading({ ploidy: 4 }))).toEqual(['E-GT-PLOIDY null']);
    const dosages = written(vcf('DS', ['a', 'b'], [['3', '4']]), 'vcf');
    expect(await errorsOf(dosages, { threads: 1, genotypes: { ploidy: 4 } })).toEqual(['E-GT-PLOIDY null']);
  });

  test('polyploids where diploids are needed', async () => {
    const path = written(vcf('GT', ['a', 'b'], [four]), 'vcf');
    expect(await errorsOf(path, { threads: 1 })).toEqual(['E-GT-PLOIDY 3']);
    const source = await openFileSource(path);
    await importGenotype({ source, outPrefix: join(folder, 'four') }, POLYPLOIDS);
    await source.close();
    expect(await errorsOf(join(folder, 'four'), { threads: 1 })).toEqual(['E-GT-PLOIDY null']);
    expect(await errorsOf(join(folder, 'four'), reading({ ploidy: 6 }))).toEqual(['E-GT-PLOIDY null']);
    expect(await errorsOf(join(folder, 'four'))).toEqual([]);
  });
});

test('calls without reads are missing, with a warning', async () => {
  const path = written(vcf('GT:AD', ['a', 'b'], [['0/0/0/1:3,1', '0/0/0/0:0,0']]), 'vcf');
  const opened = await openGenotypeBlocks(path, reading({ genotypeField: 'AD' }));
  expect(opened.problems.map(({ code }) => code)).toContain('W-GT-NO-READS');
  await opened.close();
  const [row] = await frequenciesOf(path, reading({ genotypeField: 'AD' }));
  expect(row).toMatchObject({ frequency: '0.25', call_rate: '0.5' });
});

test('diploids have the same files where polyploids are taken and their ploidy is said', async () => {
  const rows = [
    ['0/1', '1/1', './.'],
    ['0|0', '0/1', '1/1'],
  ];
  const path = written(vcf('GT', ['a', 'b', 'c'], rows), 'vcf');
  const filesOf = async (context: AnalysisContext, name: string): Promise<Buffer[]> => {
    const source = await openFileSource(path);
    const { files: paths } = await importGenotype({ source, outPrefix: join(folder, name) }, context);
    await source.close();
    return paths.map((one) => readFileSync(one));
  };
  const today = await filesOf({ threads: 1 }, 'today');
  expect(await filesOf(reading({ ploidy: 2 }), 'two')).toEqual(today);
  expect(await filesOf(POLYPLOIDS, 'any')).toEqual(today);
});

test('double reduction is estimated from the classes that it makes', async () => {
  // Gametes of a marker with f = ½: two alleles are copies of one with 3λ/(2 + λ) = 0.2.
  const lambda = 0.4 / 2.8;
  const gametes = [0.3, 0.4, 0.3];
  const plants = Array.from({ length: 5 }, (_, x) =>
    Array<string>(Math.round(100 * gametes.reduce((sum, g, c) => sum + g * (gametes[x - c] ?? 0), 0))).fill(
      ['0/0/0/0', '0/0/0/1', '0/0/1/1', '0/1/1/1', '1/1/1/1'][x] ?? '',
    ),
  ).flat();
  const names = plants.map((_, i) => `p${i}`);
  const opened = await openGenotypeBlocks(written(vcf('GT', names, [plants]), 'vcf'), POLYPLOIDS);
  const { qc } = await qualityOfPanel({ panel: opened.panel }, POLYPLOIDS);
  expect(plants).toHaveLength(100);
  expect(qc.double_reduction).toBeCloseTo(lambda, 10);
  for (const [x, count] of (qc.expected_with_double_reduction ?? []).entries())
    expect(count).toBeCloseTo(qc.dosage_classes?.[x] ?? 0, 8);
  await opened.close();
});

describe('duplicates', () => {
  test('are plants with equal dosages, not those with both alleles in any number', async () => {
    const stream = createRandomStream(7, 'dosages');
    const rows = Array.from({ length: 300 }, (_, j) => {
      const [one, other] = [1 + stream.nextInt(3), 1 + stream.nextInt(3)];
      const [copy, fraction] = [j === 0 ? one - 1 : one, j < 150 ? one : one + 0.3];
      return [`m${j},1,${j + 1}`, one, copy, fraction, other, 4 * stream.nextInt(2)].join(',');
    });
    const path = written(`marker,chrom,pos,a,copy,fraction,other,far\n${rows.join('\n')}\n`, 'csv');
    const context = reading({ ploidy: 4 });
    const source = await openFileSource(path);
    const { qc } = await importGenotype({ source, outPrefix: join(folder, 'duplicates') }, context);
    await source.close();
    const expected = [
      { first: 'a', second: 'copy', identity: 1 - 1 / 300 },
      { first: 'a', second: 'fraction', identity: 1 },
      { first: 'copy', second: 'fraction', identity: 1 - 1 / 300 },
    ];
    expect(qc?.duplicates).toEqual(expected);
    const opened = await openGenotypeBlocks(join(folder, 'duplicates'), context);
    expect((await qcGenotype({ panel: opened.panel }, context)).duplicates).toEqual(expected);
    await opened.panel.close();
  });
});

test('the report of a file says that chromosomes form subgenomes, each a set of diploid ones', async () => {
  const rows = ['1A', '1B', '2A', '2B', '3A', '3B'].map((chromosome, j) => `m${j},${chromosome},5,0,2`);
  const source = await openFileSource(written(`marker,chrom,pos,a,b\n${rows.join('\n')}\n`, 'csv'));
  const { report, panel } = await importGenotype({ source, outPrefix: join(folder, 'wheat') }, POLYPLOIDS);
  await source.close();
  const found = report.problems.find(({ code }) => code === 'I-GT-SUBGENOMES');
  expect([found?.value, found?.severity, panel?.ploidy]).toEqual(['AB', 'info', 2]);
  expect(found?.message).toContain('2 subgenomes: A (1A, 2A, 3A); B (1B, 2B, 3B)');
});
