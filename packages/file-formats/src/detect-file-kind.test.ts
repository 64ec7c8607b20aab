import { describe, expect, test } from 'vitest';
import { memorySource } from './byte-source.ts';
import { detectFileKind, wrongTypeProblem } from './detect-file-kind.ts';
import { CHOSEN_FILE_TYPE_NAMES, CHOSEN_FILE_TYPES, GENOTYPE_FORMATS } from './file-kinds.ts';
import { readFileOf, zipOf } from './genotype/genotype-file.test-data.ts';

const text = (content: string) => memorySource(Buffer.from(content), 'data.csv');
const VCF = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\n';
const HAPMAP = 'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode\ta\n';

const FILES = [
  ['a VCF', text(VCF), 'vcf'],
  ['a HapMap', text(HAPMAP), 'hapmap'],
  ['a numeric matrix', text('sample,m1,m2\na,0,2\nb,1,NA\n'), 'numeric-matrix'],
  ['a matrix of letters', text('sample,m1,m2\na,AA,AG\nb,NN,GG\n'), 'letter-matrix'],
  ['a PLINK binary zip', zipOf({ 'a.bed': 'l', 'a.bim': '', 'a.fam': '' }), 'plink-binary'],
  ['a PLINK 2 zip', zipOf({ 'a.pgen': '', 'a.pvar': '', 'a.psam': '' }), 'plink2'],
  ['a KASP table', text('MarkerName,SampleName,SNPcall\nm1,a,A:G\nm1,b,?\n'), 'kasp'],
  ['a report of LGC', text('KBiosciences genotyping report,,\nLGC-Genomics,,\n'), 'kasp'],
  ['a report of DArT', text('*,*,*,P1\nAlleleID,CloneID,SNP,L1\n1|F|0-3:A>G,1,3:A>G,2\n'), 'dart'],
  ['reads of DArTag', text('AlleleID,CloneID,AlleleSequence,L1\n1|Ref,1,CATG,46\n'), 'dart'],
  [
    'classes of polyploids',
    text('Marker,Chrom,Position,L1,L2\nm1,1,100,AAAA,AAAG\nm2,1,2,GGGG,GGGA\n'),
    'letter-matrix',
  ],
  ['a table of updog', text('snp,ind,ref,size,geno,postmean\nm1,L1,3,9,1,1.2\nm1,L2,0,4,0,0.1\n'), 'long-dosages'],
  [
    'calls and markers in a zip',
    zipOf({ 'g.csv': 'sample,m1\na,AG\n', 'm.csv': 'SNP,chr,pos\nm1,1,5\n' }),
    'letter-matrix',
  ],
  ['a PLINK text zip', zipOf({ 'a.ped': '', 'a.map': '' }), 'plink-text'],
  ['a Flapjack zip', zipOf({ 'g.dat': '# fjFile = GENOTYPE\n\tm1\n', 'm.map': '# fjFile = MAP\n' }), 'flapjack'],
  ['a workbook', zipOf({ 'xl/workbook.xml': '<workbook/>' }), 'workbook'],
  ['a table of trial data', text('line,yield,height\nB73,51.3,180\nMo17,48.9,176\n'), 'table'],
  ['a linkage map', text('marker,chr,cM\nm1,1,0.0\nm2,1,12.5\n'), 'table'],
  ['a crossing table', text('female,male\nB73,Mo17\n'), 'table'],
  ['a PDF', text('%PDF-1.7\n'), 'other'],
] as const;

describe('detectFileKind', () => {
  test.each(FILES)('knows %s by its content', async (_, source, format) => {
    expect((await detectFileKind(source)).format).toBe(format);
  });
});

