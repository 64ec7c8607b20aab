import { describe, expect, test } from 'vitest';
import { codesOf, listed, readFileOf, type SmallPanel, zipOf } from './genotype-file.test-data.ts';
import { createRandomStream } from './random.test-data.ts';

// Reports in the shapes in which laboratories deliver them, written here from the definition of each format.

const random = createRandomStream(20_261_124);
const draw = (below: number) => Math.floor(below * random());
const SAMPLES = Array.from({ length: 13 }, (_, i) => `Line ${i + 1}`);

interface Truth {
  id: string;
  ref: string;
  alt: string;
  /** Copies of the alternative by sample, null when missing. */
  copies: (number | null)[];
}
const ALLELES = [
  ['A', 'G'],
  ['T', 'C'],
  ['-', 'TA'],
  ['AC', '-'],
  ['C', '-'],
] as const;
const truthOf = (pairs: readonly (readonly [string, string])[], count: number): Truth[] =>
  Array.from({ length: count }, (_, j) => {
    const [ref, alt] = pairs[j % pairs.length]!;
    return { id: `snp${j + 1}`, ref, alt, copies: SAMPLES.map(() => (draw(6) === 0 ? null : draw(3))) };
  });

/** Alleles of a call, in either order. */
const pairOf = ({ ref, alt }: Truth, copies: number): [string, string] =>
  copies === 1 ? (draw(2) === 0 ? [ref, alt] : [alt, ref]) : copies === 0 ? [ref, ref] : [alt, alt];

/** The panel by the names of its alleles: copies of the allele that the truth calls the alternative. */
function copiesOf(panel: SmallPanel, { id, alt }: Truth): (number | null)[] {
  const marker = panel.markers.find((one) => one.id === id);
  if (marker === undefined) throw new Error(`${id} is not in the panel`);
  return marker.dosages.map((dosage) => (dosage === null ? null : marker.a2 === alt ? dosage : 2 - dosage));
}

