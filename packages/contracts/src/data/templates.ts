import type { FileType } from './files.ts';

/** Kinds of file that a person can start from a template. */
export type TemplateKind = FileType | 'GERMPLASM';

interface Template {
  fileName: string;
  text: string;
}

const csv = (...lines: string[]): string => `${lines.join('\r\n')}\r\n`;

/** A small, complete example of each kind of file, to be filled in with a spreadsheet. A test reads each of them. */
export const TEMPLATES: Record<TemplateKind, Template> = {
  GENOTYPE: {
    fileName: 'genotype_template.csv',
    text: csv(
      'marker,chrom,pos,REF,ALT,B73,Mo17,CML247,W22',
      'snp_1,1,157104,C,T,0,2,0,1',
      'snp_2,1,1947984,G,A,2,0,2,2',
      'snp_3,2,2914066,T,C,0,0,2,NA',
      'snp_4,2,5678120,A,G,1,2,0,0',
    ),
  },
  PHENOTYPE: {
    fileName: 'phenotype_template.csv',
    text: csv(
      'line,location,year,rep,Yield (t/ha),PlantHeight (cm)',
      'B73,North,2026,1,6.1,182',
      'B73,North,2026,2,6.4,185',
      'Mo17,North,2026,1,5.8,191',
      'Mo17,North,2026,2,NA,188',
      'CML247,North,2026,1,7.0,203',
      'CML247,North,2026,2,6.8,199',
    ),
  },
  CROSSING_TABLE: {
    fileName: 'crossing_table_template.csv',
    text: csv('cross,female,male,n,type', 'B73xMo17,B73,Mo17,100,DH', 'B73xCML247,B73,CML247,200,biparental'),
  },
  LINKAGE_MAP: {
    fileName: 'linkage_map_template.csv',
    text: csv(
      'SNPid,chr,physPos,linkMapPos (cM)',
      'snp_1,1,157104,0.0',
      'snp_2,1,1947984,1.8',
      'snp_3,2,2914066,0.0',
      'snp_4,2,5678120,2.6',
      'snp_5,2,51200334,38.4',
    ),
  },
  PEDIGREE: {
    fileName: 'pedigree_template.csv',
    text: csv('individual,female,male', 'B73,,', 'Mo17,,', 'F1-1,B73,Mo17', 'F2-1,F1-1,F1-1'),
  },
  GENES: {
    fileName: 'genes_template.gff3',
    text: `##gff-version 3
1\texample\tgene\t157000\t161500\t.\t+\t.\tID=gene1;Name=abc1;description=a gene of this example
1\texample\tgene\t1944000\t1949800\t.\t-\t.\tID=gene2
2\texample\tgene\t2910100\t2916000\t.\t+\t.\tID=gene3;Name=abc3
`,
  },
  GERMPLASM: {
    fileName: 'germplasm_template.csv',
    text: csv(
      'name,collection,maternal,paternal,synonyms,cross_type,selfing_generations,accessionNumber,origin,notes',
      'B73,Stiff stalk,,,,,,PI 550473,USA,',
      'Mo17,Lancaster,,,Missouri 17,,,PI 558532,USA,',
      'BM-1,Elite 2026,B73,Mo17,DH 1;BM1-DH,DH,,,,',
      'BM-2,Elite 2026,B73,,,,4,,,an unknown parent stays empty',
    ),
  },
};
