import { type BenchmarkCase, type Comparison, meanOf, reference, rowsOf, textOf } from './scoreboard.ts';

const MAIZE = [reference('maize-mdp/genotypes.vcf.gz'), reference('maize-mdp/phenotypes.csv')] as const;
const WHEAT = [reference('wheat-cimmyt/genotypes.vcf.gz'), reference('wheat-cimmyt/phenotypes.csv')] as const;
const WHEAT_TRAITS = ['GY_env1', 'GY_env2', 'GY_env4', 'GY_env5'];

const inputs = ([genotype, phenotype]: readonly [string, string]): string[] => [
  '--genotype',
  genotype,
  '--phenotype',
  phenotype,
];

/** Cross-validation of RR-BLUP on the folds of the reference. */
function rrblup(name: string, set: string, data: readonly [string, string], traits: readonly string[]): BenchmarkCase {
  return {
    name,
    source: 'rrBLUP 4.6.3 (Endelman 2011, Plant Genome 4:250), the same folds',
    data,
    async compare(run) {
      const found: Comparison[] = [];
      for (const trait of traits) {
        const folds = reference(`${set}/gp/cv_folds_${trait}.csv`);
        const theirs = rowsOf(textOf(reference(`${set}/gp/cv_perfold_${trait}.csv`)));
        const { out } = await run('evaluate', ...inputs(data), '--trait', trait, '--folds', folds, '--out', 'OUT');
        const ours = rowsOf(out);
        found.push({
          quantity: `mean r of ${theirs.length} folds, ${trait}`,
          theirs: meanOf(theirs.map(({ r }) => Number(r))),
          ours: meanOf(ours.map(({ r }) => Number(r))),
          tolerance: 1e-6,
        });
      }
      return found;
    },
  };
}

const gaston: BenchmarkCase = {
  name: 'gwas-maize',
  source: 'gaston 1.6 (Dandine-Roulland & Perdry 2018): lmm.aireml, and its likelihood-ratio test optimised in R',
  data: MAIZE,
  async compare(run) {
    const shared = ['gwas', ...inputs(MAIZE), '--trait', 'dpoll', '--kinship-precision', 'single', '--test', 'LRT'];
    const { summary, out } = await run(...shared, '--out', 'OUT');
    const [fit] = rowsOf(textOf(reference('maize-mdp/gwas/gaston_null_dpoll.csv')));
    const byMarker = new Map(rowsOf(out).map((row) => [row['id'], Number(row['neg_log10_p'])]));
    const theirs = rowsOf(textOf(reference('maize-mdp/gwas/exact_dpoll_pc0.csv.gz')));
    const apart = theirs.map(({ id, p_lrt: p }) => Math.abs((byMarker.get(id) ?? Number.NaN) + Math.log10(Number(p))));
    const model = summary['variance_null'] as { log_likelihood: number };
    const n = Number(summary['n']);
    // It leaves out −½(n − 1) log 2π and ½ log|XᵀX|.
    const constants = -0.5 * (n - 1) * Math.log(2 * Math.PI) + 0.5 * Math.log(n);
    return [
      {
        quantity: 'REML log-likelihood without marker and constants, dpoll',
        theirs: Number(fit?.['aireml_logL']),
        ours: model.log_likelihood - constants,
        tolerance: 1e-5,
      },
      {
        quantity: `largest difference of −log₁₀ p over ${theirs.length} markers`,
        theirs: 0,
        ours: Math.max(...apart),
        tolerance: 1e-3,
      },
    ];
  },
};

