import { calledChromosomes } from '@heterosis/file-formats/genotype/genotype-stats';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf, type PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetBlocks, subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { FileProblem } from '@heterosis/file-formats/problem';
import { type AnalysisContext, AnalysisError } from '../context.ts';
import { countPanel } from '../genotype/panel-counts.ts';
import { type PruningRule, pruneMarkers } from '../genotype/prune-markers.ts';
import { findDuplicates } from '../genotype/qc-genotype.ts';
import { findListedMarkers, findListedSamples } from './find-listed.ts';
import type { ListedName } from './name-list.ts';

/**
 * Samples and markers that take no part in an analysis. What is absent leaves out nothing; the rules apply in the
 * order of {@link LeavingOutRule}, each to what those before it have left.
 */
export interface LeavingOut {
  /** The samples to keep; all others are left out. */
  onlySamples?: readonly ListedName[];
  samples?: readonly ListedName[];
  markers?: readonly ListedName[];
  /** Smallest share of markers with a call of a sample, 0 … 1. */
  minSampleCallRate?: number;
  /** Largest share of heterozygotes among the calls of a sample, 0 … 1. */
  maxSampleHeterozygosity?: number;
  /** Keeps one sample of each group of duplicates: the one with the most calls, the first among equals. */
  duplicates?: boolean;
  /** Smallest share of samples with a call of a marker, 0 … 1. */
  minMarkerCallRate?: number;
  /** Smallest minor allele frequency of a marker, 0 … 0.5. */
  minMaf?: number;
  /** Prunes the markers that are left by LD. */
  ldPruning?: PruningRule;
}

/** The rules, in the order in which they apply. */
export type LeavingOutRule =
  | 'only_samples'
  | 'samples'
  | 'markers'
  | 'sample_call_rate'
  | 'sample_heterozygosity'
  | 'duplicates'
  | 'marker_call_rate'
  | 'maf'
  | 'ld_pruning';

/** What one rule has left out. */
export interface LeftOutByRule {
  rule: LeavingOutRule;
  /** The limit of the rule (r² of pruning); null for lists and duplicates. */
  limit: number | null;
  count: number;
  /** In the order of the panel. */
  names: string[];
  /** Why duplicates were not searched for; see `findDuplicateGenotypes`. */
  skipped?: 'few-markers' | 'many-samples' | undefined;
}

/** What has been left out of a panel, with the field names of the API. */
export interface LeftOut {
  samples_read: number;
  samples_kept: number;
  markers_read: number;
  markers_kept: number;
  rules: LeftOutByRule[];
}

/** Places of the panel that are kept, ascending; null for all. */
export interface KeptPlaces {
  samples: Int32Array | null;
  markers: Int32Array | null;
}

export interface LeftOutResult {
  kept: KeptPlaces;
  report: LeftOut;
  /** W-NAME-FOLDED, with the lines of the lists. */
  warnings: FileProblem[];
}

/** Tolerance at the inclusive limits: 9 of 10 must pass a limit of 0.9. */
const LIMIT_ROUNDING = 1e-12;

/** Whether anything is asked for. */
export function leavesOut(asked: LeavingOut): boolean {
  return Object.values(asked).some((value) => value !== undefined && value !== false);
}

/**
 * Applies lists and rules to a panel. Every rule is computed among the samples and markers that are left when it
 * applies, so that the result is that of a file without what the rules before it have left out. Reads the calls once
 * for the rules of samples, once for duplicates, once for the limits of markers and once to prune them.
 *
 * @throws UnknownNames when a list names what the panel lacks; AnalysisError `analysis/nothing-left`
 */
