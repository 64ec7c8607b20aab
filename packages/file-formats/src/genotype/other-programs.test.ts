import { describe, expect, test } from 'vitest';
import { codesOf, listed, readFileOf } from './genotype-file.test-data.ts';

// Genotypes as other programs write them, each cut to a few rows.

const line = (...cells: (string | number)[]) => `${cells.join('\t')}\n`;
const LEAD = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];

/** Each marker as `chromosome:position id A1/A2 dosages`. */
async function markersOf(text: string): Promise<string[]> {
  const outcome = await readFileOf(text);
  expect(outcome.report.totals.errors, listed(outcome).join('; ')).toBe(0);
  return outcome.panel.markers.map(
    ({ id, chromosome, positionBp, a1, a2, dosages }) =>
      `${chromosome}:${positionBp} ${id} ${a1}/${a2} ${dosages.map((dosage) => dosage ?? '.').join('')}`,
  );
}

describe('VCF of', () => {
  test('PLINK 2, with provisional references', async () => {
    const text = `##fileformat=VCFv4.3\n##source=PLINKv2.00\n##contig=<ID=1,length=201>\n##INFO=<ID=PR,Number=0,Type=Flag,Description="Provisional reference allele">\n${line(...LEAD, '0_L1', '0_L2')}${line(1, 100, 'm1', 'G', 'A', '.', '.', 'PR', 'GT', '0/0', '0/1')}`;
    expect(await markersOf(text)).toEqual(['1:100 m1 G/A 01']);
  });

  test('Beagle, phased and imputed', async () => {
    const text = `##fileformat=VCFv4.2\n##source="beagle.22Jul22.46e.jar"\n##FORMAT=<ID=DS,Number=A,Type=Float,Description="estimated ALT dose [P(RA) + 2*P(AA)]">\n${line(...LEAD, 'L1', 'L2')}${line(1, 100, '.', 'A', 'G', '.', 'PASS', 'DR2=0.99;AF=0.5;IMP', 'GT:DS', '0|1:1', '1|1:1.98')}`;
    expect(await markersOf(text)).toEqual(['1:100 1@100 A/G 12']);
  });

  test('Stacks, whose missing calls have no further fields', async () => {
    const text = `##fileformat=VCFv4.2\n##source="Stacks v2.62"\n${line(...LEAD, 'L1', 'L2')}${line(1, 100, '12:34:+', 'A', 'G', '.', 'PASS', 'NS=2;AF=0.250;loc_strand=+', 'GT:DP:AD:GQ:GL', '0/0:10:10,0:40:-0.00,-3.50,-20.10', './.')}`;
    expect(await markersOf(text)).toEqual(['1:100 12:34:+ A/G 0.']);
  });

  test('freebayes, with variants of several bases and calls of a single point', async () => {
    const text = `##fileformat=VCFv4.2\n##source=freeBayes v1.3.6\n${line(...LEAD, 'L1', 'L2', 'L3')}${line('chr1', 100, '.', 'AC', 'GT,GC', 500.1, '.', 'AB=0;AC=1', 'GT:DP:AD', '0/1:10:5,5,0', '1/2:8:0,4,4', '.')}${line('chr1', 110, '.', 'A', 'G', 0, '.', 'DP=3', 'GT:DP', '0/0:3', '.:.', './.')}`;
    expect(await markersOf(text)).toEqual([
      'chr1:100 chr1_100_AC_GT AC/GT 11.',
      'chr1:100 chr1_100_AC_GC AC/GC 01.',
      'chr1:110 chr1@110 A/G 0..',
    ]);
  });

  test('GATK, with a spanning deletion', async () => {
    const text = `##fileformat=VCFv4.2\n##source=HaplotypeCaller\n${line(...LEAD, 'L1', 'L2')}${line(1, 100, '.', 'A', '*,G', 50, 'PASS', 'AC=1', 'GT:AD:DP:GQ:PGT:PID:PL', '0|2:1,0,1:2:9:0|1:100_A_G:1,2,3', '1/1:0,2,0')}`;
    expect(await markersOf(text)).toEqual(['1:100 1_100_A_* A/* 02', '1:100 1_100_A_G A/G 10']);
  });

  test('nobody in particular, without lines of its header', async () => {
    expect(await markersOf(`${line(...LEAD, 'L1')}${line(1, 100, 'm', 'A', 'G', '.', '.', '.', 'GT', '0/1')}`)).toEqual(
      ['1:100 m A/G 1'],
    );
  });
});

