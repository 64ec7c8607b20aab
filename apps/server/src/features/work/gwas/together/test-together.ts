import { describeError } from '@heterosis/analysis/describe-error';
import type { GwasColumns } from '@heterosis/analysis/gwas/gwas-columns';
import { GWAS_DEFAULTS, type GwasInput, type GwasState } from '@heterosis/analysis/gwas/gwas-state';
import { type SeveralTraitsScan, scanSeveralTraits } from '@heterosis/analysis/gwas/several-traits/scan-several-traits';
import { jointColumns } from '@heterosis/analysis/gwas/several-traits/several-traits-table';
import { SpooledRecords } from '@heterosis/analysis/results/spooled-records';
import { JOINT_TRAIT } from '@heterosis/contracts/work/gwas';
import type { ComputeContext } from '../../../../platform/compute/compute.ts';
import type { KeptOfRun } from '../../../../platform/object-storage/left-out.ts';
import type { ErrorExtra } from '../../runs/work/index.ts';
import { type GwasComputeInput, type GwasTraitOutput, writeGwasResults } from '../write-gwas-results.ts';

type Input = GwasInput & Pick<GwasComputeInput, 'directory' | 'renames' | 'clumping'> & { together: string[] };

/** Tests all markers on the traits of a run together, and writes what a trait has. */
export async function testTogether(
  input: Input,
  { found, group }: { found: KeptOfRun | null; group: number },
  context: ComputeContext,
): Promise<GwasTraitOutput> {
  const { panel, phenotype, together } = input;
  const multiTrait = input.multiTrait === 'specific' ? 'specific' : 'any';
  const { fixed = GWAS_DEFAULTS.fixed, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate } = input;
  const spool = new SpooledRecords<GwasColumns>();
  try {
    const scan = await scanSeveralTraits(
      { ...input, traits: together, covariates: input.covariates ?? [], fixed, maf, callRate },
      context,
    );
    const n = scan.individuals.length;
    for await (const block of scan.blocks()) {
      await spool.add(jointColumns(multiTrait, block, { trait: JOINT_TRAIT, test: 'SCORE', n }));
    }
    const [output] = await writeGwasResults(
      input,
      { panel, phenotype },
      {
        ...{ group, found, state: stateOf(scan, { fixed, maf, callRate }), parts: () => spool.records() },
        joint: { test: multiTrait, scan },
      },
      context,
    );
    if (output === undefined) throw new TypeError('the tests on the traits together gave no result');
    return output;
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    return { trait: JOINT_TRAIT, error: described as ErrorExtra, result: null };
  } finally {
    await spool.close();
  }
}

const NOTHING = new Float64Array(0);

/** What the writing of results asks of a prepared analysis. */
function stateOf(
  { individuals, fixedColumns, withoutCovariate, markersRead, m }: SeveralTraitsScan,
  settings: { fixed: number; maf: number; callRate: number },
): GwasState {
  const nothing = { h2: Number.NaN, H2: Number.NaN, kinshipPve: Number.NaN, dominancePve: null, standardErrors: null };
  return {
    ...{ traits: [JOINT_TRAIT], test: 'SCORE', dominance: false, ...settings, individuals, m, markersRead },
    covariates: fixedColumns.analysed,
    withoutCovariate: [withoutCovariate],
    engine: { name: 'individuals', reason: 'Several traits are tested from the kinship of the individuals.' },
    ...{ ownKinship: null, chromosomesLeftOut: null, errors: null, permutations: null, stepwise: null },
    model: {
      ...{ n: individuals.length, fixed: 0, basis: NOTHING, contrastEigenvalues: NOTHING, fixedKernel: NOTHING },
      ...{ crossKernel: NOTHING, axes: NOTHING, covariates: fixedColumns.uses, traits: [] },
    },
    // Of these only the heritabilities are read, of which tests on several traits have none.
    panelTests: {
      ...{ tests: ['SCORE'], status: new Uint8Array(0), frequencyA2: NOTHING, callRate: NOTHING, traits: [] },
      heritabilities: [{ SCORE: nothing }],
      dominance: null,
    },
  };
}
