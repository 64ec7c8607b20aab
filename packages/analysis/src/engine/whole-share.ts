import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { countCalls } from '@heterosis/statgen/genotypes/call-counts';

/** Places of a panel that are looked at, and markers at each. */
const PLACES = 8;
const AT_EACH = 16;

/**
 * About how many of the markers have whole dosages of all individuals, 0–1: those whose products are summed in single
 * precision. From some markers of the panel.
 */
export async function wholeShare(
  panel: Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'dosages'>,
): Promise<number> {
  const total = panel.markerCount;
  if (panel.dosages !== undefined || total === 0) return 0;
  const count = Math.min(AT_EACH, total);
  let whole = 0;
  for (let place = 0; place < PLACES; place++) {
    const first = Math.floor(((total - count) * place) / (PLACES - 1));
    const { missing } = countCalls(await panel.readPacked(first, count), count, { panelSize: panel.samples.length });
    whole += missing.reduce((sum, one) => sum + Number(one === 0), 0);
  }
  return whole / (PLACES * count);
}
