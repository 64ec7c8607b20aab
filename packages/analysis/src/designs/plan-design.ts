import type { DesignRequest } from '@heterosis/statgen/designs/design-types';
import { makeDesign } from '@heterosis/statgen/designs/make-design';
import {
  type TrialCosts,
  type TrialSize,
  type TrialVariances,
  trialSizes,
} from '@heterosis/statgen/designs/trial-sizes';
import { type AnalysisContext, AnalysisError } from '../context.ts';
import { alignKinship, kinshipAmong, openKinship, withoutKinship } from '../inputs/read-kinship.ts';
import { type DesignReport, designReport, type LayoutNames, layoutCsv, sizesCsv } from './design-tables.ts';

/** What a design is asked for, and what its places and plots are called. */
export type DesignInput = DesignRequest & { names: LayoutNames };

/** Makes a design: its layout as CSV, and its figures. Throws DesignError. */
export function planDesign({ names, ...request }: DesignInput): { layout: Iterable<string>; report: DesignReport } {
  const design = makeDesign(request);
  return { layout: layoutCsv(design, request, names), report: designReport(design, request, names) };
}

/** What accuracy to expect of every number of places and replicates, see `trialSizes`, also as CSV. */
export function planSizes(
  variances: TrialVariances,
  limits: { entries: number; places: number; replicates: number },
  costs: TrialCosts,
): { sizes: TrialSize[]; csv: Iterable<string> } {
  const sizes = trialSizes(variances, limits, costs);
  return { sizes, csv: sizesCsv(sizes) };
}

/**
 * The relationships of the entries of a design, n × n in their order, from a kinship file.
 *
 * @throws AnalysisError `design/kinship` where entries have none; FileRefused for a bad file
 */
export async function entryKinship(
  path: string,
  entries: readonly string[],
  context: AnalysisContext,
): Promise<Float64Array> {
  const { table } = await openKinship(path, context);
  const aligned = alignKinship(entries, table);
  const missing = withoutKinship(entries, aligned);
  if (missing.length > 0) {
    const shown = missing.slice(0, SHOWN).map((name) => `"${name}"`);
    throw new AnalysisError(
      'design/kinship',
      `The kinship file lacks ${missing.length} of the entries: ${shown.join(', ')}${missing.length > SHOWN ? ' …' : ''}.`,
      'Use the kinship of all entries, or leave out --kinship-file.',
    );
  }
  return kinshipAmong(aligned, Int32Array.from(entries.keys())).kinship.data;
}

/** Names that a message lists. */
const SHOWN = 5;