describe('a file of genotypes that is not read', () => {
  const advice = async (content: string | Uint8Array) => {
    const kind = await detectFileKind(memorySource(Buffer.from(content), 'data'));
    return wrongTypeProblem(kind, 'GENOTYPE');
  };

  test.each([
    ['Illumina GenomeStudio', '[Header]\r\nGSGT Version\t2.0.4\r\n[Data]\r\n\tB73\r\nm1\tAA\r\n', 'PLINK Input Report'],
    ['Axiom', 'probeset_id\taffy_snp_id\ta.CEL\nAX-1\tAffx-7\tNoCall\nAX-2\tAffx-8\tNoCall\n', 'as VCF'],
    ['counts or doses of DArT', '*,*,*,A\nMarkerName,Variant,CallRate,L1\nSNP_1,-:A>B,1,149\n', 'from the counts'],
    ['.raw file of PLINK', 'FID IID PAT MAT SEX PHENOTYPE m1_A\nF L1 0 0 0 -9 2\n', '--make-bed'],
    ['.ped file of PLINK', 'F L1 0 0 0 -9 A A G G\nF L2 0 0 0 -9 A G 0 0\n', 'one zip'],
    ['.bim file of PLINK', '1\tm1\t0\t100\tA\tG\n1\tm2\t0\t200\tA\tC\n', 'one zip'],
    ['.bed file', Uint8Array.of(0x6c, 0x1b, 1, 0), 'one zip'],
    ['bcftools query', '#[1]CHROM\t[2]POS\t[3]L1:GT\n1\t100\t0/0\n', 'VCF itself'],
    ['TASSEL', '<Numeric>\n<Marker>\tm1\tm2\nL1\t1.0\t0.5\n', 'HapMap'],
    ['FASTA', '>chr1\nACGT\n', 'VCF'],
    ['web page', '<!DOCTYPE html>\n<html><title>Sign in</title></html>\n', 'sign-in'],
    ['JSON', '{"metadata":{},"result":{}}\n', 'VCF'],
    ['blanks', '"m1" "m2"\n"L1" -1 0\n"L2" 1 NA\n', 'write.csv'],
  ])('is named: %s', async (label, content, suggestion) => {
    const problem = await advice(content);
    expect(problem?.message).toContain(label);
    expect(problem?.message).toMatch(/which is not read as it is\.$/);
    expect(problem?.suggestion).toContain(suggestion);
  });

  test('is sent to its reader when only its header does not tell what its rows are', async () => {
    for (const text of ['Pflanze,m1,m2\nL1,A:A,A:G\nL2,?,G:G\n', 'probeset_id\ta.CEL\tb.CEL\nAX-1\tA/A\tNoCall\n']) {
      const { report } = await readFileOf(text);
      expect(report.problems).toMatchObject([{ code: 'E-NO-HEADER', line: 1 }]);
      expect(report.problems[0]?.suggestion).toContain('"marker"');
    }
  });

  test('is read once it is told what its rows are', async () => {
    const text = 'Stamm;m1;m2;m3\nB73;0;1;2\nMo17;2;1;0\n';
    expect((await readFileOf(text)).report.problems).toMatchObject([{ code: 'E-NO-HEADER', line: 1 }]);
    const bySamples = await readFileOf(text, { matrixRows: 'samples', numericCoding: '0/1/2' });
    expect(bySamples.report.totals.errors).toBe(0);
    expect(bySamples.samples).toEqual(['B73', 'Mo17']);
    const array = 'probeset_id\ta.CEL\tb.CEL\nAX-1\t0\t2\nAX-2\t1\t2\nAX-3\t1\t0\n';
    const byMarkers = await readFileOf(array, { matrixRows: 'markers', numericCoding: '0/1/2' });
    expect(byMarkers.report.totals.errors).toBe(0);
    expect(byMarkers.samples).toEqual(['a.CEL', 'b.CEL']);
    expect(byMarkers.panel.markers.map(({ id, dosages }) => [id, dosages])).toContainEqual(['AX-2', [1, 2]]);
  });

  test('is read below the titles that worksheets have, which are named', async () => {
    const matrix = 'sample,m1,m2\nB73,0,2\nMo17,2,0\n';
    for (const titles of [
      'Nursery 2026,,\n',
      'Nursery 2026\n"Irlbach, field 3",,\n',
      '# a comment\nNursery 2026\n\n',
    ]) {
      const { report, samples } = await readFileOf(titles + matrix, { numericCoding: '0/1/2' });
      expect(report.totals.errors, titles).toBe(0);
      expect(samples).toEqual(['B73', 'Mo17']);
      const found = report.problems.find(({ code }) => code === 'I-HEADER-ROW');
      expect(found).toMatchObject({ line: titles.split('\n').length, value: expect.stringMatching(/^Nursery 2026/) });
    }
    // Names of samples alone are no title.
    expect((await readFileOf('sample\nB73\nMo17\n')).report.problems).not.toMatchObject([{ code: 'I-HEADER-ROW' }]);
  });

  test('is empty when it has a header alone', async () => {
    expect((await readFileOf('sample,m1,m2\n')).report.problems).toMatchObject([
      { code: 'E-EMPTY', message: 'The file has a header but no rows.' },
    ]);
  });
});

test('heterozygous calls H are refused with what to write instead', async () => {
  const { report } = await readFileOf('sample,m1,m2\nL1,A,H\nL2,B,-\nL3,H,A\n');
  expect(report.problems.find(({ code }) => code === 'E-GT-BAD-CALL')).toMatchObject({
    line: 2,
    value: 'H',
    suggestion: 'Write heterozygous calls as AB.',
  });
});

describe('wrongTypeProblem', () => {
  const GENOTYPES: readonly string[] = GENOTYPE_FORMATS.filter((format) => !format.endsWith('-matrix'));
  const MATRICES: readonly string[] = ['numeric-matrix', 'letter-matrix'];

  test.each(FILES)('says so when %s is chosen as what it is not', async (_, source, format) => {
    const kind = await detectFileKind(source);
    for (const chosen of CHOSEN_FILE_TYPES) {
      const problem = wrongTypeProblem(kind, chosen);
      const fits =
        chosen === 'GENOTYPE'
          ? GENOTYPES.includes(format) || MATRICES.includes(format)
          : // Scores of 0, 1 and 2 can be a trait too.
            format === 'table' || format === 'workbook' || MATRICES.includes(format);
      expect(problem === null, `${format} as ${chosen}`).toBe(fits);
      if (problem === null) continue;
      expect(problem.code).toBe('E-TYPE');
      expect(problem.message).toContain(CHOSEN_FILE_TYPE_NAMES[chosen]);
      expect(problem.suggestion).toBeTruthy();
    }
  });
});
