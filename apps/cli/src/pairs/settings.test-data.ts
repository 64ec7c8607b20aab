// For each option of the commands, by its name: how it is given, and what it asks of the dense definitions.
import { kinshipOf } from '@heterosis/analysis/dense/design.test-data';
import { indexes, TRAITS, UNKNOWN } from '@heterosis/analysis/dense/world.test-data';
import type { Asked, Files } from './asked.test-data.ts';

/** Changes what is asked, and returns the arguments that say so; none where a file alone changes. */
export type SettingOf<A> = (asked: A, files: Files) => string[];
type Setting = SettingOf<Asked>;

/** An option that changes no number. */
const only =
  (...args: string[]): Setting =>
  () =>
    args;
const written =
  (name: string, file: string): Setting =>
  (_, files) => [name, files.path(file)];
const listed = (name: string, change: (asked: Asked) => readonly string[]): Setting => {
  return (asked, files) => [name, files.write(`${change(asked).join('\n')}\n`, '.txt')];
};
const set = (args: string[], change: (asked: Asked) => void): Setting => {
  return (asked) => {
    change(asked);
    return args;
  };
};

/** Of those whom the options of samples are about. */
const firstIndividuals = ({ world, candidates }: Asked, share: number): string[] => {
  const { individuals } = candidates ?? world.panel;
  return individuals.slice(0, Math.round(share * individuals.length));
};

/** Errors of the values of a phenotype file: a variance of each individual, and covariances of some. */
const variance = (name: string): number => 0.2 + 0.3 * (name.length + ((name.codePointAt(name.length - 1) ?? 0) % 5));
const errorsOf =
  (correlation: number) =>
  (a: string, b: string): number =>
    a === b ? variance(a) : a.at(-1) === b.at(-1) ? correlation * Math.sqrt(variance(a) * variance(b)) : 0;

/** Columns of standard errors, in the phenotype file itself. */
function standardErrors(asked: Asked, residualLines: boolean): string[] {
  const { individuals, columns } = asked.world.phenotype;
  columns.set(
    'se',
    individuals.map((name) => Math.sqrt(variance(name))),
  );
  asked.errors = { covarianceOf: errorsOf(0), residualLines };
  return ['--standard-errors', 'se'];
}

/** The columns of the phenotype file as means of one environment. */
function means(asked: Asked, files: Files): string[] {
  const { individuals, columns } = asked.world.phenotype;
  const rows = [...columns].flatMap(([trait, values]) =>
    individuals.flatMap((name, i) =>
      typeof values[i] === 'number' ? [['E', trait, name, values[i], Math.sqrt(variance(name))].join(',')] : [],
    ),
  );
  asked.ofMeans = true;
  asked.errors = { covarianceOf: errorsOf(0), residualLines: asked.errors?.residualLines ?? false };
  return ['--means', files.write(`environment,trait,line,mean,se\n${rows.join('\n')}\n`, '.csv')];
}

const CORRELATION = 0.3;

const ERRORS: Record<string, Setting> = {
  means,
  covariance: (asked, files) => {
    const given = means(asked, files);
    const { individuals, columns } = asked.world.phenotype;
    const covarianceOf = errorsOf(CORRELATION);
    asked.errors = { covarianceOf, residualLines: asked.errors?.residualLines ?? false };
    const rows = [...columns.keys()].flatMap((trait) =>
      individuals.flatMap((a, i) =>
        individuals.slice(0, i + 1).map((b) => ['E', trait, a, b, covarianceOf(a, b)].join(',')),
      ),
    );
    const path = files.write(`environment,trait,line1,line2,covariance\n${rows.join('\n')}\n`, '.csv');
    return [...given, '--covariance', path];
  },
  weights: (asked, files) => {
    const given = means(asked, files);
    asked.errors = null;
    return [...given, '--weights', 'none'];
  },
  'standard-errors': (asked) => standardErrors(asked, asked.errors?.residualLines ?? false),
  'residual-lines': (asked) => [...standardErrors(asked, true), '--residual-lines'],
};

