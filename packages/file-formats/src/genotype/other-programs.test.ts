import { describe, expect, test } from 'vitest';
import { listed, readFileOf } from './genotype-file.test-data.ts';

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
      'a spreadsheet with decimal commas',
      'sample;m1;m2\r\nL1;0;0,5\r\nL2;2;NA\r\n',
      ['UN:0 m1 0/0 02', 'UN:0 m2 0/0 1.'],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await markersOf(text)).toEqual(expected);
  });
});
