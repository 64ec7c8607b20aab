import { type FineMap, fineMap } from '@heterosis/analysis/fine-mapping/fine-map';
import type { CovariateChoice } from '@heterosis/analysis/inputs/covariates';
import { leaveOutOfPanel } from '@heterosis/analysis/inputs/leaving-out';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { FineMapResult } from '@heterosis/contracts/work/fine-maps';
import type { ComputeFunction } from '../../../../platform/compute/compute.ts';
import { leavingOutOf } from '../../../../platform/object-storage/left-out.ts';
import { type CovarianceObject, knownErrorsOf } from '../../../../platform/object-storage/stored-covariance.ts';
import { type StoredInputs, withStoredInputs } from '../../../../platform/object-storage/stored-panel.ts';

/** What was computed; the rest is words. */
export type FineMapFigures = Omit<FineMapResult, 'methods' | 'command'>;

export interface FineMapComputeInput extends StoredInputs {
  trait: string;
  region: { chromosome: string; fromBp: number; toBp: number };
  effects: number;
  coverage: number;
  purity: number;
  maf: number;
  callRate: number;
  fixed: number;
  covariates: CovariateChoice[];
  conditionOn: string[];
  /** The column of the trait's standard errors; none where they are not known, or with a covariance. */
  standardErrors: string[];
  covariance: CovarianceObject | null;
  residualLines: boolean;
  exclusions: Exclusions | undefined;
  renames: { from: string; to: string }[];
}

export const compute: ComputeFunction<FineMapComputeInput, FineMapFigures> = (input, context) =>
  withStoredInputs(input, async (whole, phenotype) => {
    const { panel } = await leaveOutOfPanel(whole, leavingOutOf(input.exclusions), context);
    const known = await knownErrorsOf({ ...input, traits: [input.trait] }, phenotype);
    return resultOf(await fineMap({ ...input, ...known, panel, phenotype }, context));
  });

function resultOf({ n, markers, sets, variances, isOfOthers, isConverged }: FineMap): FineMapFigures {
  const setOf = new Map<number, number>();
  // A marker of two sets belongs to the first.
  for (const [k, set] of sets.entries()) for (const j of set.markers) if (!setOf.has(j)) setOf.set(j, k + 1);
  return {
    ...{ n, variances, converged: isConverged },
    kinship: isOfOthers ? 'other chromosomes' : 'all markers',
    sets: sets.map(({ markers: places, coverage, purity, logBayesFactor }) => ({
      markers: places.map((j) => markers.id[j] ?? ''),
      ...{ coverage, purity, log_bayes_factor: logBayesFactor },
    })),
    markers: markers.id.map((id, j) => ({
      id,
      pos: markers.positionBp[j] ?? 0,
      pip: markers.inclusion[j] ?? 0,
      effect: markers.effect[j] ?? 0,
      set: setOf.get(j) ?? null,
    })),
  };
}
