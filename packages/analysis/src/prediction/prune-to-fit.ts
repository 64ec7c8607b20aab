import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { AnalysisContext, AnalysisError } from '../context.ts';
import type { EnginePlan } from '../engine/plan-engine.ts';
import { isPrunable, PRUNING_LIMITS } from '../engine/plan-with-pruning.ts';
import { pruneMarkers, USUAL_WINDOWS } from '../genotype/prune-markers.ts';

/** A panel that fits into memory, and how it is computed. */
export interface FittingPanel {
  panel: GenotypePanel;
  plan: EnginePlan;
  /** Places of its markers among those of the whole panel; null for all. */
  places: Int32Array | null;
}

/**
 * Plans an analysis. Where more individuals than memory holds as n × n have more markers than it holds as m × m, the
 * markers are pruned by LD until their equations fit, and the reason of the plan says so.
 *
 * @throws AnalysisError `analysis/does-not-fit`, also when the markers left at the smallest limit are too many
 */
export async function pruneToFit(
  whole: GenotypePanel,
  planOf: (panel: GenotypePanel) => Promise<EnginePlan>,
  context: AnalysisContext,
): Promise<FittingPanel> {
  let refused: AnalysisError;
  try {
    return { panel: whole, plan: await planOf(whole), places: null };
  } catch (error) {
    if (!isPrunable(error)) throw error;
    refused = error;
  }
  let panel = whole;
  let places = Int32Array.from(whole.markers.id.keys());
  for (const r2 of PRUNING_LIMITS) {
    const { kept } = await pruneMarkers(blocksOf(panel), { ...USUAL_WINDOWS, r2 }, context);
    places = places.filter((_, j) => kept[j] === 1);
    panel = subsetPanel(whole, { samples: null, markers: places });
    try {
      const plan = await planOf(panel);
      const [left, all] = [panel.markers.id.length, whole.markers.id.length].map(groupedNumber);
      const pruned = `all ${all} markers do not fit into memory, and pruning by LD (r² > ${r2}) left ${left}`;
      return { panel, places, plan: { ...plan, reason: `${pruned}; ${plan.reason}` } };
    } catch (error) {
      if (!isPrunable(error)) throw error;
      refused = error;
    }
  }
  throw refused;
}