/** Options of the tables of phenotypes. */
const PHENOTYPE: Record<string, Setting> = {
  phenotype: set([], ({ style }) => {
    style.separator = '\t';
  }),
  'average-repeated-rows': set(['--average-repeated-rows'], ({ style }) => {
    style.repeated = true;
  }),
  'missing-codes': set(['--missing-codes', '-9'], ({ style }) => {
    style.missing = '-9';
  }),
  // No value looks like a code, and no trait holds dates.
  'measured-values': only('--measured-values', '999'),
  dates: only('--dates', 'day-of-year'),
  'sowing-date': only('--dates', 'days-after-sowing', '--sowing-date', '2025-04-01'),
  'date-order': only('--dates', 'day-of-year', '--date-order', 'day-first'),
  // Beyond the file, so that all of it is read.
  'left-out-rows': only('--left-out-rows', '9999'),
  'left-out-cells': only('--left-out-cells', 'B9999'),
  columns: set(['--columns', 'Sorte=individual'], ({ style }) => {
    style.individual = 'Sorte';
  }),
  sheet: only('--sheet', 'Sheet1'),
  'header-line': set(['--header-line', '3'], ({ style }) => {
    style.titles = 2;
  }),
  'decimal-mark': set(['--decimal-mark', 'comma'], ({ style }) => {
    style.decimal = ',';
    if (style.separator === ',') style.separator = ';';
  }),
};

const LEAVE_OUT_SAMPLES: Record<string, Setting> = {
  'only-samples': listed('--only-samples', (asked) => (asked.leaveOut.onlySamples = firstIndividuals(asked, 0.85))),
  'leave-out-samples': listed(
    '--leave-out-samples',
    (asked) => (asked.leaveOut.samples = firstIndividuals(asked, 0.1)),
  ),
  'min-sample-call-rate': set(['--min-sample-call-rate', '0.8'], ({ leaveOut }) => {
    leaveOut.minSampleCallRate = 0.8;
  }),
  'max-sample-heterozygosity': set(['--max-sample-heterozygosity', '0.65'], ({ leaveOut }) => {
    leaveOut.maxSampleHeterozygosity = 0.65;
  }),
  'leave-out-duplicates': set(['--leave-out-duplicates'], ({ leaveOut }) => {
    leaveOut.duplicates = true;
  }),
  'left-out': written('--left-out', 'left-out.csv'),
};

const LEAVE_OUT: Record<string, Setting> = {
  ...LEAVE_OUT_SAMPLES,
  'leave-out-markers': listed('--leave-out-markers', (asked) => (asked.leaveOut.markers = ['m2', 'm17', 'm40'])),
  'min-marker-call-rate': set(['--min-marker-call-rate', '0.95'], ({ leaveOut }) => {
    leaveOut.minMarkerCallRate = 0.95;
  }),
  'min-maf': set(['--min-maf', '0.2'], ({ leaveOut }) => {
    leaveOut.minMaf = 0.2;
  }),
  'prune-r2': set(['--prune-r2', '0.4'], ({ leaveOut }) => {
    leaveOut.pruneR2 = 0.4;
  }),
};

const MODEL: Record<string, Setting> = {
  genotype: set([], (asked) => {
    asked.gzip = true;
  }),
  trait: set([], (asked) => {
    asked.trait = asked.trait === TRAITS.nothing ? 'age' : TRAITS.nothing;
  }),
  fixed: set(['--fixed', '2'], (asked) => {
    asked.fixed = 2;
  }),
  // x explains most of the trait; age is next to nothing, and origin a factor.
  covariates: set(['--covariates', 'x,origin'], (asked) => {
    asked.covariates = ['x', 'origin'];
  }),
  maf: set(['--maf', '0.2'], (asked) => {
    asked.maf = 0.2;
  }),
  'call-rate': set(['--call-rate', '0.95'], (asked) => {
    asked.callRate = 0.95;
  }),
  'kinship-file': (asked, files) => {
    const { panel } = asked.world;
    const shown = indexes(panel.individuals.length).filter((i) => i % 15 !== 4);
    const polymorphic = indexes(panel.markers.length).filter((j) => j !== 26 && j % 2 === 0);
    const whole = kinshipOf(panel, polymorphic, 'standardized');
    const values = shown.map((i) => shown.map((k) => (whole[i]?.[k] ?? 0) + (i === k ? 0.1 : 0)));
    const individuals = shown.map((i) => panel.individuals[i] ?? '');
    asked.kinship = { individuals, values };
    const lines = [['id', ...individuals], ...values.map((row, i) => [individuals[i], ...row])];
    return ['--kinship-file', files.write(`${lines.map((line) => line.join(',')).join('\n')}\n`, '.csv')];
  },
  dominance: set(['--dominance'], (asked) => {
    asked.dominance = true;
  }),
  engine: set([], (asked) => {
    asked.engine = asked.engine === 'markers' ? 'individuals' : 'markers';
  }),
  estimate: set(['--estimate'], (asked) => {
    asked.estimate = true;
  }),
  out: only(),
};

