import type { GwasState } from '@heterosis/analysis/gwas/gwas-state';

const NOTHING = new Float64Array(0);

/** What the writing of results asks of a prepared analysis, for tests that were made without one. */
export function stateOfTests(made: {
  /** The name of the results. */
  name: string;
  test: GwasState['test'];
  individuals: Int32Array;
  settings: Pick<GwasState, 'fixed' | 'maf' | 'callRate'>;
  fixedColumns: { analysed: GwasState['covariates']; uses: GwasState['model']['covariates'] };
  withoutCovariate: number;
  markersRead: number;
  m: number;
  /** Without marker; absent where there is no one number. */
  h2?: number;
  reason: string;
}): GwasState {
  const { name, test, individuals, settings, fixedColumns, withoutCovariate, markersRead, m, h2, reason } = made;
  const unknown = { H2: Number.NaN, kinshipPve: Number.NaN, dominancePve: null, standardErrors: null };
  return {
    ...{ traits: [name], test, dominance: false, ...settings, individuals, m, markersRead },
    covariates: fixedColumns.analysed,
    withoutCovariate: [withoutCovariate],
    engine: { name: 'individuals', reason },
    ...{ ownKinship: null, chromosomesLeftOut: null, errors: null, permutations: null, stepwise: null },
    model: {
      ...{ n: individuals.length, fixed: 0, basis: NOTHING, contrastEigenvalues: NOTHING, fixedKernel: NOTHING },
      ...{ crossKernel: NOTHING, axes: NOTHING, covariates: fixedColumns.uses, traits: [] },
    },
    // Of these only the heritabilities are read.
    panelTests: {
      ...{ tests: [test], status: new Uint8Array(0), frequencyA2: NOTHING, callRate: NOTHING, traits: [] },
      heritabilities: [{ [test]: { h2: h2 ?? Number.NaN, ...unknown } }],
      dominance: null,
    },
  };
}