export async function findLeftOut(
  panel: PanelBlocks,
  asked: LeavingOut,
  context: AnalysisContext,
): Promise<LeftOutResult> {
  const state: KeptPlaces = { samples: null, markers: null };
  const rules: LeftOutByRule[] = [];
  const warnings: FileProblem[] = [];
  const view = (): PanelBlocks => subsetBlocks(panel, state);
  const drop = async (
    rule: LeavingOutRule,
    limit: number | null,
    places: readonly number[],
    skipped?: string | null,
  ) => {
    const what = SAMPLE_RULES.includes(rule) ? 'samples' : 'markers';
    const names = what === 'samples' ? namesAt(view().samples, places) : await markerNamesAt(view(), places);
    const isOut = new Set(places);
    const all = what === 'samples' ? panel.samples.length : panel.markerCount;
    const before = state[what] ?? Int32Array.from({ length: all }, (_, i) => i);
    if (places.length > 0) state[what] = before.filter((_, i) => !isOut.has(i));
    rules.push({
      rule,
      limit,
      count: places.length,
      names,
      ...(skipped == null ? {} : { skipped: skipped as NonNullable<LeftOutByRule['skipped']> }),
    });
    if (state[what]?.length === 0) throw nothingLeft(rule, limit);
  };

  if (asked.onlySamples !== undefined) {
    const found = findListedSamples(panel.samples, asked.onlySamples, 'only-samples');
    warnings.push(...found.warnings);
    const chosen = new Set(found.places);
    await drop(
      'only_samples',
      null,
      placesWhere(panel.samples.length, (i) => !chosen.has(i)),
    );
  }
  if (asked.samples !== undefined) {
    // A name of the panel that is left out already is not an error: it is not unknown.
    const found = findListedSamples(panel.samples, asked.samples, 'leave-out-samples');
    warnings.push(...found.warnings);
    const listed = new Set(namesAt(panel.samples, found.places));
    const { samples } = view();
    await drop(
      'samples',
      null,
      placesWhere(samples.length, (i) => listed.has(samples[i])),
    );
  }
  if (asked.markers !== undefined) await drop('markers', null, await findListedMarkers(panel, asked.markers));
  await applySampleRules(asked, view, drop, context);
  await applyMarkerRules(asked, view, drop, context);
  const { samples, markers } = state;
  const report: LeftOut = {
    samples_read: panel.samples.length,
    samples_kept: samples?.length ?? panel.samples.length,
    markers_read: panel.markerCount,
    markers_kept: markers?.length ?? panel.markerCount,
    rules,
  };
  return { kept: state, report, warnings };
}

const SAMPLE_RULES: readonly LeavingOutRule[] = [
  'only_samples',
  'samples',
  'sample_call_rate',
  'sample_heterozygosity',
  'duplicates',
];

type View = () => PanelBlocks;
/** Leaves out places of the view and says so. */
type Drop = (
  rule: LeavingOutRule,
  limit: number | null,
  places: readonly number[],
  skipped?: string | null,
) => Promise<void>;

async function applySampleRules(asked: LeavingOut, view: View, drop: Drop, context: AnalysisContext): Promise<void> {
  const { minSampleCallRate, maxSampleHeterozygosity } = asked;
  if (minSampleCallRate !== undefined || maxSampleHeterozygosity !== undefined) {
    const panel = view();
    const { sampleMissing, sampleHet } = await countPanel(panel, context);
    const markers = panel.markerCount;
    const isOut = new Uint8Array(panel.samples.length);
    if (minSampleCallRate !== undefined) {
      const low = placesWhere(isOut.length, (i) => 1 - sampleMissing[i] / markers < minSampleCallRate - LIMIT_ROUNDING);
      for (const i of low) isOut[i] = 1;
      await drop('sample_call_rate', minSampleCallRate, low);
    }
    if (maxSampleHeterozygosity !== undefined) {
      const left = placesWhere(isOut.length, (i) => isOut[i] === 0);
      const high = placesWhere(left.length, (k) => {
        const called = markers - sampleMissing[left[k]];
        return called > 0 && sampleHet[left[k]] / called > maxSampleHeterozygosity + LIMIT_ROUNDING;
      });
      await drop('sample_heterozygosity', maxSampleHeterozygosity, high);
    }
  }
  if (asked.duplicates === true) {
    const panel = view();
    const stats = await countPanel(panel, context);
    const { pairs, skipped } = await findDuplicates(panel, stats);
    await drop('duplicates', null, spareDuplicates(pairs, stats.sampleMissing), skipped);
  }
}

async function applyMarkerRules(asked: LeavingOut, view: View, drop: Drop, context: AnalysisContext): Promise<void> {
  await applyMarkerLimits(asked, view, drop, context);
  if (asked.ldPruning === undefined) return;
  const { kept } = await pruneMarkers(view(), asked.ldPruning, context);
  await drop(
    'ld_pruning',
    asked.ldPruning.r2,
    placesWhere(kept.length, (j) => kept[j] === 0),
  );
}

