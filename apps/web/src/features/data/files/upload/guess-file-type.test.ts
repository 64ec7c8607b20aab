import { expect, it } from 'vitest';
import { guessFileType } from './guess-file-type.ts';

it.each([
  ['panel_2026.vcf.gz', 'GENOTYPE'],
  ['genotypes.hmp.txt.gz', 'GENOTYPE'],
  ['plink.zip', 'GENOTYPE'],
  ['geno_matrix.csv', 'GENOTYPE'],
  ['trials_2026.csv', 'PHENOTYPE'],
  ['trials_2026.xlsx', 'PHENOTYPE'],
  ['crossing_table.csv', 'CROSSING_TABLE'],
  ['linkage_map.csv', 'LINKAGE_MAP'],
  ['map_cM.csv', 'LINKAGE_MAP'],
  ['numeric_matrix.csv', 'GENOTYPE'],
  ['mapping_trial.csv', 'PHENOTYPE'],
  ['notes.pdf', null],
] as const)('takes %s for %s', (name, type) => {
  expect(guessFileType(name).type).toBe(type);
});

it.each([
  ['a.csv', 'cross;Female;Male;n\r\nC1;A;B;10\r\n', 'CROSSING_TABLE'],
  ['a.csv', 'name,female,male\nC,A,B\n', 'PEDIGREE'],
  ['a.csv', 'designation,pedigree\nL,A/B//C\n', 'PEDIGREE'],
  ['a.txt', '# heliumInput = PEDIGREE\nLineName\tParent\n', 'PEDIGREE'],
  ['a.txt', '# made by hand\nCross\tInd 1\tInd 2\nA\tB\n', 'CROSSING_TABLE'],
  ['a.csv', 'marker,chr,position (cM)\nM1,1,0.5\n', 'LINKAGE_MAP'],
  ['a.txt', 'rs#\talleles\tchrom\tpos\n', 'GENOTYPE'],
  ['a.txt', '##fileformat=VCFv4.2\n', 'GENOTYPE'],
  ['a.csv', 'MarkerName,SampleName,SNPcall\nm1,L1,A:G\nm1,L2,Uncallable\n', 'GENOTYPE'],
  ['a.csv', 'KBiosciences genotyping report,,\nLGC-Genomics,,\n', 'GENOTYPE'],
  ['a.csv', '*,*,*,P1\nAlleleID,CloneID,SNP,L1\n1|F|0-3:A>G,1,3:A>G,2\n', 'GENOTYPE'],
  ['a.csv', 'SampleName.LabID,m1,m2\nB73.A1,Uncallable,A:G\nMo17.A2,T:C,G:G\n', 'GENOTYPE'],
  ['a.csv', 'line,rust\nA,R\nB,S\n', 'PHENOTYPE'],
  ['a.csv', 'TRIAL_INSTANCE,DESIGNATION,PLOT_NO,GY\n1,A,1,5\n', 'PHENOTYPE'],
  ['a.csv', 'line,score,lodging\nA,1,0\nB,2,1\n', 'PHENOTYPE'],
  [
    'a.csv',
    `line,${Array.from({ length: 30 }, (_, i) => `M${i}`)}\nA,${Array.from({ length: 30 }, (_, i) => i % 3)}\n`,
    'GENOTYPE',
  ],
  ['a.csv', `line,${Array.from({ length: 1200 }, (_, i) => `M${i}`)}`, 'GENOTYPE'],
  ['crosses_2026_yield.csv', 'line,yield,height\nA,8.1,200\n', 'CROSSING_TABLE'],
  ['a.csv', '\ufeffline;yield;height\nA;8,1;200\n', 'PHENOTYPE'],
  ['a.csv', 'line,male fertility,yield\nA,1,2\n', 'PHENOTYPE'],
  ['a.csv', 'Mutterlinie;Vaterlinie;Anzahl\nA;B;20\n', 'CROSSING_TABLE'],
  ['a.csv', 'Stamm,Mutter,Vater,Synonyme,Sammlung\nC,A,B,,\n', 'PEDIGREE'],
  ['a.tsv', 'progeny name\tfemale parent accession\tmale parent accession(s)\ttype\nC\tA\tB\tbiparental\n', 'PEDIGREE'],
  ['a.csv', 'Lignée,Parent femelle,Parent mâle\nC,A,B\n', 'PEDIGREE'],
  ['a.csv', 'madre;padre;cantidad\nA;B;20\n', 'CROSSING_TABLE'],
  ['a.csv', 'Plan of 2026\n\nMother,Father\nA,B\n', 'CROSSING_TABLE'],
  ['a.csv', 'hybrid,female,male,rep,yield\nH1,A,B,1,8.1\n', 'PHENOTYPE'],
  ['a.csv', '', 'PHENOTYPE'],
] as const)('looks into %s, which begins with %j: %s', (name, head, type) => {
  expect(guessFileType(name, head).type).toBe(type);
});

it('tells why', () => {
  const why = (name: string, head = '') => {
    const { reason, columns } = guessFileType(name, head);
    return [reason, ...columns];
  };
  expect(why('panel.vcf.gz')).toEqual(['ending']);
  expect(why('a.csv', 'Linie;Mutter;Vater\nC;A;B\n')).toEqual(['columns', 'Linie', 'Mutter', 'Vater']);
  expect(why('a.csv', 'marker,chr,cM\nM1,1,0.5\n')).toEqual(['columns', 'chr', 'cM']);
  expect(why('a.csv', 'TRIAL_INSTANCE,DESIGNATION,PLOT_NO,GY\n1,A,1,5\n')).toEqual([
    ...['program', 'BMS: the observations of a study book'],
  ]);
  expect(why('linkage_map.xlsx')).toEqual(['name']);
  expect(why('a.csv', 'line,yield\nA,8.1\n')).toEqual(['rest']);
});
