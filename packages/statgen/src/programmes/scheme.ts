/**
 * A breeding programme as data: stages that make populations from populations, in the order in which they are done.
 * `start` is done once, `cycle` in every cycle, `end` once after the last one. The names of fields are those of the
 * scheme file.
 */
export interface Scheme {
  name: string;
  /** Number of cycles. */
  cycles: number;
  /** Number that the first cycle bears in results; `start` bears the one before it, but at least 0. Default 1. */
  first_cycle?: number | undefined;
  /** Variances of line × environment and of the plot. */
  error: ErrorVariances;
  /** False leaves dominance effects of the truth out. Default true. */
  dominance?: boolean | undefined;
  costs?: { [Price in keyof Costs]?: Costs[Price] | undefined } | undefined;
  /** Weights of the traits in the true index: adds the quantity mean_index. */
  index?: Record<string, number> | undefined;
  start: readonly Stage[];
  cycle: readonly Stage[];
  end?: readonly Stage[] | undefined;
}

export interface ErrorVariances {
  environment: number;
  plot: number;
}

/** Price of one cross, selfed plant, DH line, genotyped individual, plot, and hybrid seed of one combination. */
export interface Costs {
  cross: number;
  self: number;
  dh: number;
  genotype: number;
  plot: number;
  seed: number;
}

/** What every stage may say besides. */
export interface StageFrame {
  /** Names the stage in messages and keys its random numbers; default made of what it does and makes. */
  name?: string | undefined;
  /** Years that it takes; default 0. */
  years?: number | undefined;
}

export interface TakeStage extends StageFrame {
  do: 'take';
  from: string;
  into: string;
  /** Names of founders, or the first and the last place, counted from 1. */
  individuals?: readonly string[] | undefined;
  range?: readonly [number, number] | undefined;
}

export interface CrossStage extends StageFrame {
  do: 'cross';
  from: string;
  into: string;
  /**
   * circular: 1 × 2, 2 × 3, …, last × 1. random: partners drawn uniformly, two different plants a cross. all: every
   * pair, or every plant of `from` with every plant of `with`. paired: the first of `from` × the first of `with`, and
   * so on. useful: the pairs of the largest usefulness by the effects of `model`. optimal: contributions of the largest
   * value `by` under a cap of coancestry, then pairs of the least related.
   */
  plan: 'circular' | 'random' | 'all' | 'paired' | 'useful' | 'optimal';
  with?: string | undefined;
  /** Number of crosses, of plans that do not say it themselves. */
  crosses?: number | undefined;
  /** Progeny of each cross; default 1. */
  progeny?: number | undefined;
  /** useful: the model, and the share of a cross's DH lines that will be selected; 0.05 unless given. */
  model?: string | undefined;
  selected?: number | undefined;
  /** useful, optimal: most crosses of one parent; all of them unless given. */
  most_uses?: number | undefined;
  /** optimal: the column that is the value. */
  by?: string | undefined;
  /** optimal: largest share of the diversity of the candidates at chip loci that the parents may lose. */
  rate?: number | undefined;
}

export interface BackcrossStage extends StageFrame {
  do: 'backcross';
  from: string;
  /** Each plant of `from` is crossed with the first individual of this population. */
  to: string;
  into: string;
  progeny?: number | undefined;
}

export interface SelfStage extends StageFrame {
  do: 'self';
  from: string;
  into: string;
  /** Plants grown of each plant; default 1. */
  progeny?: number | undefined;
  /** Generations of single-seed descent; default 1. */
  generations?: number | undefined;
}

export interface DoubledHaploidStage extends StageFrame {
  do: 'dh';
  from: string;
  into: string;
  /** Lines of each plant, every one from a gamete of its own. */
  lines: number;
}

export interface GenotypeStage extends StageFrame {
  do: 'genotype';
  population: string;
}

export interface TrialDesign {
  trait: string;
  environments: number;
  replicates: number;
  as: string;
  /** In place of the scheme's. */
  error?: ErrorVariances | undefined;
  /** Another trait of plots that an earlier stage has paid. */
  same_plots?: boolean | undefined;
}