const gemma: BenchmarkCase = {
  name: 'gwas-several-traits',
  source: 'GEMMA 0.98.5 mvLMM (Zhou & Stephens 2014, Nat Methods 11:407), -lmm 4; it prints six digits',
  data: WHEAT,
  async compare(run) {
    const { file } = await run('kinship', '--genotype', WHEAT[0], '--method', 'vanraden1', '--out', 'OUT');
    const traits = ['--trait', 'GY_env1,GY_env2', '--multi-trait', 'any'];
    const { summary, out } = await run('gwas', ...inputs(WHEAT), ...traits, '--kinship-file', file, '--out', 'OUT');
    const fit = summary['multi_trait'] as {
      log_likelihood_contrasts: number;
      genetic_covariance: number[][];
      residual_covariance: number[][];
    };
    const theirs = rowsOf(textOf(reference('wheat-cimmyt/multi-trait/wheat2.gemma.csv')));
    const byPlace = new Map(rowsOf(out).map((row) => [row['pos'], Number(row['neg_log10_p'])]));
    const apart = theirs.flatMap(({ marker, p_score: p }) => {
      const ours = byPlace.get(marker);
      return ours === undefined ? [] : [Math.abs(ours + Math.log10(Number(p)))];
    });
    const { genetic_covariance: genetic, residual_covariance: residual } = fit;
    return [
      {
        quantity: 'REML log-likelihood, two environments',
        ...{ theirs: -1577.3, ours: fit.log_likelihood_contrasts, tolerance: 0.05 },
      },
      {
        quantity: 'genetic covariance',
        ...{ theirs: -0.0770941, ours: genetic[0]?.[1] ?? Number.NaN, tolerance: 1e-6 },
      },
      {
        quantity: 'residual variance of the second environment',
        ...{ theirs: 0.565756, ours: residual[1]?.[1] ?? Number.NaN, tolerance: 1e-6 },
      },
      {
        quantity: `largest difference of −log₁₀ p over ${apart.length} markers (its variances ML, ours REML)`,
        ...{ theirs: 0, ours: Math.max(...apart), tolerance: 0.02 },
      },
    ];
  },
};

/** A field trial whose analysis is printed. */
function trial(
  name: string,
  {
    source,
    table,
    columns,
    options,
    figures,
  }: {
    source: string;
    table: string;
    columns: string;
    options: readonly string[];
    figures: (fit: TrialFit) => Comparison[];
  },
): BenchmarkCase {
  return {
    name,
    source,
    data: [table],
    async compare(run) {
      const shared = ['trial', '--phenotype', table, '--columns', columns, '--trait', 'yield'];
      const { summary } = await run(...shared, ...options, '--out', 'OUT');
      const [fit] = summary['trials'] as TrialFit[];
      if (fit === undefined) throw new TypeError(`${name} has no trial`);
      return figures(fit);
    },
  };
}

interface TrialFit {
  variances: Record<string, { value: number } | undefined>;
  correlations: Record<string, number>;
  h2: { cullis: number | null };
}

const alpha = trial('trial-alpha', {
  source: 'lme4 and ASReml as printed for john.alpha in agridat (John & Williams 1995; Piepho & Möhring 2007)',
  table: reference('trials/data/john.alpha.csv'),
  columns: 'gen=individual,rep=replicate',
  options: ['--model', 'blocks'],
  figures: ({ variances, h2 }) => [
    {
      quantity: 'variance of genotypes',
      ...{ theirs: 0.142902, ours: variances['lines']?.value ?? Number.NaN, tolerance: 5e-7 },
    },
    { quantity: 'H² (Cullis)', theirs: 0.809, ours: h2.cullis ?? Number.NaN, tolerance: 5e-4 },
  ],
});

const nin = trial('trial-ar1', {
  source: 'ASReml as printed for stroup.nin in agridat (Stroup et al. 1994): AR1 × AR1',
  table: reference('trials/data/stroup.nin.csv'),
  columns: 'gen=individual',
  options: ['--model', 'ar1', '--lines', 'fixed'],
  figures: ({ variances, correlations }) => [
    {
      quantity: 'variance of the field',
      ...{ theirs: 48.7, ours: variances['residual']?.value ?? Number.NaN, tolerance: 0.05 },
    },
    {
      quantity: 'correlation of neighbouring columns',
      ...{ theirs: 0.6555, ours: correlations['column'] ?? Number.NaN, tolerance: 5e-5 },
    },
    {
      quantity: 'correlation of neighbouring rows',
      ...{ theirs: 0.4375, ours: correlations['row'] ?? Number.NaN, tolerance: 5e-5 },
    },
  ],
});

