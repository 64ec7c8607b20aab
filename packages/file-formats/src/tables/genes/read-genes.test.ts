import { expect, test } from 'vitest';
import { codes, gzipSource, linesSource, problemOf, textSource } from '../text/table-text.test-data.ts';
import { firstGenes } from './gene-table.ts';
import { readGenes } from './read-genes.ts';

const row = (
  chr: string,
  type: string,
  start: number | string,
  end: number | string,
  attributes: string,
  strand = '+',
) => [chr, 'test', type, start, end, '.', strand, '.', attributes].join('\t');

const GFF = [
  '##gff-version 3',
  '##sequence-region 1 1 900',
  row('2', 'gene', 50, 80, 'ID=g3;biotype=protein_coding', '.'),
  row('1', 'chromosome', 1, 900, 'ID=1'),
  row('1', 'gene', 500, 700, 'ID=gene:g2;Name=tb1;description=teosinte branched%3B TCP%2C 1', '-'),
  row('1', 'mRNA', 500, 700, 'ID=t2;Parent=gene:g2'),
  row('1', 'pseudogene', 100, 200, 'ID=g1'),
  '###',
  '##FASTA',
  '>1',
  'ACGT',
];

test('genes come by chromosome and start, with name, function and strand', async () => {
  for (const source of [linesSource(...GFF), gzipSource(GFF.join('\n'))]) {
    const { genes, report } = await readGenes(source);
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0 });
    expect(genes).toMatchObject({
      chromosomes: ['2', '1'],
      ids: ['g3', 'g1', 'gene:g2'],
      names: ['g3', 'g1', 'tb1'],
      descriptions: ['', '', 'teosinte branched; TCP, 1'],
    });
    expect(genes && [[...genes.start], [...genes.end], [...genes.strand]]).toEqual([
      [50, 100, 500],
      [80, 200, 700],
      [0, 1, -1],
    ]);
    expect(genes && [...firstGenes(genes)]).toEqual([0, 1, 3]);
  }
});

test('every bad row has its line', async () => {
  const { genes, report } = await readGenes(
    linesSource(
      row('1', 'gene', 1, 9, 'ID=a'),
      row('1', 'gene', 9, 1, 'ID=b'),
      '1\ttest\tgene\t5\t9',
      row('1', 'gene', 'x', 4, 'ID=c'),
      row('1', 'gene', 20, 30, 'biotype=x'),
      row('1', 'gene', 20, 30, 'ID=a'),
      row('1', 'gene', 20, '2147483648', 'ID=d'),
      row('1', 'gene', '0x10', 30, 'ID=e'),
      row('', 'gene', 20, 30, 'ID=f'),
      row('1', 'gene', 20, 30, 'ID=g', 'forward'),
      row('1', 'gene', 20, 30, 'ID=h;ID=i'),
    ),
  );
  expect(genes).toBeNull();
  expect(codes(report)).toEqual([
    ['E-GFF-POSITION', 2],
    ['E-GFF-COLUMNS', 3],
    ['E-GFF-POSITION', 4],
    ['W-GFF-NO-ID', 5],
    ['W-GFF-DUP-ID', 6],
    ['E-GFF-POSITION', 7],
    ['E-GFF-POSITION', 8],
    ['E-GFF-COLUMNS', 9],
    ['E-GFF-COLUMNS', 10],
    ['W-GFF-ATTRIBUTE', 11],
  ]);
});

test.each([
  ['a GTF', '1\tx\tgene\t1\t9\t.\t+\t.\tgene_id "g1"; gene_name "tb1";', 'E-TYPE'],
  ['an older version', '##gff-version 2', 'E-TYPE'],
  ['a table', 'line,yield\nA,1', 'E-TYPE'],
  ['no features', '##gff-version 3\n', 'E-EMPTY'],
  ['no genes', row('1', 'exon', 1, 9, 'ID=e'), 'E-GFF-NO-GENES'],
])('%s is refused with what to do', async (_, text, code) => {
  const { genes, report } = await readGenes(textSource(text, 'x.gff3'));
  expect(genes).toBeNull();
  expect(problemOf(report, code).suggestion).not.toBe('');
});
