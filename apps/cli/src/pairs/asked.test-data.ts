// What a pair of options asks for, as the dense definitions take it, and the files that say the same.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { DenseClumping } from '@heterosis/analysis/dense/gwas-hits.test-data';
import {
  type DenseErrors,
  type DenseKinship,
  type DenseLeaveOut,
  type DensePanel,
  type DenseWorld,
  denseWorld,
  TRAITS,
} from '@heterosis/analysis/dense/world.test-data';

/** How the phenotype file is written. */
interface PhenotypeStyle {
  missing: string;
  decimal: '.' | ',';
  separator: ',' | ';' | '\t';
  /** Lines above the header. */
  titles: number;
  individual: string;
  /** Whether each individual has two rows whose mean is its value. */
  repeated: boolean;
}

/** Everything that options may change; each command reads what it knows. */
export interface Asked {
  world: DenseWorld;
  /** Of train, evaluate and gwas. */
  engine: string;
  leaveOut: DenseLeaveOut;
  trait: string;
  tests: ('SCORE' | 'WALD' | 'LRT')[];
  fixed: number;
  covariates: string[];
  conditionOn: string[];
  maf: number;
  callRate: number;
  method: 'vanraden1' | 'standardized';
  kinship: DenseKinship | null;
  /** The kinship is rounded to single precision. */
  single: boolean;
  loco: boolean;
  dominance: boolean;
  /** Of single-step prediction. */
  pedigree?: readonly (readonly [string, string, string])[];
  permutations: number | null;
  seed: number;
  effectiveTests: boolean;
  /** Steps of the search of a multi-locus model, and the file of its models. */
  stepwise: number | null;
  stepwiseOut: string | null;
  clumping: DenseClumping;
  /** The file of clumps. */
  clumps: string | null;
  estimate: boolean;
  /** Individuals predicted by a model of the others. */
  candidates?: DensePanel;
  /** Folds of evaluate: those of a file by individual and repetition, or groups of a column. */
  folds: number;
  repetitions: number;
  groups: string | null;
  /** Of predict: whether the genotype of the training is given, and how many markers the candidates must have. */
  withTraining: boolean;
  minMarkerShare: number;
  /** Whether the values are those of a table of means, which has no repeated rows. */
  ofMeans: boolean;
  /** Known errors of the values, and the variance of lines beside them that a GWAS found. */
  errors: DenseErrors | null;
  residualLines: number;
  /** What is asked for beside the figures compared here. */
  notCompared: string[];
  style: PhenotypeStyle;
  gzip: boolean;
}

export function newAsked(seed: number, trait: string = TRAITS.explained): Asked {
  return {
    world: denseWorld(seed),
    engine: 'individuals',
    leaveOut: {},
    trait,
    tests: ['LRT'],
    fixed: 0,
    covariates: [],
    conditionOn: [],
    maf: 0.05,
    callRate: 0.9,
    method: 'vanraden1',
    kinship: null,
    single: false,
    loco: false,
    dominance: false,
    permutations: null,
    seed: 1,
    effectiveTests: false,
    stepwise: null,
    stepwiseOut: null,
    clumping: { p1: 0.05, p2: 0.3, r2: 0.1, kb: 250 },
    clumps: null,
    estimate: false,
    folds: 3,
    repetitions: 2,
    groups: null,
    withTraining: false,
    minMarkerShare: 0.5,
    ofMeans: false,
    errors: null,
    residualLines: 0,
    notCompared: [],
    style: { missing: 'NA', decimal: '.', separator: ',', titles: 0, individual: 'id', repeated: false },
    gzip: false,
  };
}

/** A folder for the files of one run. */
export class Files {
  readonly folder: string;
  #count = 0;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(text: string | Uint8Array, ending: string): string {
    const path = this.path(`${++this.#count}${ending}`);
    writeFileSync(path, text);
    return path;
  }
}

export function writeGenotype({ gzip }: Asked, panel: DensePanel, files: Files): string {
  const { individuals, markers } = panel;
  const calls = ['0/0', '0/1', '1/1'];
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...individuals];
  const rows = markers.map(({ id, chromosome, positionBp, dosages }) => [
    ...[chromosome, String(positionBp), id, 'A', 'C', '.', '.', '.', 'GT'],
    ...dosages.map((dosage) => (dosage === null ? './.' : (calls[dosage] ?? './.'))),
  ]);
  const text = `##fileformat=VCFv4.3\n${[head, ...rows].map((row) => `${row.join('\t')}\n`).join('')}`;
  return gzip ? files.write(gzipSync(text), '.vcf.gz') : files.write(text, '.vcf');
}

export function writePhenotype({ world, style }: Asked, files: Files): string {
  const { individuals, columns } = world.phenotype;
  const names = [...columns.keys()];
  const cell = (value: number | string | null): string =>
    value === null ? style.missing : String(value).replace('.', typeof value === 'number' ? style.decimal : '.');
  const half = (value: number | string | null, sign: number): string =>
    cell(typeof value === 'number' ? Math.round(1000 * (value + sign * 0.5)) / 1000 : value);
  const rows = individuals.flatMap((individual, i) => {
    const values = names.map((name) => columns.get(name)?.[i] ?? null);
    return style.repeated
      ? [1, -1].map((sign) => [individual, ...values.map((value) => half(value, sign))])
      : [[individual, ...values.map(cell)]];
  });
  const titles = Array.from({ length: style.titles }, (_, k) => [`Title ${k + 1}`]);
  const lines = [...titles, [style.individual, ...names], ...rows];
  return files.write(
    `${lines.map((line) => line.join(style.separator)).join('\n')}\n`,
    style.separator === '\t' ? '.tsv' : '.csv',
  );
}
