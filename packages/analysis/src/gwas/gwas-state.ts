import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { GeneAction } from '@heterosis/statgen/association/gene-actions/gene-actions';
import type { GwasNull } from '@heterosis/statgen/association/prepare-gwas';
import type { CofactorModel } from '@heterosis/statgen/association/stepwise-model';
import type { DominanceColumns } from '@heterosis/statgen/association/test-dominance';
import type { AssociationTest, TestColumns } from '@heterosis/statgen/association/test-markers';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import type { Heritability } from '@heterosis/statgen/mixed-model/heritability';
import type { ErrorCovariance } from '@heterosis/statgen/mixed-model/whitening';
import type { Engine } from '../engine/engine-task.ts';
import type { NameMatching } from '../inputs/align-phenotype.ts';
import type { AnalysedCovariate, CovariateChoice } from '../inputs/covariates.ts';
import type { KinshipPrecision } from '../inputs/panel-kinship.ts';
import type { ErrorInput, ValueErrors } from '../inputs/value-errors.ts';
import type { EngineInput } from '../prediction/choose-engine.ts';

/** The markers of a kinship that were left by LD pruning. */
export interface KinshipPruning {
  /** Largest r² left. */
  r2: number;
  markers: number;
}

export interface GwasInput extends NameMatching, EngineInput, ErrorInput {
  panel: PanelBlocks;
  phenotype: PhenotypeTable;
  traits: readonly string[];
  test: AssociationTest;
  /** All tests that will be asked for; default `test` alone. */
  tests?: readonly AssociationTest[];
  /** Tests each marker with the kinship of the other chromosomes, in a null model of its own. */
  leaveOneChromosomeOut?: boolean;
  /** Principal components of the kinship as fixed effects; default 0. */
  fixed?: number;
  /**
   * Columns of the phenotype file as further fixed effects: numbers as covariates, words and design columns as
   * factors, unless a kind is given. Individuals without a value in one of them are dropped.
   */
  covariates?: readonly (string | CovariateChoice)[];
  /** Markers, by id, whose dosages are further fixed effects: every other marker is tested given them. */
  conditionOn?: readonly string[];
  /** Also tests the dominance deviation of each marker. */
  dominance?: boolean;
  /** Default 0.05; among the trait's individuals. */
  maf?: number;
  /** Default 0.9; among the trait's individuals. */
  callRate?: number;
  /** Precision of the kinship computed from the markers; default `double`. */
  kinshipPrecision?: KinshipPrecision;
  /** A kinship that replaces the standardized one; individuals not in it are dropped. */
  kinship?: KinshipTable;
  /** Permutes the traits this many times for thresholds over all markers. */
  permutations?: number;
  /** Of the permutations; default 1. */
  seed?: number;
  /** Tests of markers on the traits together, which the caller makes: see `scanSeveralTraits`. */
  multiTrait?: 'none' | 'any' | 'specific';
  /** Gene actions tested beside, which the caller makes: see `scanGeneActions`. */
  geneAction?: readonly GeneAction[];
  /** Steps of a multi-locus model; each takes one more marker as a fixed effect. Not with `leaveOneChromosomeOut`. */
  stepwise?: number;
}

/** The models of a stepwise search, from that without markers on, and which of them has the smallest mBIC. */
export interface StepwiseSearch {
  models: (CofactorModel & { direction: 'forward' | 'backward' })[];
  /** Index among the models. */
  chosen: number;
}

/** Thresholds from permutations: how many, and the seed that decided on them. */
export interface GwasPermutations {
  count: number;
  seed: number;
  /** χ² statistic significant at 5 % over all markers, by test; one entry a trait. */
  thresholds: { [test in AssociationTest]?: number }[];
}

/**
 * Everything the marker tests need, for traits observed on the same individuals. Plain data: `gwasStateToBytes` packs
 * it into one block of bytes, so that workers can share the markers.
 */
export interface GwasState {
  traits: string[];
  test: AssociationTest;
  fixed: number;
  dominance: boolean;
  /** As requested, then the markers conditioned on; `model.covariates` has the outcome of each column. */
  covariates: AnalysedCovariate[];
  /** Individuals with a value that were dropped because a covariate is missing, one entry per trait. */
  withoutCovariate: number[];
  maf: number;
  callRate: number;
  /** Of a kinship from a file; null for that of the markers. */
  ownKinship: {
    /** Individuals with value and covariates that were dropped because they have no kinship, one entry per trait. */
    without: number[];
    /** Added to the diagonal to correct an eigenvalue made negative by rounding; otherwise 0. */
    addedToDiagonal: number;
  } | null;
  /** Panel positions of the individuals analysed. */
  individuals: Int32Array;
  /** Markers that pass the filters among these individuals. */
  m: number;
  /** Markers of the panel, tested or not. */
  markersRead: number;
  /** How it is computed, and why so; the numbers do not depend on it. */
  engine: { name: Engine; reason: string; pruned?: KinshipPruning };
  /** The null model of each chromosome, where chromosomes are left out of the kinship; otherwise null. */
  chromosomesLeftOut: LeftOutModel[] | null;
  /** Known errors of the values; null where one residual variance is estimated for all. */
  errors: { from: ValueErrors['from']; residualLines: number | null } | null;
  /** Null where no permutations were asked for. */
  permutations: GwasPermutations | null;
  /** One entry a trait; null where no multi-locus model was asked for. */
  stepwise: StepwiseSearch[] | null;
  /** The null model; without decompositions where the tests of all markers are there. */
  model: GwasNull;
  /** The tests of all markers; null where they are made block by block. */
  panelTests: StoredPanelTests | null;
}

/** The null model without the markers of a chromosome. */
export interface LeftOutModel {
  /** Null for the markers without a chromosome: theirs is the model of all markers. */
  chromosome: string | null;
  /** Markers tested with it. */
  markers: number;
  /** One entry a trait. */
  traits: { [test in AssociationTest]?: Pick<Heritability, 'h2' | 'kinshipPve'> }[];
}

/** What a state needs of tests that were made at once. */
export type MadeTests = Pick<
  GwasState,
  'm' | 'model' | 'panelTests' | 'chromosomesLeftOut' | 'permutations' | 'stepwise'
>;

/** Tests the markers of a panel at once, given the errors of the values where they are known. */
export interface GwasTests {
  test(covariates: Matrix, traits: readonly Float64Array[], errors?: ErrorCovariance): Promise<MadeTests>;
}

/** Tests of all markers of a panel, made at once. Plain data, one entry a marker of the panel unless said. */
export interface StoredPanelTests {
  /** The tests made. */
  tests: AssociationTest[];
  /** As in `GwasColumns` of statgen. */
  status: Uint8Array;
  frequencyA2: Float64Array;
  callRate: Float64Array;
  /** One entry a trait. */
  traits: { [test in AssociationTest]?: TestColumns }[];
  /** One entry a trait, of the null model of all markers. */
  heritabilities: { [test in AssociationTest]?: Heritability }[];
  /** One entry a trait; null when dominance is not tested. */
  dominance: DominanceColumns[] | null;
}

/** Settings of a GWAS that are not given. */
export const GWAS_DEFAULTS = { fixed: 0, maf: 0.05, callRate: 0.9, seed: 1 };