const shuffled = <T>(values: T[]): T[] =>
  values
    .map((value) => [random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

describe('KASP calls, one a row', () => {
  const truth = truthOf(ALLELES, 10);
  const rows = truth.flatMap((marker) =>
    SAMPLES.map((sample, i) => {
      const copies = marker.copies[i];
      const call = copies === null || copies === undefined ? null : pairOf(marker, copies).join(':');
      return { id: marker.id, sample, call };
    }),
  );

  test('of a table, in any order and with missing calls in the words of laboratories', async () => {
    const words = ['Uncallable', '?', '', 'NA', 'Bad', 'Missing', 'Dupe', 'NoCall'];
    const lines = shuffled(
      rows.map(({ id, sample, call }, i) => `${id},${sample},${call ?? words[i % words.length]},1.36,.58`),
    );
    const outcome = await readFileOf(`MarkerName,SampleName,SNPcall,Xvalue,Yvalue\n${lines.join('\n')}\n`);
    expect(outcome.format).toBe('kasp');
    expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
    const order = outcome.samples.map((name) => SAMPLES.indexOf(name));
    for (const marker of truth)
      expect(copiesOf(outcome.panel, marker), marker.id).toEqual(order.map((i) => marker.copies[i]));
    expect(outcome.panel.markers.every(({ chromosome, positionBp }) => chromosome === 'UN' && positionBp === 0)).toBe(
      true,
    );
    expect(codesOf(outcome)).toEqual(expect.arrayContaining(['W-GT-ALLELES', 'W-GT-NO-POS']));
  });

  test('of a report of LGC, whose lists say where the deletion is an allele, without its controls', async () => {
    // A marker of deletions alone: only the list tells them from missing calls.
    const all = [...truth, { id: 'gone', ref: '-', alt: 'TAA', copies: SAMPLES.map((_, i) => (i === 3 ? null : 0)) }];
    const wide = (...cells: (string | number)[]) => [...cells, '', '', '', ''].join(',');
    const text = [
      wide('KBiosciences genotyping report'),
      wide('LGC-Genomics'),
      wide('Master plate type', 96),
      wide(''),
      wide('Statistics'),
      wide('SNP', 'Plate', 'Y', 'Het', 'X', 'NTC', 'Allele Y', 'Allele X'),
      ...all.map(({ id, ref, alt }) => wide(id, 'P01', 3, 2, 21, 2, ref, alt)),
      wide(''),
      '# Please note: AL1=AlleleY axis and AL2=AlleleX axis.;,,,',
      wide('SNPs'),
      wide('SNPID', 'SNPNum', 'AlleleY', 'AlleleX', 'Sequence'),
      ...all.map(({ id, ref, alt }, j) => wide(id, 330_756 + j, ref, alt, 'BLANK[/]')),
      wide(''),
      wide('Scaling'),
      wide('DaughterPlate', 'SNPNum', 'Xmin', 'Xmax'),
      wide(''),
      wide('Data'),
      wide('DaughterPlate', 'MasterPlate', 'MasterWell', 'Call', 'X', 'Y', 'SNPID', 'SubjectID', 'Norm'),
      ...all.flatMap((marker) => [
        ...SAMPLES.map((sample, i) => {
          const copies = marker.copies[i];
          const call = copies === null || copies === undefined ? '?' : pairOf(marker, copies).join(':');
          return wide('S1', 'P01', 'A01', call, 1.7, 0.3, marker.id, sample, '');
        }),
        wide('S1', 'P01', 'G12', 'NTC', 0.5, 0.3, marker.id, 'BLANK', ''),
        wide('S1', 'P01', 'H12', '?', 0.5, 0.3, marker.id, '', ''),
      ]),
    ].join('\r\n');
    const outcome = await readFileOf(text);
    expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
    expect(outcome.samples).toEqual(SAMPLES);
    for (const marker of truth) expect(copiesOf(outcome.panel, marker), marker.id).toEqual(marker.copies);
    expect(outcome.panel.markers.find(({ id }) => id === 'gone')).toMatchObject({
      a1: '-',
      dosages: all.at(-1)?.copies,
    });
    expect(outcome.report.problems.find(({ code }) => code === 'I-GT-CONTROLS')?.message).toMatch(/^22 rows/);
  });

  test('-:- is missing where no list and no other call has the deletion', async () => {
    const outcome = await readFileOf(
      'Marker\tSample\tCall\nm1\ta\t-:-\nm1\tb\tA:G\nm1\tc\tGG\nm2\ta\t-:-\nm2\tb\t-:T\n',
    );
    expect(outcome.panel.markers.map(({ a1, a2, dosages }) => [a1, a2, ...dosages])).toEqual([
      ['G', 'A', null, 1, 0],
      ['-', 'T', 0, 1, null],
    ]);
  });

  test('two different calls of one sample and marker are missing, and it is said', async () => {
    const outcome = await readFileOf(
      'Marker,Sample,Call\nm1,a,A:A\nm1,b,A:G\nm1,a,A:G\nm1,b,G:A\nm1,b,?\nm1,c,?\nm1,c,G:G\n',
    );
    expect(outcome.panel.markers).toMatchObject([{ a1: 'G', a2: 'A', dosages: [null, 1, 0] }]);
    expect(listed(outcome)).toContain('W-GT-CONFLICT line 4');
  });

  test('a cell that is no call, and a line without one, are named', async () => {
    const calls = Array.from({ length: 8 }, (_, i) => `m1,L${i},A:G`).join('\n');
    const outcome = await readFileOf(`Marker,Sample,Call\n${calls}\nm1,x,A:Q1\nm1,y\n`);
    expect(listed(outcome).filter((text) => text.startsWith('E-'))).toEqual([
      'E-GT-BAD-CALL line 10 Call (C) A:Q1',
      'E-GT-COLS line 11 m1,y',
    ]);
  });
});

test('markers get their places and alleles from a list that lies in the zip beside the calls', async () => {
  const grid = 'SampleName.LabID,S12_79,S14_46\nB73.A1,T:G,A:A\nMo17.A2,G:G,Uncallable\n';
  const list =
    'IntertekSNPID,CustomerSNPID,Reference,Alternate,Chromosome,Position,Quality\nsnp1,S12_79,T,G,S12,79,\nsnp2,S14_46,G,A,S14,46,\n';
  const long =
    'MarkerName,SampleName,SNPcall\nS12_79,B73,T:G\nS12_79,Mo17,G:G\nS14_46,B73,A:A\nS14_46,Mo17,Uncallable\n';
  const numbers = 'taxa\tS12_79\tS14_46\nB73\t1\t2\nMo17\t2\tNA\n';
  for (const calls of [grid, long, numbers]) {
    const outcome = await readFileOf(zipOf({ 'calls.csv': calls, 'markers.csv': list }), { numericCoding: '0/1/2' });
    expect(outcome.panel).toEqual({
      samples: ['B73', 'Mo17'],
      markers: [
        { id: 'S12_79', chromosome: 'S12', positionBp: 79, a1: 'T', a2: 'G', dosages: [1, 2] },
        { id: 'S14_46', chromosome: 'S14', positionBp: 46, a1: 'G', a2: 'A', dosages: [2, null] },
      ],
    });
    expect(codesOf(outcome)).not.toContain('W-GT-ALLELES');
  }
  const flapjack = await readFileOf(
    zipOf({ 'x.data': 'Accession/Marker\tm1\tm2\t\nL1\tA\tG/T\nL2\tC\tG\n', 'x.map': 'm1\t1H\t5\nm2\t1H\t9\n' }),
  );
  expect(flapjack.format).toBe('flapjack');
  expect(flapjack.panel.markers).toMatchObject([
    { id: 'm1', chromosome: '1H', positionBp: 5, dosages: [0, 2] },
    { id: 'm2', chromosome: '1H', positionBp: 9, dosages: [1, 0] },
  ]);
});

test('markers without a place keep that in every format that is exported and read again', async () => {
  const rows = [
    ['m1', '0/1', '1/1'],
    ['m2', '0/0', './.'],
  ];
  const vcf = `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tL1\tL2\n${rows.map(([id, ...calls]) => ['UN', 0, id, 'A', 'G', '.', '.', '.', 'GT', ...calls].join('\t')).join('\n')}\n`;
  const hapmap =
    'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode\tL1\tL2\nm1\tA/G\tUN\t0\t+\tNA\tNA\tNA\tNA\tNA\tNA\tAG\tGG\nm2\tA/G\tUN\t0\t+\tNA\tNA\tNA\tNA\tNA\tNA\tAA\tNN\n';
  const numbers = 'marker,chrom,pos,REF,ALT,L1,L2\nm1,UN,0,A,G,1,2\nm2,UN,0,A,G,0,NA\n';
  for (const text of [vcf, hapmap, numbers]) {
    const outcome = await readFileOf(text, { numericCoding: '0/1/2' });
    expect(outcome.panel.markers).toEqual([
      { id: 'm1', chromosome: 'UN', positionBp: 0, a1: 'A', a2: 'G', dosages: [1, 2] },
      { id: 'm2', chromosome: 'UN', positionBp: 0, a1: 'A', a2: 'G', dosages: [0, null] },
    ]);
    expect(outcome.report.problems.find(({ code }) => code === 'W-GT-NO-POS')?.message).toMatch(/^2 markers of 2/);
    const placed = await readFileOf(text.replaceAll('UN', '1'), { numericCoding: '0/1/2' });
    expect(codesOf(placed)).toContain('E-GT-POS');
  }
});

describe('DArT', () => {
  const SNPS = truthOf(
    [
      ['C', 'T'],
      ['G', 'A'],
    ],
    9,
  );
  const LEAD =
    'CloneID,AlleleSequence,Chrom_Maize_v4,ChromPosSnp_Maize_v4,Strand_Maize_v4,SNP,SnpPosition,CallRate,RepAvg';
  const lead = ({ ref, alt }: Truth, j: number, hasSnp = true) =>
    [
      `${1000 + j}|F|0-12:${ref}>${alt}`,
      'TGCAGAGC',
      j === 4 ? '' : `chr${1 + (j % 2)}`,
      j === 4 ? 0 : 500 + j,
      j % 3 === 0 ? 'Minus' : 'Plus',
      hasSnp ? `12:${ref}>${alt}` : '',
      12,
      1,
      1,
    ].join();
  const idOf = ({ ref, alt }: Truth, j: number) => `${1000 + j}|F|0-12:${ref}>${alt}-12:${ref}>${alt}`;
  const cells = (row: string) => row.split(',').length;
  const stars = (width: number, ...plates: string[]) =>
    plates.map((plate) =>
      [...Array.from({ length: width }, (_, i) => (i === 3 ? '' : '*')), ...SAMPLES.map(() => plate)].join(),
    );
  const headed = (...rows: string[]) =>
    [...stars(1 + cells(LEAD), 'Plate 1', '9.01E+11'), `AlleleID,${LEAD},${SAMPLES.join()}`, ...rows].join('\n');

  async function expectSnps(text: string): Promise<string[]> {
    const outcome = await readFileOf(text);
    expect(outcome.format).toBe('dart');
    expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
    expect(outcome.samples).toEqual(SAMPLES);
    for (const [j, marker] of SNPS.entries()) {
      const found = outcome.panel.markers.find(({ id }) => id === idOf(marker, j));
      expect(found, marker.id).toMatchObject({
        ...(j === 4 ? { chromosome: 'UN', positionBp: 0 } : { chromosome: `chr${1 + (j % 2)}`, positionBp: 500 + j }),
        ...{ a1: marker.ref, a2: marker.alt, dosages: marker.copies },
      });
    }
    expect(outcome.markerCount).toBe(SNPS.length);
    expect(outcome.report.problems.find(({ code }) => code === 'W-GT-STRAND')?.message).toMatch(/^3 tags of 9/);
    return codesOf(outcome);
  }

  test('SNPs in one row: 0 is the reference, 1 the SNP allele, 2 both', async () => {
    const rows = SNPS.map((marker, j) =>
      [idOf(marker, j), lead(marker, j), ...marker.copies.map((copies) => ['0', '2', '1'][copies ?? 3] ?? '-')].join(),
    );
    expect(await expectSnps(headed(...rows))).toEqual(expect.arrayContaining(['I-GT-DART', 'W-GT-NO-POS']));
    // Also without the rows above the header.
    await expectSnps(
      headed(...rows)
        .split('\n')
        .slice(2)
        .join('\n'),
    );
  });

  // The columns of a report of DArTseq SNPs in one row for rice, as published; places and calls are made up.
  test('SNPs in one row with places of tags in a genome', async () => {
    const columns =
      'AlleleID,CloneID,AlleleSequence,TrimmedSequence,Chrom_Rice_v9,ChromPos_Rice_v9,AlnCnt_Rice_v9,AlnEvalue_Rice_v9,SNP,SnpPosition,CallRate,OneRatioRef,OneRatioSnp,FreqHomRef,FreqHomSnp,FreqHets,PICRef,PICSnp,AvgPIC,AvgCountRef,AvgCountSnp,RepAvg';
    const row = (id: number, place: string, snp: string, calls: string) =>
      `${id}|F|0-9:${snp}-9:${snp},${id},TGCAG,TGCA,${place},1,1e-20,9:${snp},9,0.9,0.5,0.5,0.4,0.4,0.2,0.4,0.4,0.4,9,8,0.99,${calls}`;
    const outcome = await readFileOf(
      [
        `${columns},A15000001,A15000002,A15000003`,
        row(7, 'Chr1,1500', 'C>T', '0,1,2'),
        row(8, 'Chr10,90', 'A>G', '-,2,0'),
        row(9, ',0', 'G>A', '1,1,0'),
        '',
      ].join('\n'),
    );
    expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
    expect(outcome.samples).toEqual(['A15000001', 'A15000002', 'A15000003']);
    expect(outcome.panel.markers).toEqual([
      { id: '7|F|0-9:C>T-9:C>T', chromosome: 'Chr1', positionBp: 1500, a1: 'C', a2: 'T', dosages: [0, 2, 1] },
      { id: '8|F|0-9:A>G-9:A>G', chromosome: 'Chr10', positionBp: 90, a1: 'A', a2: 'G', dosages: [null, 1, 0] },
      { id: '9|F|0-9:G>A-9:G>A', chromosome: 'UN', positionBp: 0, a1: 'G', a2: 'A', dosages: [2, 2, 0] },
    ]);
    expect(outcome.report.problems.find(({ code }) => code === 'I-GT-DART')?.message).toMatch(
      /Positions are those of the tags/,
    );
  });

  // The columns of a report of maize, and its first rows with shorter tags, as their owner has published them.
  test('SNPs in one row without CloneID, with names of sequences as Ensembl describes them', async () => {
    const columns =
      'AlleleID,AlleleSequence,TrimmedSequence,Chrom_Maize_v8,ChromPos_Maize_v8,AlnCnt_Maize_v8,AlnEvalue_Maize_v8,Chrom_Maize_v329,ChromPos_Maize_v329,AlnCnt_Maize_v329,AlnEvalue_Maize_v329,SNP,SnpPosition,CallRate,OneRatioRef,OneRatioSnp,FreqHomRef,FreqHomSnp,FreqHets,PICRef,PICSnp,AvgPIC,AvgCountRef,AvgCountSnp,RepAvg,genotype1,Genotype 20';
    const rows = [
      '4585424|F|0-20:A>C-20:A>C,TGCAGG,TGCAGG,5 chromosome:AGPv2:5:1:217872852:1 chromosome 5,66000337,1,3.01E-26,5 dna:chromosome,66029138,1,3.01E-26,20:A>C,20,1,0.502703,0.502703,0.497297,0.497297,0.005405,0.499985,0.499985,0.499985,53.46491,49.24786,1,0,0',
      '24026074|F|0-11:G>A-11:G>A,TGCAGA,TGCAGA,2 chromosome:AGPv2:2:1:237068873:1 chromosome 2,212362874,1,1.20E-09,2 dna:chromosome,213027563,1,1.20E-09,11:G>A,11,1,0.502703,0.497297,0.502703,0.497297,0,0.499985,0.499985,0.499985,58.9375,61.84746,1,1,1',
    ];
    const outcome = await readFileOf(`${[columns, ...rows].join('\n')}\n`);
    expect(outcome.format).toBe('dart');
    expect(outcome.samples).toEqual(['genotype1', 'Genotype 20']);
    expect(outcome.panel.markers).toEqual([
      { id: '24026074|F|0-11:G>A-11:G>A', chromosome: '2', positionBp: 212362874, a1: 'G', a2: 'A', dosages: [2, 2] },
      { id: '4585424|F|0-20:A>C-20:A>C', chromosome: '5', positionBp: 66000337, a1: 'A', a2: 'C', dosages: [0, 0] },
    ]);
  });

  test('SNPs in two rows: presence of the reference, then of the SNP allele', async () => {
    const rows = SNPS.flatMap((marker, j) => [
      [
        `${1000 + j}|F|0--12:${marker.ref}>${marker.alt}`,
        lead(marker, j, false),
        ...marker.copies.map((copies) => (copies === null ? '-' : copies < 2 ? 1 : 0)),
      ].join(),
      [
        idOf(marker, j),
        lead(marker, j),
        ...marker.copies.map((copies) => (copies === null ? '-' : copies > 0 ? 1 : 0)),
      ].join(),
    ]);
    await expectSnps(headed(...rows));
    const disordered = await readFileOf(headed(rows[0]!, rows[3]!, rows[2]!, rows[1]!));
    expect(codesOf(disordered)).toContain('E-GT-DART-ROWS');
    const absent = await readFileOf(
      headed(rows[0]!.replace(/,[01-](?=(?:,[01-])*$)/g, ',0'), rows[1]!.replace(/,[01-](?=(?:,[01-])*$)/g, ',0')),
    );
    expect(absent.panel.markers[0]?.dosages).toEqual(SAMPLES.map(() => null));
    expect(absent.report.problems.find(({ code }) => code === 'I-GT-DART')?.message).toContain('13 calls with neither');
  });

  test('SilicoDArT: presence of tags', async () => {
    const presence = SNPS.map(() => SAMPLES.map(() => [0, 1, null][draw(3)] ?? null));
    const head = 'CloneID,AlleleSequence,Chrom_x,ChromPos_x,CallRate,OneRatio,PIC,Reproducibility';
    const rows = presence.map((values, j) =>
      [20_125_629 + j, 'TGCAG', 'chr1', 100 + j, 1, 0.5, 0.3, 1, ...values.map((value) => value ?? '-')].join(),
    );
    const outcome = await readFileOf(`${head},${SAMPLES.join()}\n${rows.join('\n')}\n`);
    expect(outcome.format).toBe('dart');
    expect(outcome.panel.markers).toMatchObject(
      presence.map((values, j) => ({
        ...{ id: String(20_125_629 + j), chromosome: 'chr1', positionBp: 100 + j, a1: '0', a2: '0' },
        dosages: values.map((value) => (value === null ? null : 2 * value)),
      })),
    );
    expect(outcome.report.problems.find(({ code }) => code === 'I-GT-DART')?.message).toContain('SilicoDArT');
  });

  test('counts of reads are refused where nobody asks for them: of DArTag without ploidy, of DArTseq by their numbers', async () => {
    const counts = SNPS.map((marker, j) =>
      [idOf(marker, j), lead(marker, j), ...SAMPLES.map(() => 3 + draw(90))].join(),
    );
    expect(listed(await readFileOf(headed(...counts)))[0]).toMatch(/^E-GT-BAD-CALL line 4 Line 1/);
    const tags =
      'AlleleID,CloneID,AlleleSequence,L1,L2\nChr1_30|Ref_001,Chr1_30,CATG,46,93\nChr1_30|Alt_002,Chr1_30,CATA,0,57\n';
    expect(listed(await readFileOf(tags))).toEqual(['E-GT-PLOIDY line 1']);
  });
});
