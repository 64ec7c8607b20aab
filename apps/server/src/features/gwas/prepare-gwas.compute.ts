import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GwasColumns, gwasStateToBytes } from '@heterosis/analysis/gwas/gwas-columns';
import { prepareGwas } from '@heterosis/analysis/gwas/prepare-gwas';
import { testGwasMarkers } from '@heterosis/analysis/gwas/test-gwas-markers';
import type { CovariateChoice } from '@heterosis/analysis/inputs/covariates';
import type { ComputeFunction } from '../../platform/compute/compute.ts';
import { withStoredBlocks } from '../../platform/object-storage/stored-panel.ts';
import type { ErrorExtra } from '../runs/index.ts';
import type { GwasTestName } from './gwas.queries.ts';
import { chunksOf, markersPerChunk } from './plan-chunks.ts';
import { type GwasComputeInput, type GwasTraitOutput, writeGwasResults } from './write-gwas-results.ts';

export interface PrepareGwasInput extends GwasComputeInput {
  traits: string[];
  test: GwasTestName;
  fixed: number;
  covariates: CovariateChoice[];
  dominance: boolean;
  maf: number;
  callRate: number;
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
  /** Markers of the panel. */
  markers: number;
}

export const compute: ComputeFunction<PrepareGwasInput, PreparedGwasOutput> = (input, context) =>
  withStoredBlocks(input, async (panel, phenotype) => {
    const { traits, test, fixed, covariates, dominance, maf, callRate, renames, chunkGflop } = input;
    const { states, errors } = await prepareGwas(
      { panel, phenotype, traits, test, fixed, covariates, dominance, maf, callRate, renames },
      context,
    );
    const outputs: GwasTraitOutput[] = errors.map(({ trait, error }) => ({
      trait,
      error: error as ErrorExtra,
      result: null,
    }));
    const groups: GwasGroup[] = [];
    const markers = panel.markerCount;
    for (const [group, state] of states.entries()) {
      const chunkMarkers = markersPerChunk(state.individuals.length, state.traits.length, chunkGflop);
      // A single chunk is tested here: a separate job would only add waiting time. So are tests that are there already.
      if (state.panelTests !== null || chunksOf(markers, chunkMarkers).length === 1) {
        const columns = await testGwasMarkers(state, panel, { first: 0, count: markers }, context);
        const parts = (trait: number): GwasColumns[] => columns.slice(trait, trait + 1);
        outputs.push(...(await writeGwasResults(input, panel, phenotype, { state, group, parts }, context)));
      } else {
        const file = join(input.directory, `${groups.length}.state`);
        await writeFile(file, gwasStateToBytes(state));
        groups.push({ file, chunkMarkers });
      }
    }
    return { outputs, groups, markers };
  });
