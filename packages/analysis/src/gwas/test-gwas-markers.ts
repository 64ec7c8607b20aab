import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { createDominanceTester, type DominanceColumns } from '@heterosis/statgen/association/test-dominance';
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
import { blockOfTests } from './gwas-in-marker-space.ts';
import type { GwasState } from './gwas-state.ts';

/** Results of some consecutive markers from the kernel: one entry per marker read, tested or not. */
export interface TestedBlock {
  /** Panel index of the first marker. */
  first: number;
  columns: BlockColumns;
  /** One entry per trait; null when dominance is not tested. */
  dominance: DominanceColumns[] | null;
}

/**
 * Tests a range of the panel's markers by one or several tests, block by block, and yields each block's results before
 * it reads the next: only one block is in memory. Ranges and blocks are independent of each other.
 */
export async function* testBlocks(
  state: GwasState,
  tests: readonly AssociationTest[],
  panel: PanelBlocks,
  range: MarkerRange,
  context: AnalysisContext,
): AsyncGenerator<TestedBlock> {
  setComputeThreads(context.threads);
  const blocks = markerRanges(range.count).map(({ first, count }) => ({ first: range.first + first, count }));
  let block = 0;
  if (state.panelTests !== null) {
    for (const { first, count } of blocks) {
      reportProgress(context, 'test', block++, blocks.length);
      yield { first, ...blockOfTests(state.panelTests, tests, first, count) };
    }
    reportProgress(context, 'test', block, blocks.length);
    return;
  }
  const selection = {
    ...panelSelection(panel.samples.length, state.individuals),
    filter: { maf: state.maf, callRate: state.callRate },
  };
  const tester = createMarkerTester(state.model, { ...selection, tests });
  const dominance = state.dominance ? createDominanceTester(state.model, selection) : null;
  reportProgress(context, 'test', block, blocks.length);
  for await (const { first, count, packed, dosages } of packedRanges(panel, blocks)) {
    yield {
      first,
      columns: tester.test(packed, count, dosages),
      dominance: dominance?.test(packed, count, dosages) ?? null,
    };
    reportProgress(context, 'test', ++block, blocks.length);
  }
}

/**
 * Tests a range of the panel's markers; ranges are independent of each other. Markers below the limits, monomorphic,
 * or explained by the fixed effects have no entry in the result.
 *
 * @returns one entry per trait of the state
 */
export async function testGwasMarkers(
  state: GwasState,
  panel: PanelBlocks,
  range: MarkerRange,
  context: AnalysisContext,
): Promise<GwasColumns[]> {
  const parts: GwasColumns[][] = state.traits.map(() => []);
  for await (const block of testBlocks(state, [state.test], panel, range, context)) {
    for (const [t, columns] of parts.entries()) columns.push(columnsOfBlock(state, state.test, block, t));
  }
  return parts.map((columns, t) =>
    concatColumns(columns, { trait: state.traits[t], test: state.test, n: state.model.n }),
  );
}

/** The results of one test and trait among those of a block. */
export function columnsOfBlock(
  state: GwasState,
  test: AssociationTest,
  { first, columns, dominance }: TestedBlock,
  trait: number,
): GwasColumns {
  const results = columns.traits[trait][test];
  if (results === undefined) throw new TypeError(`the test ${test} was not run`);
  const tested = testedMarkers(columns);
  const deviations = dominance?.[trait];
  return {
    trait: state.traits[trait],
    test,
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
    domEffect: deviations === undefined ? NOTHING : gather(deviations.effect, tested),
    domSe: deviations === undefined ? NOTHING : gather(deviations.se, tested),
    domP: deviations === undefined ? NOTHING : gather(deviations.p, tested),
  };
}

const NOTHING = new Float64Array(0);

/** Indices within a block of the markers that have results. */
function testedMarkers(columns: BlockColumns): Int32Array {
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
