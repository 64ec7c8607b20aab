import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GwasColumns, gwasStateToBytes } from '@heterosis/analysis/gwas/gwas-columns';
import type { GwasInput } from '@heterosis/analysis/gwas/gwas-state';
import { prepareGwas } from '@heterosis/analysis/gwas/prepare-gwas';
import { testGwasMarkers } from '@heterosis/analysis/gwas/test-gwas-markers';
import type { CovariateChoice } from '@heterosis/analysis/inputs/covariates';
import { leaveOutOfBlocks } from '@heterosis/analysis/inputs/leaving-out';
import type { InputsOf } from '@heterosis/contracts/options/define-options';
import type { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import { actionResult, JOINT_TRAIT } from '@heterosis/contracts/work/gwas-names';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { countsOf, keptToBytes, leavingOutOf, writeLeftOut } from '../../../platform/object-storage/left-out.ts';
import { type CovarianceObject, knownErrorsOf } from '../../../platform/object-storage/stored-covariance.ts';
import { withStoredBlocks } from '../../../platform/object-storage/stored-panel.ts';
import type { ErrorExtra } from '../runs/work/index.ts';
import { testGeneActions } from './gene-actions/test-gene-actions.ts';
import { chunksOf, markersPerChunk } from './plan-chunks.ts';
import { testTogether } from './together/test-together.ts';
import { type GwasComputeInput, type GwasTraitOutput, writeGwasResults } from './write-gwas-results.ts';

/** Only what the analysis knows: an option that it does not take is no option. */
type GwasOptions = Pick<GwasInput, keyof InputsOf<typeof GWAS_OPTIONS>>;

export interface PrepareGwasInput extends GwasComputeInput, GwasOptions {
  /** Names of unfinished results: of traits, of traits under gene actions, of all together. */
  traits: string[];
  /** The traits asked for. */
  together: string[];
  covariance: CovarianceObject | null;
  covariates: CovariateChoice[];
  exclusions: Exclusions | undefined;
  chunkGflop: number;
}

/** A group of traits on the same individuals: the file for their tests, and the markers per chunk. */
export interface GwasGroup {
  file: string;
  chunkMarkers: number;
}

export interface PreparedGwasOutput {
  /** Finished traits: with a result, or with the reason why there is none. */
  outputs: GwasTraitOutput[];
  /** Groups left for chunks; empty when all are finished. */
  groups: GwasGroup[];
  /** Markers of the panel that are kept. */
  markers: number;
  /** Files with the names left out, and with the places kept; null when nothing was to be left out. */
  leftOut: { names: string; kept: string } | null;
}

export const compute: ComputeFunction<PrepareGwasInput, PreparedGwasOutput> = (input, context) =>
  withStoredBlocks(input, async (whole, phenotype) => {
    const { panel, leftOut } = await leaveOutOfBlocks(whole, leavingOutOf(input.exclusions), context);
    const found = leftOut === null ? null : { kept: leftOut.kept, report: countsOf(leftOut.report) };
    const unfinished = new Set(input.traits);
    const traits = input.together.filter((trait) => unfinished.has(trait));
    const known = await knownErrorsOf(input, phenotype);
    const { states, errors } =
      traits.length === 0
        ? { states: [], errors: [] }
        : await prepareGwas({ ...input, traits, panel, phenotype, ...known }, context);
    const outputs: GwasTraitOutput[] = errors.map(({ trait, error }) => ({
      trait,
      error: error as ErrorExtra,
      result: null,
    }));
    const groups: GwasGroup[] = [];
    const markers = panel.markerCount;
    for (const [group, state] of states.entries()) {
      const chunkMarkers = markersPerChunk(state.individuals.length, state.traits.length, input.chunkGflop);
      // A single chunk is tested here: a separate job would only add waiting time. So are tests that are there already.
      if (state.panelTests !== null || chunksOf(markers, chunkMarkers).length === 1) {
        const columns = await testGwasMarkers(state, panel, { first: 0, count: markers }, context);
        const parts = (trait: number): GwasColumns[] => columns.slice(trait, trait + 1);
        outputs.push(...(await writeGwasResults(input, { panel, phenotype }, { state, group, parts, found }, context)));
      } else {
        const file = join(input.directory, `${groups.length}.state`);
        await writeFile(file, gwasStateToBytes(state));
        groups.push({ file, chunkMarkers });
      }
    }
    const given = { ...input, ...known, panel, phenotype };
    if (unfinished.has(JOINT_TRAIT)) {
      outputs.push(await testTogether(given, { found, group: 'together' }, context));
    }
    for (const [place, trait] of input.together.entries()) {
      const actions = (input.geneAction ?? []).filter((action) => unfinished.has(actionResult(trait, action)));
      if (actions.length === 0) continue;
      outputs.push(...(await testGeneActions(given, { trait, actions, found, group: `actions-${place}` }, context)));
    }
    if (leftOut === null || found === null) return { outputs, groups, markers, leftOut: null };
    const files = { names: join(input.directory, 'left-out.csv'), kept: join(input.directory, 'kept') };
    await writeLeftOut(files.names, leftOut.report);
    await writeFile(files.kept, keptToBytes(found));
    return { outputs, groups, markers, leftOut: files };
  });