test('HapMap of TASSEL: one letter a call, indels, a third allele', async () => {
  const head = line(
    ...'rs#,alleles,chrom,pos,strand,assembly#,center,protLSID,assayLSID,panelLSID,QCcode'.split(','),
    '33-16',
    '38-11:250021042',
  );
  const lead = (id: string, alleles: string, position: number) =>
    [id, alleles, 1, position, '+', 'AGPv1', 'Panzea', 'NA', 'NA', 'maize282', 'NA'] as const;
  const rows = [
    line(...lead('PZB00859.1', 'A/C', 157_104), 'C', 'M'),
    line(...lead('i', '-/+', 157_200), '-', '0'),
    line(...lead('t', 'A/C/G', 157_300), 'A', 'S'),
  ];
  expect(await markersOf(head + rows.join(''))).toEqual([
    '1:157104 PZB00859.1 A/C 21',
    '1:157200 i -/+ 01',
    '1:157300 1_157300_A_C A/C 01',
    '1:157300 1_157300_A_G A/G 01',
  ]);
});

describe('matrices of', () => {
  test.each([
    ['GAPIT', 'taxa\tm1\tm2\n33-16\t2\t0\n38-11\t2\t1\n', ['UN:0 m1 0/0 22', 'UN:0 m2 0/0 01']],
    ['rrBLUP, from R', '"","m1","m2"\r\n"L1",-1,0\r\n"L2",1,NA\r\n', ['UN:0 m1 0/0 02', 'UN:0 m2 0/0 1.']],
    [
      'Breedbase',
      'Marker\tUG120001|124\tUG120002|125\nS1_100\t0\t2\nS1_200\tNA\t1\n',
      ['UN:0 S1_100 0/0 02', 'UN:0 S1_200 0/0 .1'],
    ],
    [
      'GWASpoly',
      'Marker,Chrom,Position,L1,L2\nm1,1,100,AA,AG\nm2,1,200,GG,GG\n',
      ['1:100 m1 A/G 01', '1:200 m2 G/0 00'],
    ],
    ['EBS', 'Sample ID,m1,m2\nL1,AA,AG\nL2,NN,GG\n', ['UN:0 m1 A/0 0.', 'UN:0 m2 G/A 10']],
    [
      'GAPIT, written by R with its row numbers',
      '"taxa" "m1" "m2"\n"1" "B73" 2 0\n"2" "Mo17" 0 NA\n'.replaceAll(' ', '\t'),
      ['UN:0 m1 0/0 20', 'UN:0 m2 0/0 0.'],
    ],
    [
      'Intertek',
      'SampleName.LabID,m1,m2\nB73.A1,Uncallable,A:G\nMo17.A2,T:C,G:G\nW22.A3,C:C,Uncallable\n',
      ['UN:0 m1 C/T .10', 'UN:0 m2 G/A 10.'],
    ],
    [
      'Agriplex',
      '"Plate name","Well","Sample_ID","Batch","Genotype","Status","m1","m2"\n"P1","A01","L1",1,"B73","Donor","A / G","C"\n"P1","A02","L2",1,"Mo17","","A",NA\n',
      ['UN:0 m1 A/G 10', 'UN:0 m2 C/0 0.'],
    ],
    ['LGC, as a grid', 'DNA \\ Assay,m1,m2\nL1,A:A,T:C\nL2,?,C:C\n', ['UN:0 m1 A/0 0.', 'UN:0 m2 C/T 10']],
    [
      'Flapjack, without its first line',
      'Accession/Marker\tm1\tm2\t\nL1\tA\tG/T\nL2\tC\tG\n',
      ['UN:0 m1 A/C 02', 'UN:0 m2 G/T 10'],
    ],
    [
      'a spreadsheet with decimal commas',
      'sample;m1;m2\r\nL1;0;0,5\r\nL2;2;NA\r\n',
      ['UN:0 m1 0/0 02', 'UN:0 m2 0/0 1.'],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await markersOf(text)).toEqual(expected);
  });
});

test('the samples of a laboratory grid have the names of the lines, and a line genotyped twice keeps its ids', async () => {
  const outcome = await readFileOf(
    'SampleName.LabID,m1\nNR 7734.1.A07064,A:A\nTMS59.A08377,A:G\nTMS59.A08287,G:G\nBlank,Uncallable\n',
  );
  expect(outcome.samples).toEqual(['NR 7734.1', 'TMS59.A08377', 'TMS59.A08287', 'Blank']);
  expect(listed(outcome)).toContain('I-GT-LAB-ID NR 7734.1.A07064');
  const agriplex = await readFileOf('Plate,Well,Sample_ID,Genotype,m1\nP,A1,s1,B73,A\nP,A2,s2,B73,G\n');
  expect(agriplex.samples).toEqual(['s1', 's2']);
  expect(listed(agriplex)).toContain('W-COL-IGNORED line 1 Plate, Well, Genotype');
});