async function applyMarkerLimits(asked: LeavingOut, view: View, drop: Drop, context: AnalysisContext): Promise<void> {
  const { minMarkerCallRate, minMaf } = asked;
  if (minMarkerCallRate === undefined && minMaf === undefined) return;
  const panel = view();
  const n = panel.samples.length;
  const stats = await countPanel(panel, context);
  const { markerMissing, markerA2Copies, markerDosage } = stats;
  const isOut = new Uint8Array(panel.markerCount);
  if (minMarkerCallRate !== undefined) {
    const low = placesWhere(isOut.length, (j) => 1 - markerMissing[j] / n < minMarkerCallRate - LIMIT_ROUNDING);
    for (const j of low) isOut[j] = 1;
    await drop('marker_call_rate', minMarkerCallRate, low);
  }
  if (minMaf !== undefined) {
    const left = placesWhere(isOut.length, (j) => isOut[j] === 0);
    const rare = placesWhere(left.length, (k) => {
      const j = left[k];
      const chromosomes = calledChromosomes(stats, n, j);
      const copies = markerDosage === null ? markerA2Copies[j] : markerDosage[j];
      const maf = chromosomes === 0 ? 0 : Math.min(copies, chromosomes - copies) / chromosomes;
      return maf < minMaf - LIMIT_ROUNDING;
    });
    await drop('maf', minMaf, rare);
  }
}

/**
 * All but one of each group of duplicates, ascending. Pairs that share a sample are one group, of which the sample
 * with the fewest missing calls is kept, the first among equals.
 */
export function spareDuplicates(pairs: readonly { first: number; second: number }[], missing: Int32Array): number[] {
  const parent = Int32Array.from(missing, (_, i) => i);
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  };
  const isBetter = (one: number, other: number): boolean =>
    missing[one] < missing[other] || (missing[one] === missing[other] && one < other);
  // The root of a group is the sample that is kept.
  for (const { first, second } of pairs) {
    const [a, b] = [root(first), root(second)];
    if (isBetter(a, b)) parent[b] = a;
    else parent[a] = b;
  }
  return placesWhere(parent.length, (i) => root(i) !== i);
}

function placesWhere(length: number, isWanted: (place: number) => boolean): number[] {
  const places: number[] = [];
  for (let i = 0; i < length; i++) if (isWanted(i)) places.push(i);
  return places;
}

const namesAt = (names: readonly string[], places: readonly number[]): string[] => places.map((i) => names[i]);

async function markerNamesAt(panel: PanelBlocks, places: readonly number[]): Promise<string[]> {
  if (places.length === 0) return [];
  const chosen = subsetBlocks(panel, { samples: null, markers: places });
  return (await chosen.readMarkers(0, places.length)).id;
}

function nothingLeft(rule: LeavingOutRule, limit: number | null): AnalysisError {
  const what = SAMPLE_RULES.includes(rule) ? 'individual' : 'marker';
  const name = rule.replaceAll('_', ' ');
  return new AnalysisError(
    'analysis/nothing-left',
    `No ${what} is left after those that "${name}"${limit === null ? '' : ` (${limit})`} leaves out.`,
    'Leave out less: change the limit or the list.',
    { rule },
  );
}

/** A panel without what is left out, and what that was; both null where nothing is asked for. */
export interface Restricted<Panel> {
  panel: Panel;
  leftOut: LeftOutResult | null;
}

/** {@link findLeftOut} applied to a panel. */
export async function leaveOutOfPanel(
  panel: GenotypePanel,
  asked: LeavingOut,
  context: AnalysisContext,
): Promise<Restricted<GenotypePanel>> {
  if (!leavesOut(asked)) return { panel, leftOut: null };
  const leftOut = await findLeftOut(blocksOf(panel), asked, context);
  return { panel: subsetPanel(panel, leftOut.kept), leftOut };
}

/** As {@link leaveOutOfPanel}, for a panel that is read by blocks. */
export async function leaveOutOfBlocks(
  panel: PanelBlocks,
  asked: LeavingOut,
  context: AnalysisContext,
): Promise<Restricted<PanelBlocks>> {
  if (!leavesOut(asked)) return { panel, leftOut: null };
  const leftOut = await findLeftOut(panel, asked, context);
  return { panel: subsetBlocks(panel, leftOut.kept), leftOut };
}
