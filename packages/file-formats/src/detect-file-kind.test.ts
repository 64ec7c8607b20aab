import { describe, expect, test } from 'vitest';
import { memorySource } from './byte-source.ts';
import { type ChosenFileType, detectFileKind, wrongTypeProblem } from './detect-file-kind.ts';
import { zipOf } from './genotype/genotype-file.test-data.ts';

const text = (content: string) => memorySource(Buffer.from(content), 'data.csv');
const VCF = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\n';
const HAPMAP = 'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode\ta\n';

const FILES = [
  ['a VCF', text(VCF), 'vcf'],
  ['a HapMap', text(HAPMAP), 'hapmap'],
  ['a numeric matrix', text('sample,m1,m2\na,0,2\nb,1,NA\n'), 'numeric-matrix'],
  ['a matrix of letters', text('sample,m1,m2\na,AA,AG\nb,NN,GG\n'), 'letter-matrix'],
  ['a PLINK binary zip', zipOf({ 'a.bed': 'l', 'a.bim': '', 'a.fam': '' }), 'plink-binary'],
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

describe('wrongTypeProblem', () => {
  const GENOTYPES: readonly string[] = ['vcf', 'hapmap', 'plink-binary', 'plink-text', 'flapjack'];
  const MATRICES: readonly string[] = ['numeric-matrix', 'letter-matrix'];
  const TYPES: readonly ChosenFileType[] = ['GENOTYPE', 'PHENOTYPE', 'LINKAGE_MAP', 'CROSSING_TABLE'];

  test.each(FILES)('says so when %s is chosen as what it is not', async (_, source, format) => {
    const kind = await detectFileKind(source);
    for (const chosen of TYPES) {
      const problem = wrongTypeProblem(kind, chosen);
      const fits =
        chosen === 'GENOTYPE'
          ? GENOTYPES.includes(format) || MATRICES.includes(format)
          : // Scores of 0, 1 and 2 can be a trait too.
            format === 'table' || format === 'workbook' || MATRICES.includes(format);
      expect(problem === null, `${format} as ${chosen}`).toBe(fits);
      if (problem === null) continue;
      expect(problem.code).toBe('E-TYPE');
      expect(problem.message).toContain(chosen);
      expect(problem.suggestion).toBeTruthy();
    }
  });
});
