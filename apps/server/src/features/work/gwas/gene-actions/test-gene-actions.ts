import { describeError } from '@heterosis/analysis/describe-error';
import { columnsOfAction } from '@heterosis/analysis/gwas/gene-actions/gene-action-table';
import { scanGeneActions } from '@heterosis/analysis/gwas/gene-actions/scan-gene-actions';
import type { GwasColumns } from '@heterosis/analysis/gwas/gwas-columns';
import { GWAS_DEFAULTS, type GwasInput } from '@heterosis/analysis/gwas/gwas-state';
import { SpooledRecords } from '@heterosis/analysis/results/spooled-records';
import type { GeneAction } from '@heterosis/contracts/options/gwas';
import { actionResult } from '@heterosis/contracts/work/gwas-names';
import type { ComputeContext } from '../../../../platform/compute/compute.ts';
import type { KeptOfRun } from '../../../../platform/object-storage/left-out.ts';
import type { ErrorExtra } from '../../runs/work/index.ts';
import { stateOfTests } from '../state-of-tests.ts';
import { type GwasComputeInput, type GwasTraitOutput, writeGwasResults } from '../write-gwas-results.ts';

/** Of a test under a gene action, of which its results say so. */
const TEST = 'WALD';
/** Of each action in memory, beyond which its tests wait in a file. */
const HELD_BYTES = 1 << 22;

type Input = GwasInput & Pick<GwasComputeInput, 'directory' | 'renames' | 'clumping'>;

/** Tests all markers for a trait under gene actions, and writes for each of them what a trait has. */
export async function testGeneActions(
  input: Input,
  {
    trait,
    actions,
    found,
    group,
  }: { trait: string; actions: readonly GeneAction[]; found: KeptOfRun | null; group: string },
  context: ComputeContext,
): Promise<GwasTraitOutput[]> {
  const { panel, phenotype } = input;
  const { fixed = GWAS_DEFAULTS.fixed, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate } = input;
  const spools = actions.map((action) => ({ action, spool: new SpooledRecords<GwasColumns>(HELD_BYTES), m: 0 }));
  try {
    const scan = await scanGeneActions(
      { ...input, trait, actions, covariates: input.covariates ?? [], fixed, maf, callRate },
      context,
    );
    const { individuals, covariates: fixedColumns, withoutCovariate, markersRead } = scan;
    for await (const block of scan.blocks()) {
      for (const one of spools) {
        const of = { trait: actionResult(trait, one.action), test: TEST, n: individuals.length } as const;
        const columns = columnsOfAction(one.action, block, of);
        one.m += columns.markerIndex.length;
        await one.spool.add(columns);
      }
    }
    const outputs: GwasTraitOutput[] = [];
    for (const { action, spool, m } of spools) {
      const state = stateOfTests({
        ...{ name: actionResult(trait, action), test: TEST, individuals, settings: { fixed, maf, callRate } },
        ...{ fixedColumns, withoutCovariate, markersRead, m, h2: scan.nullModel.h2 },
        reason: 'Gene actions are tested from the kinship of the individuals.',
      });
      const results = { group: `${group}-${action}`, found, state, parts: () => spool.records() };
      outputs.push(
        ...(await writeGwasResults(
          input,
          { panel, phenotype },
          { ...results, geneAction: { trait, action } },
          context,
        )),
      );
    }
    return outputs;
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    return actions.map((action) => ({
      ...{ trait: actionResult(trait, action), error: described as ErrorExtra, result: null },
    }));
  } finally {
    for (const { spool } of spools) await spool.close();
  }
}