describe('separators at the end of lines are no columns', () => {
  const LEAD_HAPMAP = 'rs#,alleles,chrom,pos,strand,assembly#,center,protLSID,assayLSID,panelLSID,QCcode'.split(',');
  const vcf = (end: string, endOfRow: string) =>
    `##fileformat=VCFv4.2\n${[...LEAD, 'L1', 'L2'].join('\t')}${end}\n${[1, 5, 'm1', 'A', 'C', '.', '.', '.', 'GT', '0/1', '1/1'].join('\t')}${endOfRow}\n`;
  const hapmap = (end: string, endOfRow: string) =>
    `${[...LEAD_HAPMAP, 'L1', 'L2'].join('\t')}${end}\nm1\tA/C\t1\t5\t+\tNA\tNA\tNA\tNA\tNA\tNA\tAC\tCC${endOfRow}\n`;
  const bySample = (end: string, endOfRow: string) => `sample\tm1${end}\nL1\tA/C${endOfRow}\nL2\tC${endOfRow}\n`;
  const byMarker = (end: string, endOfRow: string) =>
    `marker\tchrom\tpos\tREF\tALT\tL1\tL2${end}\nm1\t1\t5\tA\tC\t1\t2${endOfRow}\n`;
  test.each([
    ['a VCF', vcf, '0/0'],
    ['a HapMap', hapmap, 'A'],
    ['a matrix with samples in rows', bySample, 'A'],
    ['a matrix with markers in rows', byMarker, '0'],
  ])('%s', async (_, file, call) => {
    const plain = await readFileOf(file('', ''), { numericCoding: '0/1/2' });
    expect(plain.report.totals.errors).toBe(0);
    for (const [end, endOfRow] of [
      ['\t', ''],
      ['\t', '\t'],
      ['', '\t'],
      ['\t\t\t', '\t\t'],
    ] as const) {
      const outcome = await readFileOf(file(end, endOfRow), { numericCoding: '0/1/2' });
      expect(outcome.panel, JSON.stringify([end, endOfRow])).toEqual(plain.panel);
      expect(codesOf(outcome)).toEqual(codesOf(plain));
    }
    const tooWide = await readFileOf(file('\t', `\t\t${call}`), { numericCoding: '0/1/2' });
    expect(listed(tooWide).join('; ')).toMatch(/E-GT-COLS line [23]/);
  });
});

test('columns beside the calls of a matrix of numbers are named when they hold something else', async () => {
  const lines = Array.from({ length: 10 }, (_, i) => `L${i + 1}`);
  const row = (i: number) => [`m${i}`, 1 + 3 * i, 1 + 88_000 * i, ...lines.map((_line, j) => (i + j) % 3)].join(',');
  const text = `marker,sequence,sequence_position,${lines.join()}\n${[0, 1, 2, 3, 4, 5].map(row).join('\n')}\n`;
  expect(listed(await readFileOf(text)).filter((one) => one.startsWith('E-'))).toEqual([
    'E-GT-CODING line 3 sequence (B) 4 to 16',
    'E-GT-CODING line 3 sequence_position (C) 88001 to 440001',
  ]);
});

test('a gVCF is named', async () => {
  const row = (pos: number, alt: string, format: string, call: string) =>
    line('1', pos, '.', 'A', alt, '.', '.', `END=${pos + 9}`, format, call);
  for (const text of [
    row(1, '<*>', 'GQ:DP', '99:20') + row(20, 'C', 'GT:DP', '0/1:20'),
    row(1, 'C', 'GT', '0/1') + row(9, '<NON_REF>', 'GT:DP', '0/0:31'),
    row(1, 'C,<NON_REF>', 'GT:DP', '0/1:31'),
  ]) {
    const outcome = await readFileOf(`##fileformat=VCFv4.2\n${line(...LEAD, 'L1')}${text}`);
    const errors = outcome.report.problems.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ code: 'E-GT-GVCF', column: 'ALT (E)', message: expect.stringContaining('gVCF') }]);
  }
});

test('calls of one allele among calls of two are read as homozygous when that is chosen', async () => {
  const text = `##fileformat=VCFv4.2\n${line(...LEAD, 'L1', 'L2', 'L3')}${line(1, 5, 'm1', 'A', 'C', '.', '.', '.', 'GT', '0/1', '1', '0')}${line(1, 9, 'm2', 'G', 'T', '.', '.', '.', 'GT', '1', '0|1', '.')}`;
  const refused = await readFileOf(text);
  expect(listed(refused).filter((one) => one.startsWith('E-'))).toEqual([
    'E-GT-PLOIDY-MIX line 3 L2 (K) 1',
    'E-GT-PLOIDY-MIX line 4 L2 (K) 0|1',
  ]);
  expect(refused.report.problems.find(({ severity }) => severity === 'error')?.suggestion).toContain('as homozygous');
  const read = await readFileOf(text, { haploidCalls: 'homozygous' });
  expect(read.panel.markers.map(({ dosages }) => dosages)).toEqual([
    [1, 2, 0],
    [2, 1, null],
  ]);
  expect(read.report.problems.find(({ code }) => code === 'W-GT-HAPLOID')?.message).toMatch(/^3 calls/);
  const triploid = await readFileOf(text.replace('0/1', '0/1/1'), { haploidCalls: 'homozygous' });
  expect(codesOf(triploid)).toContain('E-GT-PLOIDY-MIX');
});