const MAP_CM_PER_MARKER = 2;

const PREDICTION: Record<string, Setting> = {
  ...PHENOTYPE,
  ...ERRORS,
  ...MODEL,
  ...LEAVE_OUT,
  kinship: set(['--kinship', 'standardized'], (asked) => {
    asked.method = 'standardized';
  }),
  // Of two traits and more: refused here.
  'multi-trait': only('--multi-trait'),
  'genetic-factors': only('--genetic-factors', '1'),
  'optimize-time': only('--optimize-time', '600'),
  // Of some sires progeny are known; one individual stands for itself.
  pedigree: (asked, files) => {
    const names = asked.world.panel.individuals;
    asked.pedigree = names.flatMap((name, i): [string, string, string][] =>
      i === 5 ? [] : [[name, `F${1 + (i % 4)}`, i > 30 ? (names[i % 3] ?? '') : `M${1 + (i % 5)}`]],
    );
    const lines = asked.pedigree.map((row) => row.join(','));
    return ['--pedigree', files.write(`name,female,male\n${lines.join('\n')}\n`, '.csv')];
  },
  'pedigree-columns': only('--pedigree-columns', 'female=female'),
  // Of polyploids, which tests of their own compare with references.
  'double-reduction': only('--double-reduction', '0.1'),
  founders: only('--founders', 'equilibrium'),
  // Of models by sampling, which are compared with references in tests of their own: refused here.
  cycles: only('--cycles', '500'),
  'burn-in': only('--burn-in', '100'),
  chains: only('--chains', '2'),
  'early-stop': only('--early-stop'),
  // Compared with a dense definition in tests of their own: refused here.
  'fixed-markers': only('--fixed-markers', 'm13', '--kinship', 'standardized', '--dominance'),
};

/** The settings of each option of `train`. */
export const TRAIN_SETTINGS: Record<string, Setting> = {
  ...PREDICTION,
  model: only('--model', 'bayesr', '--estimate'),
  seed: only('--seed', '5'),
  'effects-out': (_, files) => ['--effects-out', files.path('effects.csv')],
};

/** The settings of each option of `evaluate`. */
export const EVALUATE_SETTINGS: Record<string, Setting> = {
  ...PREDICTION,
  folds: (asked, files) => {
    const { individuals } = asked.world.panel;
    asked.repetitions = 1;
    const lines = individuals.map((name, i) => `${name},${1 + ((i * 5) % 4)}`);
    return ['--folds', files.write(`individual,rep1\n${lines.join('\n')}\n`, '.csv')];
  },
  'leave-out': set(['--leave-out', 'family'], (asked) => {
    asked.groups = 'family';
  }),
  'n-fold': set(['--n-fold', '4'], (asked) => {
    asked.folds = 4;
  }),
  'n-repetition': set(['--n-repetition', '3'], (asked) => {
    asked.repetitions = 3;
  }),
  seed: only('--seed', '5'),
  'folds-out': only(),
  // Of several environments, and of two evaluations: refused here.
  scheme: only('--scheme', 'cv1'),
  'gxe-kernel': only('--gxe-kernel', 'linear'),
  // Its table has other columns; their numbers are compared with references in tests of their own.
  model: (_, files) => ['--model', 'rrblup', '--compare', files.write('trait,repetition,fold,n,r\n', '.csv')],
  comparison: (_, files) => ['--comparison', files.path('comparison.csv')],
  structure: only('--structure', 'diag'),
  compare: (_, files) => ['--compare', files.write('trait,repetition,fold,n,r\nother,1,1,9,0.5\n', '.csv')],
};

