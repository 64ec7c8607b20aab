interface RunKindFacts {
  /** Segment in API addresses, and the name of the kind's table. */
  path: string;
  /** Folder of the kind's pages in the web application. */
  page: string;
  /** Noun for the kind in a sentence. */
  noun: string;
  /**
   * Each trait has its own state, error and results (in the table `{kind}_traits`). Otherwise the run has one for all
   * its traits.
   */
  perTrait: boolean;
  /** Part of the project's navigation that leads to the kind. */
  section: 'analysis' | 'breeding';
  /** What a project must hold before one can begin. */
  needs: readonly RunNeed[];
  /** Its result has values of each line (or cross), so that a decision may begin with it. */
  isDecidedOn?: true;
}

export type RunNeed = 'genotype' | 'phenotype' | 'model';

/**
 * The kinds of run: what a user starts under a name and finds again with its results. This is the only list of them.
 * Events, the bin, the recent runs of a project, dependants, addresses and links are derived from it.
 */
export const RUN_KINDS = {
  model: {
    path: 'models',
    page: 'models',
    noun: 'model',
    perTrait: true,
    section: 'analysis',
    needs: ['genotype', 'phenotype'],
  },
  prediction: {
    path: 'predictions',
    page: 'predictions',
    noun: 'prediction',
    perTrait: false,
    section: 'analysis',
    needs: ['genotype', 'model'],
    isDecidedOn: true,
  },
  gwas: {
    path: 'gwas',
    page: 'gwas',
    noun: 'GWAS',
    perTrait: true,
    section: 'analysis',
    needs: ['genotype', 'phenotype'],
  },
  trial_analysis: {
    path: 'trial_analyses',
    page: 'trialAnalyses',
    noun: 'trial analysis',
    perTrait: true,
    section: 'analysis',
    needs: ['phenotype'],
    isDecidedOn: true,
  },
  parentage_check: {
    path: 'parentage_checks',
    page: 'parentageChecks',
    noun: 'parentage check',
    perTrait: false,
    section: 'analysis',
    needs: ['genotype'],
  },
  crossing_plan: {
    path: 'crossing_plans',
    page: 'crossingPlans',
    noun: 'crossing plan',
    perTrait: false,
    section: 'breeding',
    needs: ['genotype', 'model'],
  },
  crossing_simulation: {
    path: 'crossing_simulations',
    page: 'crossingSimulation',
    noun: 'crossing simulation',
    perTrait: false,
    section: 'breeding',
    needs: ['genotype', 'model'],
    isDecidedOn: true,
  },
  stacking_plan: {
    path: 'stacking_plans',
    page: 'stacking',
    noun: 'stacking plan',
    perTrait: false,
    section: 'breeding',
    needs: ['genotype'],
  },
  programme: {
    path: 'programmes',
    page: 'programmes',
    noun: 'programme simulation',
    perTrait: false,
    section: 'breeding',
    needs: ['genotype'],
  },
} as const satisfies Record<string, RunKindFacts>;

export type RunKind = keyof typeof RUN_KINDS;
export type RunPath = (typeof RUN_KINDS)[RunKind]['path'];

/** Kinds that a decision may begin with. */
export type DecidedKind = {
  [Kind in RunKind]: (typeof RUN_KINDS)[Kind] extends { isDecidedOn: true } ? Kind : never;
}[RunKind];

/** In the order of the table. */
export const runKinds = Object.keys(RUN_KINDS) as RunKind[];
export const decidedKinds = runKinds.filter((kind): kind is DecidedKind => 'isDecidedOn' in RUN_KINDS[kind]);
export const runPaths: RunPath[] = runKinds.map((kind) => RUN_KINDS[kind].path);

/** Final states of a run, or of a trait of a run. */
export const ENDED_STATES: readonly string[] = ['SUCCESS', 'EVALUATED', 'ERROR'];
