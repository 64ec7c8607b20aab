import { describeError } from '@heterosis/analysis/describe-error';
import type { GwasColumns } from '@heterosis/analysis/gwas/gwas-columns';
import { GWAS_DEFAULTS, type GwasInput } from '@heterosis/analysis/gwas/gwas-state';
import { scanSeveralTraits } from '@heterosis/analysis/gwas/several-traits/scan-several-traits';
import { jointColumns } from '@heterosis/analysis/gwas/several-traits/several-traits-table';
import { SpooledRecords } from '@heterosis/analysis/results/spooled-records';
import { JOINT_TRAIT } from '@heterosis/contracts/work/gwas-names';
import type { ComputeContext } from '../../../../platform/compute/compute.ts';
import type { KeptOfRun } from '../../../../platform/object-storage/left-out.ts';
import type { ErrorExtra } from '../../runs/work/index.ts';
import { stateOfTests } from '../state-of-tests.ts';
import { type GwasComputeInput, type GwasTraitOutput, writeGwasResults } from '../write-gwas-results.ts';

type Input = GwasInput & Pick<GwasComputeInput, 'directory' | 'renames' | 'clumping'> & { together: string[] };

/** Tests all markers on the traits of a run together, and writes what a trait has. */
export async function testTogether(
  input: Input,
  { found, group }: { found: KeptOfRun | null; group: string },
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
    const { individuals, fixedColumns, withoutCovariate, markersRead, m } = scan;
    const n = individuals.length;
    for await (const block of scan.blocks()) {
      await spool.add(jointColumns(multiTrait, block, { trait: JOINT_TRAIT, test: 'SCORE', n }));
    }
    const [output] = await writeGwasResults(
      input,
      { panel, phenotype },
      {
        ...{ group, found, parts: () => spool.records() },
        state: stateOfTests({
          ...{ name: JOINT_TRAIT, test: 'SCORE', individuals, settings: { fixed, maf, callRate } },
          ...{ fixedColumns, withoutCovariate, markersRead, m },
          reason: 'Several traits are tested from the kinship of the individuals.',
        }),
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
