import { describe, expect, test } from 'vitest';
import { codesOf, listed, type Outcome, readFileOf } from './genotype-file.test-data.ts';
import { createRandomStream } from './random.test-data.ts';
import type { ReadGenotypeOptions } from './read-genotype.ts';
import { createReadCaller, LEAST_PROBABILITY, READ_ERROR } from './readers/read-caller.ts';

const POLYPLOIDS: Partial<ReadGenotypeOptions> = { polyploids: true };
const random = createRandomStream(20_261_129);
const draw = (below: number) => Math.floor(below * random());
const SAMPLES = Array.from({ length: 7 }, (_, i) => `P${i + 1}`);

/** Errors as `CODE line column value`. */
const errorsOf = ({ report }: Outcome): string[] =>
  listed({ report: { ...report, problems: report.problems.filter(({ severity }) => severity === 'error') } });

/** Copies by marker and sample, null when missing. */
const truthOf = (ploidy: number, markers = 9): (number | null)[][] =>
  Array.from({ length: markers }, () => SAMPLES.map(() => (draw(8) === 0 ? null : draw(ploidy + 1))));

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => [random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

describe('classes of letters', () => {
  const lettersOf = (copies: number | null, ploidy: number, [a, b]: readonly [string, string]): string =>
    copies === null
      ? ['NA', 'N'.repeat(ploidy), '-'][draw(3)]!
      : shuffled([...a.repeat(ploidy - copies), ...b.repeat(copies)]).join(draw(4) === 0 ? '/' : '');

  test.each([4, 6, 8])('of ploidy %i are read by listed alleles, in rows and columns', async (ploidy) => {
    const truth = truthOf(ploidy);
    const cells = truth.map((row) => row.map((copies) => lettersOf(copies, ploidy, ['A', 'G'])));
    const lines = cells.map((row, j) => [`m${j}`, 1, 10 * (j + 1), 'A', 'G', ...row].join(','));
    const text = `marker,chrom,pos,REF,ALT,${SAMPLES.join(',')}\n${lines.join('\n')}\n`;
    const outcome = await readFileOf(text, POLYPLOIDS);
    expect(outcome).toMatchObject({ format: 'letter-matrix', ploidy, samples: SAMPLES });
    expect(outcome.copies).toEqual(truth);
    const turned = SAMPLES.map((name, i) => [name, ...cells.map((row) => row[i])].join('\t'));
    const columns = await readFileOf(`sample\t${cells.map((_, j) => `m${j}`).join('\t')}\n${turned.join('\n')}\n`, {
      ...POLYPLOIDS,
      places: new Map(
        cells.map((_, j) => [`m${j}`, { chromosome: '1', positionBp: 10 * (j + 1), alleles: ['A', 'G'] }]),
      ),
    });
    expect(columns.copies).toEqual(truth);
  });

  test('of arrays count B, whichever is more frequent', async () => {
    const { copies, panel, report } = await readFileOf(
      'marker,chrom,pos,a,b,c\nm1,1,1,ABBB,BBBB,BBBB\nm2,1,2,AAAA,AAAB,AABB\n',
      POLYPLOIDS,
    );
    expect(panel.markers.map(({ a1, a2 }) => a1 + a2)).toEqual(['AB', 'AB']);
    expect(copies).toEqual([
      [3, 4, 4],
      [0, 1, 2],
    ]);
    expect(report.problems.map(({ code }) => code)).not.toContain('W-GT-ALLELES');
  });

  test('are refused with their line where they are none, of other ploidies, and where diploids are needed', async () => {
    const head = 'marker,chrom,pos,a,b,c,d,e\n';
    const row = 'm2,1,2,AAAA,AAAG,AAGG,AGGG,GGGG\n';
    const cases = [
      [`${head}m1,1,1,AAAA,AAAG,AAG,AGGG,GGGG\n${row}`, ['E-GT-BAD-CALL line 2 c (F) AAG']],
      [`${head}m1,1,1,AAAA,AACG,AAAA,AGGG,GGGG\n${row}`, ['E-GT-BAD-CALL line 2 b (E) AACG']],
    ] as const;
    for (const [text, problems] of cases) expect(errorsOf(await readFileOf(text, POLYPLOIDS))).toEqual(problems);
    expect(errorsOf(await readFileOf(`${head}${row}`))).toEqual(['E-GT-PLOIDY 4']);
    expect(errorsOf(await readFileOf('marker,chrom,pos,a,b\nm1,1,1,AAA,AAG\n', POLYPLOIDS))).toEqual(['E-GT-PLOIDY 3']);
    const third = await readFileOf(`${head}m1,1,1,AAAA,AAAC,AAGG,AGGG,GGGG\n`, POLYPLOIDS);
    // G is the rarer one of the two most frequent alleles.
    expect(third.copies).toEqual([[0, null, 2, 3, 4]]);
    expect(codesOf(third)).toContain('W-GT-OTHER-ALLELE');
  });
});

describe('reads of DArTag', () => {
  const HEAD = `AlleleID,CloneID,AlleleSequence,${SAMPLES.join(',')}`;
  const reads = truthOf(40, 6).map((row) => row.map((copies) => [draw(50), copies ?? 0] as const));
  const rowsOf = (j: number) => {
    const clone = `chr${j % 3}.1_00000${100 + j}`;
    const row = (allele: string, sequence: string, cells: readonly number[]) =>
      [`${clone}|${allele}`, clone, sequence, ...cells].join(',');
    return [
      row(
        'Ref_0001',
        'TTACGGA',
        reads[j]!.map(([reference]) => reference),
      ),
      row(
        'Alt_0002',
        'TTATGGA',
        reads[j]!.map(([, alternative]) => alternative),
      ),
      row(
        'AltMatch_0003',
        'TTATGCA',
        SAMPLES.map(() => 5),
      ),
    ];
  };
  const text = `${HEAD}\n${reads.flatMap((_, j) => (j % 2 === 0 ? rowsOf(j) : rowsOf(j).reverse())).join('\n')}\n`;

  test.each([2, 4])('become shares times the ploidy %i, at the places in the names of markers', async (ploidy) => {
    const outcome = await readFileOf(text, { ...POLYPLOIDS, ploidy, genotypeField: 'AD' });
    expect(outcome).toMatchObject({ format: 'dart', ploidy });
    expect(outcome.panel.markers).toHaveLength(6);
    for (const [at, { positionBp, chromosome, a1, a2 }] of outcome.panel.markers.entries()) {
      const j = positionBp - 100;
      expect([chromosome, a1, a2]).toEqual([`chr${j % 3}.1`, 'C', 'T']);
      for (const [i, [reference, alternative]] of reads[j]!.entries()) {
        const expected = reference + alternative === 0 ? null : (ploidy * alternative) / (reference + alternative);
        const copies = outcome.copies[at]?.[i] ?? null;
        // Fractions of diploids are kept in 2⁻¹⁴, those of polyploids in 10⁻⁸.
        if (expected === null) expect(copies).toBeNull();
        else expect(Math.abs((copies ?? Number.NaN) - expected)).toBeLessThan(ploidy === 2 ? 2 ** -14 : 1e-8);
      }
    }
    const { message = '' } = outcome.report.problems.find(({ code }) => code === 'I-GT-DART') ?? {};
    expect(message).toContain('6 rows of other haplotypes');
  });

  test('are called by the binomial model', async () => {
    const outcome = await readFileOf(text, { ...POLYPLOIDS, ploidy: 4, genotypeField: 'AD-called' });
    const call = createReadCaller(4);
    for (const [at, { positionBp }] of outcome.panel.markers.entries()) {
      const expected = reads[positionBp - 100]!.map(([reference, alternative]) => call(reference, alternative));
      expect(outcome.copies[at]).toEqual(expected.map((copies) => (Number.isNaN(copies) ? null : copies)));
    }
    expect(codesOf(outcome)).toContain('I-GT-CALLED');
  });

  test('are refused without ploidy, with cells that are no reads, and alleles twice', async () => {
    expect(errorsOf(await readFileOf(text, POLYPLOIDS))).toEqual(['E-GT-PLOIDY line 1']);
    const options: Partial<ReadGenotypeOptions> = { ...POLYPLOIDS, ploidy: 4 };
    const short = `AlleleID,CloneID,AlleleSequence,a\nm|Ref,m,CA,3\n`;
    expect(errorsOf(await readFileOf(`${short}m|Alt,m,CT,x\n`, options))).toContain('E-GT-BAD-CALL line 3 a (D) x');
    expect(errorsOf(await readFileOf(`${short}m|Ref,m,CT,1\n`, options))).toEqual(['E-GT-DART-ROWS line 3']);
    const alone = await readFileOf(`${short}n|Ref,n,CA,4\nn|Alt,n,GA,4\n`, options);
    expect(alone.panel.markers.map(({ id }) => id)).toEqual(['n']);
    expect(alone.report.problems.find(({ code }) => code === 'I-GT-DART')?.message).toContain(
      '1 marker with a row of one',
    );
  });

  test('of SNPs in two rows are read where reads are asked for', async () => {
    const report = '*,*,*,P,P\nAlleleID,CloneID,SNP,a,b\n1|F|0--3:A>G,1,,30,0\n1|F|0-3:A>G,1,3:A>G,10,9\n';
    const { copies } = await readFileOf(report, { ...POLYPLOIDS, ploidy: 4, genotypeField: 'AD' });
    expect(copies).toEqual([[1, 4]]);
    expect(errorsOf(await readFileOf(report, POLYPLOIDS))[0]).toMatch(/^E-GT-BAD-CALL/);
    expect(errorsOf(await readFileOf(report, { ...POLYPLOIDS, ploidy: 4 }))).toEqual(['E-GT-PLOIDY 4']);
  });
});

describe('a table of one dosage a row', () => {
  const truth = truthOf(4);
  const rows = truth.flatMap((row, j) =>
    row.map((copies, i) => {
      const size = copies === null ? 0 : 40;
      const mean = copies === null ? '' : Math.abs(copies - 0.125);
      return [`m${j}`, SAMPLES[i], 10 * (copies ?? 0), size, copies ?? 'NA', mean, 0, 0, 0, 0, 1];
    }),
  );
  const updog = `"snp","ind","ref","size","geno","postmean","Pr_0","Pr_1","Pr_2","Pr_3","Pr_4"\n${shuffled(rows)
    .map((cells) => cells.join(','))
    .join('\n')}\n`;
  const byName = (outcome: Awaited<ReturnType<typeof readFileOf>>, value: (copies: number) => number) =>
    expect(
      new Map(
        outcome.panel.markers.map(({ id }, at) => [
          id,
          SAMPLES.map((name) => outcome.copies[at]?.[outcome.samples.indexOf(name)] ?? null),
        ]),
      ),
    ).toEqual(new Map(truth.map((row, j) => [`m${j}`, row.map((copies) => (copies === null ? null : value(copies)))])));

  test('of updog is read by its dosages, their means or its reads, and tells the ploidy', async () => {
    const outcome = await readFileOf(updog, POLYPLOIDS);
    expect(outcome).toMatchObject({ format: 'long-dosages', ploidy: 4 });
    byName(outcome, (copies) => copies);
    byName(await readFileOf(updog, { ...POLYPLOIDS, genotypeField: 'DS' }), (copies) => Math.abs(copies - 0.125));
    byName(await readFileOf(updog, { ...POLYPLOIDS, genotypeField: 'AD' }), (copies) => copies);
    const called = await readFileOf(updog, { ...POLYPLOIDS, genotypeField: 'AD-called' });
    byName(called, (copies) => copies);
    expect(codesOf(called)).toContain('I-GT-CALLED');
  });

  test('of fitPoly is read, and of plants whose ploidy is given', async () => {
    const head = 'marker\tMarkerName\tSampleName\tratio\tP0\tP1\tP2\tP3\tP4\tmaxgeno\tmaxP\tgeno';
    const { copies, ploidy } = await readFileOf(
      `${head}\n1\tm1\ta\t0.2\t0\t1\t0\t0\t0\t1\t1\t1\n1\tm1\tb\t0.9\t0\t0\t0\t0\t1\t4\t1\tNA\n`,
      POLYPLOIDS,
    );
    expect([ploidy, copies]).toEqual([4, [[1, null]]]);
    const six = await readFileOf('marker,sample,dosage\nm1,a,6\nm1,b,2\n', { ...POLYPLOIDS, ploidy: 6 });
    expect([six.ploidy, six.copies]).toEqual([6, [[6, 2]]]);
  });

  test('is refused with its line where numbers, cells or columns are wrong', async () => {
    const head = 'snp,ind,geno\nm1,a,1\nm1,b,2\nm1,c,0\nm1,d,0\n';
    expect(errorsOf(await readFileOf(`${head}m2,a,3\n`, POLYPLOIDS))).toContain('E-GT-BAD-CALL line 6 geno (C) 3');
    expect(errorsOf(await readFileOf(`${head}m2,a,-1\n`, { ...POLYPLOIDS, ploidy: 4 }))).toEqual([
      'E-GT-BAD-CALL line 6 geno (C) -1',
    ]);
    expect(errorsOf(await readFileOf(`${head}m2,a\n`, POLYPLOIDS))).toEqual(['E-GT-COLS line 6 m2,a']);
    expect(errorsOf(await readFileOf(head, { ...POLYPLOIDS, genotypeField: 'AD' }))).toEqual(['E-GT-NO-GT line 1']);
    expect(errorsOf(await readFileOf(updog, { ...POLYPLOIDS, ploidy: 6 }))).toEqual(['E-GT-PLOIDY line 1']);
    expect(errorsOf(await readFileOf(updog))).toEqual(['E-GT-PLOIDY 4']);
    const twice = await readFileOf(`${head}m1,a,2\n`, { ...POLYPLOIDS, ploidy: 4 });
    expect(twice.copies).toEqual([[null, 2, 0, 0]]);
    expect(codesOf(twice)).toContain('W-GT-CONFLICT');
  });
});

describe('a VCF', () => {
  const head = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\n';
  const line = (format: string, ...cells: string[]) =>
    `${head}${['1', '5', 'm', 'A', 'G', '.', '.', '.', format, ...cells].join('\t')}\n`;

  test('has calls made of reads, missing where no class is probable enough', async () => {
    const text = line('GT:AD', '0/0/0/1:30,10', '0/0/0/1:1,0', './././.:0,0');
    const outcome = await readFileOf(text, { ...POLYPLOIDS, genotypeField: 'AD-called' });
    expect(outcome.copies).toEqual([[1, null, null]]);
    expect(outcome.fractional).toBeNull();
    expect(codesOf(outcome)).toEqual(expect.arrayContaining(['I-GT-CALLED', 'W-GT-NO-READS']));
    expect(errorsOf(await readFileOf(line('GT', '0/0', '0/1', '1/1'), { genotypeField: 'AD-called' }))).toContain(
      'E-GT-NO-GT line 3 FORMAT (I) GT',
    );
  });

  test('says what is lost of genotype probabilities', async () => {
    const outcome = await readFileOf(line('GP', '0,0.5,0.5,0,0', '1,0,0,0,0', '.'), { ...POLYPLOIDS, ploidy: 4 });
    expect(outcome.copies).toEqual([[1.5, 0, null]]);
    expect(outcome.report.problems.find(({ code }) => code === 'I-GT-PROBABILITIES')?.message).toContain('is lost');
  });
});

test('a call of reads is the most probable class, by the probabilities of all of them', () => {
  for (const ploidy of [2, 4, 6, 8]) {
    const call = createReadCaller(ploidy);
    for (let k = 0; k < 300; k++) {
      const [reference, alternative] = [draw(30), draw(30)];
      const weights = Array.from({ length: ploidy + 1 }, (_, x) => {
        const share = (x * (1 - READ_ERROR) + (ploidy - x) * READ_ERROR) / ploidy;
        return share ** alternative * (1 - share) ** reference;
      });
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const best = Math.max(...weights);
      const isCalled = reference + alternative > 0 && best / total >= LEAST_PROBABILITY;
      expect(call(reference, alternative)).toBe(isCalled ? weights.indexOf(best) : Number.NaN);
    }
  }
});