/** The settings of each option of `predict`. */
export const PREDICT_SETTINGS: Record<string, Setting> = {
  ...LEAVE_OUT_SAMPLES,
  genotype: MODEL['genotype'] ?? only(),
  // Principal components and covariates in the model.
  model: set([], (asked) => {
    asked.fixed = 2;
    asked.covariates = ['x', 'origin'];
  }),
  'genotype-train': set(['--genotype-train'], (asked) => {
    asked.withTraining = true;
  }),
  // Of several traits together: refused here.
  known: (_, files) => ['--known', files.write('individual,other\nI1,1\n', '.csv')],
  'min-marker-share': set(['--min-marker-share', '0.95'], (asked) => {
    asked.minMarkerShare = 0.95;
  }),
  out: only(),
};

/** The settings of each option of `gwas`. */
export const GWAS_SETTINGS: Record<string, Setting> = {
  ...PHENOTYPE,
  ...ERRORS,
  ...MODEL,
  ...LEAVE_OUT,
  test: set(['--test', 'ALL'], (asked) => {
    asked.tests = ['SCORE', 'WALD', 'LRT'];
  }),
  'condition-on': set(['--condition-on', 'm13'], (asked) => {
    asked.conditionOn = ['m13'];
  }),
  'kinship-precision': set(['--kinship-precision', 'single'], (asked) => {
    asked.single = true;
  }),
  // The map places the markers that have no chromosome.
  map: (asked, files) => {
    const { markers } = asked.world.panel;
    const lines = markers.map(({ id, chromosome }, j) => {
      const placed = chromosome === UNKNOWN ? '2' : chromosome;
      return `${id},${placed},${MAP_CM_PER_MARKER * (j + 1)}`;
    });
    const path = files.write(`marker,chromosome,position\n${lines.join('\n')}\n`, '.csv');
    // Markers then stand in the order of the map.
    for (const marker of markers) if (marker.chromosome === UNKNOWN) marker.chromosome = '2';
    markers.sort((a, b) => Number(a.chromosome) - Number(b.chromosome));
    return ['--map', path, '--map-unit', 'cM'];
  },
  'map-unit': only('--map-unit', 'cM'),
  loco: set(['--loco'], (asked) => {
    asked.loco = true;
  }),
  'effective-tests': set(['--effective-tests'], (asked) => {
    asked.effectiveTests = true;
  }),
  // Of two traits and more: refused here.
  'multi-trait': only('--multi-trait', 'any'),
  // Compared with references in tests of their own: refused here.
  'gene-action': only('--gene-action', 'additive', '--estimate'),
  permutations: set(['--permutations', '19'], (asked) => {
    asked.permutations = 19;
  }),
  seed: set(['--seed', '7'], (asked) => {
    asked.seed = 7;
  }),
  stepwise: set(['--stepwise', '3'], (asked) => {
    asked.stepwise = 3;
  }),
  'stepwise-out': (asked, files) => {
    asked.stepwise = 2;
    asked.stepwiseOut = files.path('stepwise.csv');
    return ['--stepwise', '2', '--stepwise-out', asked.stepwiseOut];
  },
  // The limits that a dozen of markers of such panels pass.
  clumps: (asked, files) => {
    asked.clumps = files.path('clumps.csv');
    const { p1, p2, r2 } = asked.clumping;
    const limits = ['--clump-p1', String(p1), '--clump-p2', String(p2), '--clump-r2', String(r2)];
    return ['--clumps', asked.clumps, ...limits];
  },
  'clump-p1': set(['--clump-p1', '0.2'], ({ clumping }) => {
    clumping.p1 = 0.2;
  }),
  'clump-p2': set(['--clump-p2', '0.8'], ({ clumping }) => {
    clumping.p2 = 0.8;
  }),
  'clump-r2': set(['--clump-r2', '0.02'], ({ clumping }) => {
    clumping.r2 = 0.02;
  }),
  'clump-kb': set(['--clump-kb', '3000'], ({ clumping }) => {
    clumping.kb = 3000;
  }),
};