export interface PhenotypeStage extends StageFrame, TrialDesign {
  do: 'phenotype';
  population: string;
}

export interface TestcrossStage extends StageFrame, TrialDesign {
  do: 'testcross';
  population: string;
  testers: string;
}

export interface CombineStage extends StageFrame {
  do: 'combine';
  population: string;
  columns: readonly string[];
  as: string;
}

export interface IndexStage extends StageFrame {
  do: 'index';
  population: string;
  weights: Record<string, number>;
  as: string;
}

export interface TrainStage extends StageFrame {
  do: 'train';
  model: string;
  population: string;
  column: string;
  /** Trainings whose records are used, this one included; default all. */
  window?: number | undefined;
  /** Stage of results under which reml_vu and reml_ve are written; default none. */
  stage?: string | undefined;
}

export interface PredictStage extends StageFrame {
  do: 'predict';
  model: string;
  population: string;
  as: string;
}

export interface ScoreStage extends StageFrame {
  do: 'score';
  population: string;
  as: string;
  /**
   * value: true genetic value. hybrid: mean true value of the hybrids with all of `with`. share: share of alleles of
   * the first of `like` at loci where it differs from the first of `unlike`. copies: copies of the alleles of the
   * first of `like` at `loci`. segment: cM without a break around the first of `loci` on which a plant carries an
   * allele of the first of `like`, where that differs from the first of `unlike`. ohv: optimal haploid value by the
   * effects of `model`, the DH line of the better homolog in each of so many `blocks` a chromosome. random: a number.
   */
  kind: 'value' | 'hybrid' | 'share' | 'copies' | 'segment' | 'ohv' | 'random';
  trait?: string | undefined;
  with?: string | undefined;
  like?: string | undefined;
  unlike?: string | undefined;
  loci?: readonly string[] | undefined;
  /** share: loci of this kind, and of these chromosomes of the map, only. */
  locus_kind?: string | undefined;
  chromosomes?: readonly string[] | undefined;
  model?: string | undefined;
  blocks?: number | undefined;
}

export interface SelectStage extends StageFrame {
  do: 'select';
  from: string;
  into: string;
  /** Columns: the first decides, the next among equals. random draws, order keeps the order. */
  by: string | readonly string[];
  count: number;
  /** Whether low values are wanted, of all columns. */
  low?: boolean | undefined;
  /** Most of one family. */
  per_family?: number | undefined;
  /** Only candidates with at least this value come into question; others only when there is none of them. */
  require?: Record<string, number> | undefined;
}

export interface RecycleStage extends StageFrame {
  do: 'recycle';
  from: string;
  into: string;
}

/** A statistic of columns. */
export type Statistic =
  | { mean: string }
  | { variance: string }
  | { max: string }
  | { min: string }
  | { sd: string }
  | { correlation: readonly [string, string]; within_families?: boolean | undefined };

export interface MeasureStage extends StageFrame {
  do: 'measure';
  /** The stage in the results. */
  stage: string;
  population: string;
  /** The criterion: adds `accuracy`. */
  criterion?: string | undefined;
  /** Trait of accuracy and of genic variance, favourable alleles and hybrids; default the first. */
  trait?: string | undefined;
  /** Adds `selected_gv1` …: means of these selected ones. */
  selected?: string | undefined;
  /** Measures the hybrids of all individuals with all of this population in place of the individuals. */
  hybrids_with?: string | undefined;
  /** Further quantities by name. */
  report?: Record<string, Statistic> | undefined;
}

/** Ends a programme's way of some lines: the best of a population are named varieties, and measured. */
export interface ReleaseStage extends StageFrame {
  do: 'release';
  from: string;
  by: string;
  count: number;
  /** The stage in the results; default release. */
  stage?: string | undefined;
}

export type Stage =
  | TakeStage
  | CrossStage
  | BackcrossStage
  | SelfStage
  | DoubledHaploidStage
  | GenotypeStage
  | PhenotypeStage
  | TestcrossStage
  | CombineStage
  | IndexStage
  | TrainStage
  | PredictStage
  | ScoreStage
  | SelectStage
  | RecycleStage
  | MeasureStage
  | ReleaseStage;
