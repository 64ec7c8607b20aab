/** What a problem code is about: the sections of the list that people read. */
export const PROBLEM_SUBJECTS = {
  file: 'Any file',
  name: 'Names of individuals',
  genotype: 'Genotype files',
  phenotype: 'Phenotype files',
  'linkage-map': 'Linkage maps',
  'crossing-table': 'Crossing tables',
  genes: 'Gene annotations',
  germplasm: 'Germplasm lists and pedigrees',
  kinship: 'Kinship files',
  entries: 'Lists of entries',
  'plot-values': 'Values of plots of a trial',
  means: 'Means of trials and their covariance',
  effects: 'Marker effects',
  programme: 'Simulated breeding programmes',
  folds: 'Cross-validation folds',
  phasing: 'Phasing',
  gwas: 'GWAS',
  evaluation: 'Cross-validation',
  export: 'Exports',
  'command-line': 'Command line',
} as const;

export type ProblemSubject = keyof typeof PROBLEM_SUBJECTS;

export interface ProblemCode {
  subject: ProblemSubject;
  cause: string;
  cure: string;
}
