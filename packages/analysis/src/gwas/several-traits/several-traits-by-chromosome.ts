import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { type DividedKinship, subtractGroup } from '@heterosis/statgen/association/leave-group-out';
import {
  createSeveralTraitsTester,
  type SeveralTraitColumns,
} from '@heterosis/statgen/association/several-traits/test-several-traits';
import type { MarkerFilter } from '@heterosis/statgen/genotypes/call-counts';
import type { PanelSelection } from '@heterosis/statgen/genotypes/packed-calls';
import { createKinshipAccumulator } from '@heterosis/statgen/kinship/accumulate-kinship';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import type { TraitPoint } from '@heterosis/statgen/multi-trait/trait-likelihood';
import type { TraitRecords } from '@heterosis/statgen/multi-trait/trait-records';
import { type AnalysisContext, reportProgress } from '../../context.ts';
import { type MarkerRange, packedRanges } from '../../inputs/open-panel.ts';
import { chromosomeGroups } from '../chromosome-groups.ts';
import { dividedOf, rangesOf } from '../gwas-by-chromosome.ts';

/** Tests of consecutive markers; one entry a marker, tested or not. */
export interface SeveralTraitsBlock {
  /** Panel index of the first marker. */
  first: number;
  columns: SeveralTraitColumns;
}

/** The model of several traits without marker, with some kinship. */
export interface TraitsNull {
  records: TraitRecords;
  point: TraitPoint;
}

interface ChromosomeTask {
  panel: PanelBlocks;
  selection: PanelSelection & { filter: MarkerFilter };
  /** 1 for each marker of the panel that passes the filters. */
  kept: Uint8Array;
  whole: DividedKinship;
  ofAll: TraitsNull;
  modelOf(kinship: Matrix): TraitsNull;
}

/**
 * Tests each marker with the kinship of the markers on the other chromosomes, at the covariances of a null model with
 * that kinship. Markers without a chromosome are in the kinship of none, and are tested with that of all. Blocks come
 * in the order of the panel; a chromosome without markers that pass the filters has none.
 *
 * @throws AnalysisError `gwas/chromosomes-left-out`
 */
export async function* severalTraitsByChromosome(
  { panel, selection, kept, whole, ofAll, modelOf }: ChromosomeTask,
  context: AnalysisContext,
): AsyncGenerator<SeveralTraitsBlock> {
  const groups = await chromosomeGroups(panel, kept);
  const kinshipOf = async (ranges: readonly MarkerRange[]): Promise<DividedKinship> => {
    const accumulator = createKinshipAccumulator({ ...selection, methods: ['standardized'], withMarkerColumns: false });
    for await (const { packed, count, dosages } of packedRanges(panel, ranges)) accumulator.add(packed, count, dosages);
    return dividedOf(accumulator.finish());
  };
  /** K of the others, in the memory of that of the group. */
  const without = (all: DividedKinship, group: DividedKinship): DividedKinship => {
    subtractGroup(all, group, group.kinship);
    return { kinship: group.kinship, divisor: all.divisor };
  };
  const nowhere = groups.filter(({ chromosome }) => chromosome === null).flatMap(rangesOf);
  const placed = nowhere.length === 0 ? whole : without(whole, await kinshipOf(nowhere));
  // Only a sorted file has the groups in the order of its markers.
  const isSorted = nowhere.length === 0 && groups.every(({ runs }) => runs.length === 1);
  const waiting: SeveralTraitsBlock[] = [];
  for (const [g, group] of groups.entries()) {
    reportProgress(context, 'test', g, groups.length);
    const ranges = rangesOf(group);
    const { records, point } =
      group.chromosome === null ? ofAll : modelOf(without(placed, await kinshipOf(ranges)).kinship);
    const tester = createSeveralTraitsTester(records, point, selection);
    for await (const { first, count, packed, dosages } of packedRanges(panel, ranges)) {
      const block = { first, columns: tester.test(packed, count, dosages) };
      if (isSorted) yield block;
      else waiting.push(block);
    }
  }
  yield* waiting.sort((a, b) => a.first - b.first);
  reportProgress(context, 'test', groups.length, groups.length);
}
