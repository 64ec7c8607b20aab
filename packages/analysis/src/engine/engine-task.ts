/**
 * How the mixed model is computed. All give the same numbers:
 * - `individuals`: from the kinship of the individuals, n × n;
 * - `markers`: from the equations of the markers, m × m, for more individuals than markers.
 */
export type Engine = 'individuals' | 'markers';

/** What an analysis has to compute. */
export interface EngineTask {
  analysis: 'train' | 'evaluate' | 'gwas';
  /** Genotyped. */
  individuals: number;
  /** With a value of the trait; the largest number where traits differ. */
  observed: number;
  /** Of the panel, before the filters. */
  markers: number;
  /** Traits, and groups of them that are observed on the same individuals. */
  traits: number;
  groups: number;
  /** Why only the kinship of the individuals can be used, a sentence; null where both can. */
  needsIndividuals: string | null;
  /** Whether traits are fitted together and evaluated beside each alone, or markers tested on all; default false. */
  together?: boolean;
  /** Why only the markers can be used, a sentence; null where both can. */
  needsMarkers: string | null;
  folds?: number;
  repetitions?: number;
  /** Whether variances are estimated again for every marker (WALD, LRT). */
  isFitted?: boolean;
  /** Chromosomes that a GWAS leaves out one by one; default none. */
  chromosomesLeftOut?: number;
  /** Whether the model has dominance beside additive effects; default false. */
  dominance?: boolean;
  /** Kinship of a training or evaluation; default `vanraden1`. That of a GWAS is `standardized`. */
  kinship?: 'vanraden1' | 'standardized';
  /**
   * Share of the markers with whole dosages of all individuals, 0–1, default 0. Their products are summed in single
   * precision: for the kinship `vanraden1` one by one, for the equations of the markers where all are whole.
   */
  wholeShare?: number;
  /** What is known of the errors of the values: their variances, or their whole covariance; default nothing. */
  errors?: 'independent' | 'correlated';
  /** Whether a variance of lines is fitted beside them; default false. */
  residualLines?: boolean;
  /** Markers that a GWAS tests, where the kinship is that of fewer, `markers`. */
  testedMarkers?: number;
  /** Times that a GWAS rotates the markers besides testing them: steps of a multi-locus model. */
  furtherRotations?: number;
  /** Columns of each gene action that a GWAS of polyploids tests beside copies; default none. */
  geneActions?: readonly number[];
  /** Permutations of each trait of a GWAS, whose markers are rotated once more for all; default none. */
  permutations?: number;
}