const bglr: BenchmarkCase = {
  name: 'sampler-simbig1',
  source: 'BGLR 1.1.4 (Pérez & de los Campos 2014, Genetics 198:483): BayesB, three chains of 50,000 cycles',
  data: [reference('simbig1/genotypes.csv.gz'), reference('simbig1/phenotypes.csv')],
  async compare(run) {
    const files = ['--genotype', reference('simbig1/genotypes.csv.gz')];
    const traits = ['--phenotype', reference('simbig1/phenotypes.csv'), '--trait', 'y', '--model', 'bayesb'];
    const chains = ['--cycles', '20000', '--burn-in', '4000', '--chains', '2', '--seed', '1'];
    const { extra } = await run('train', ...files, ...traits, ...chains, '--effects-out', 'EXTRA', '--out', 'OUT');
    const theirs = new Map(rowsOf(textOf(reference('simbig1/bglr_effects.csv'))).map((row) => [row['marker'], row]));
    const pairs = rowsOf(extra).map((row) => ({ ours: row, theirs: theirs.get(row['marker']) }));
    const effects = pairs.map((pair) => [Number(pair.ours['effect']), Number(pair.theirs?.['BayesB.b'])] as const);
    const likely = (pips: readonly number[]): number => pips.filter((pip) => pip > 0.9).length;
    return [
      {
        quantity: 'correlation of the effects of 1,000 markers with theirs',
        ...{ theirs: 1, ours: correlation(effects), tolerance: 0.01 },
      },
      {
        quantity: 'markers with an effect at a probability above 0.9',
        theirs: likely(pairs.map((pair) => Number(pair.theirs?.['BayesB.PIP']))),
        ours: likely(pairs.map((pair) => Number(pair.ours['pip']))),
        tolerance: 1,
      },
    ];
  },
};

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const [meanA, meanB] = [meanOf(pairs.map(([a]) => a)), meanOf(pairs.map(([, b]) => b))];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [a, b] of pairs) {
    ab += (a - meanA) * (b - meanB);
    aa += (a - meanA) ** 2;
    bb += (b - meanB) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}

/** Table 4 of Cuevas et al. 2017: model 3 with the Gaussian kernel, by environment. */
const CUEVAS = [0.606, 0.713, 0.694, 0.572];

const cuevas: BenchmarkCase = {
  name: 'gxe-wheat',
  source: 'Cuevas et al. 2017 (G3 7:41), table 4, GK; their partitions are not published, ours are five folds × 10',
  data: WHEAT,
  async compare(run) {
    const model = [
      '--model',
      'gxe-mde',
      '--scheme',
      'cv2',
      '--folds',
      reference('wheat-cimmyt/gp/cv_folds_GY_env1.csv'),
    ];
    const { out } = await run(
      ...['evaluate', ...inputs(WHEAT), '--trait', WHEAT_TRAITS.join(','), ...model, '--seed', '1', '--out', 'OUT'],
    );
    const rows = rowsOf(out);
    return WHEAT_TRAITS.map((environment, k) => ({
      quantity: `mean r of environment ${environment.slice(-1)}, known lines hidden there (CV2)`,
      theirs: CUEVAS[k] ?? Number.NaN,
      ours: meanOf(rows.filter((row) => row['environment'] === environment).map(({ r }) => Number(r))),
      tolerance: null,
    }));
  },
};

/** What others published about data that the repository has. */
export const PUBLISHED_CASES: readonly BenchmarkCase[] = [
  rrblup('prediction-maize', 'maize-mdp', MAIZE, ['EarHT', 'dpoll', 'EarDia']),
  rrblup('prediction-wheat', 'wheat-cimmyt', WHEAT, WHEAT_TRAITS),
  gaston,
  gemma,
  alpha,
  nin,
  bglr,
  cuevas,
];
