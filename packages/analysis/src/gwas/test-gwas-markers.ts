import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import {
  type AssociationTest,
  type GwasColumns as BlockColumns,
  createMarkerTester,
  MARKER_TESTED,
} from '@heterosis/statgen/association/test-markers';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type MarkerRange, markerRanges, packedRanges } from '../inputs/open-panel.ts';
import { panelSelection } from '../inputs/panel-kinship.ts';
import { concatColumns, type GwasColumns } from './gwas-columns.ts';
import type { GwasState } from './prepare-gwas.ts';

/** Results of some consecutive markers as the kernel gives them: an entry for each marker read, tested or not. */
export interface TestedBlock {
  /** Place in the panel of the first marker. */
  first: number;
  columns: BlockColumns;
}

/**
 * Tests a range of the panel's markers by one or several tests, block by block: what is known of a block before the next one
 * is read is all that is held. Ranges and blocks are independent of each other.
 */
export async function* testBlocks(
  state: GwasState,
  tests: readonly AssociationTest[],
  panel: PanelBlocks,
  range: MarkerRange,
  context: AnalysisContext,
): AsyncGenerator<TestedBlock> {
  setComputeThreads(context.threads);
  const tester = createMarkerTester(state.model, {
    ...panelSelection(panel.samples.length, state.individuals),
    filter: { maf: state.maf, callRate: state.callRate },
    tests,
  });
  const blocks = markerRanges(range.count).map(({ first, count }) => ({ first: range.first + first, count }));
  let block = 0;
  reportProgress(context, 'test', block, blocks.length);
  for await (const { first, count, packed } of packedRanges(panel, blocks)) {
    yield { first, columns: tester.test(packed, count) };
    reportProgress(context, 'test', ++block, blocks.length);
  }
}

/**
 * Tests a range of the panel's markers; ranges are independent of each other. Markers below the limits, monomorphic, or
 * explained by the fixed effects have no entry in the result.
 *
 * @returns one entry a trait of the state
 */
export async function testGwasMarkers(
  state: GwasState,
  panel: PanelBlocks,
  range: MarkerRange,
  context: AnalysisContext,
): Promise<GwasColumns[]> {
  const parts: GwasColumns[][] = state.traits.map(() => []);
  for await (const { first, columns } of testBlocks(state, [state.test], panel, range, context)) {
    const tested = testedMarkers(columns);
    for (const [t, trait] of state.traits.entries()) {
      const results = columns.traits[t][state.test];
      if (results === undefined) throw new TypeError(`the test ${state.test} was not run`);
      parts[t].push({
        trait,
        test: state.test,
        n: state.model.n,
        markerIndex: tested.map((j) => first + j),
        freqA2: gather(columns.frequencyA2, tested),
        statistic: gather(results.statistic, tested),
        beta: gather(results.beta, tested),
        sd: gather(results.se, tested),
        h2: gather(results.h2, tested),
        p: gather(results.p, tested),
        negLog10P: gather(results.negLog10P, tested),
        atBound: Uint8Array.from(tested, (j) => results.atBound[j]),
      });
    }
  }
  return parts.map((columns, t) =>
    concatColumns(columns, { trait: state.traits[t], test: state.test, n: state.model.n }),
  );
}

/** Places within a block of the markers that have results. */
export function testedMarkers(columns: BlockColumns): Int32Array {
  const places = new Int32Array(columns.count);
  let count = 0;
  for (let j = 0; j < columns.count; j++) if (columns.status[j] === MARKER_TESTED) places[count++] = j;
  return places.subarray(0, count);
}

function gather(values: Float64Array, places: Int32Array): Float64Array {
  const chosen = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) chosen[i] = values[places[i]];
  return chosen;
}
