import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { dosagesOfPart, type FractionalDosages } from '@heterosis/statgen/genotypes/fractional-dosages';
import { createKinshipAccumulator, type KinshipAccumulator } from '@heterosis/statgen/kinship/accumulate-kinship';
import {
  COMPONENT_TOLERANCE,
  createLeadingComponents,
  leadingComponentsOf,
} from '@heterosis/statgen/kinship/leading-components';
import { type PrincipalComponents, principalComponents } from '@heterosis/statgen/kinship/principal-components';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import type { AnalysisContext } from '../context.ts';
import { clusterOrder } from './cluster-order.ts';
import { DEFAULT_FILTER, type MarkerFigures } from './panel-counts.ts';

/** Principal components of the standardized kinship of the markers that pass the default filter. */
export interface PanelComponents {
  shares: number[];
  eigenvalues: number[];
  /** Coordinates: eigenvector × √eigenvalue. */
  points: { name: string; pc: number[] }[];
  /** Markers used, and how many pass the filter. */
  markers: number;
  of_markers: number;
  /** True when some of these markers were not used, or the components did not converge to 1e-8. */
  is_approximate: boolean;
}

export interface PanelStructure {
  pca: PanelComponents | null;
  /** Standardized kinship, rows and columns ordered by clustering, row-major; null above 500 individuals. */
  kinship: { names: string[]; values: number[] } | null;
}

export interface StructureBuilder {
  /** Packed calls of `count` markers starting at `first`; all blocks of the panel in order. */
  add(packed: Uint8Array, first: number, count: number, dosages?: FractionalDosages): void;
  finish(): PanelStructure;
}

/** Maximum number of individuals in a scatter plot. */
const MAX_PCA_INDIVIDUALS = 10_000;
const MAX_HEATMAP = 500;
const PCA_AXES = 5;
/** Above this number of individuals the kinship is not formed: 2,000² doubles are 32 MB. */
const MAX_KINSHIP = 2_000;
/**
 * All markers are used while individuals × markers × min(individuals, 2,000) is at most this, about a second on one
 * core: 1,000 × 50,000, 2,000 × 12,500, 5,000 × 5,000. A picture must not slow down an import without limit.
 */
const MOST_WORK = 5e10;
/** Work and number of markers above that limit. */
const REDUCED_WORK = 5e9;
const REDUCED_MARKERS = 2_500;
/** Consecutive markers per run when not all are used: short runs, closely spaced on every chromosome. */
const RUN = 128;

/** The markers used for principal components and kinship of a panel: all that pass, or an evenly spread subset. */
export function structureMarkers(individuals: number, passing: number): number {
  const perMarker = individuals * Math.min(individuals, MAX_KINSHIP);
  if (perMarker * passing <= MOST_WORK) return passing;
  return Math.min(passing, Math.max(REDUCED_MARKERS, Math.floor(REDUCED_WORK / perMarker)));
}

/**
 * Principal components and kinship of a panel, block by block: from the kinship itself up to 2,000 individuals,
 * without forming it above that, and not at all above 10,000.
 *
 * @param markers `auto`: as {@link structureMarkers} decides; `all`: all that pass the default filter, at any cost
 */
export function createStructure(
  samples: readonly string[],
  figures: MarkerFigures,
  markers: 'auto' | 'all',
  { threads }: AnalysisContext,
): StructureBuilder {
  const n = samples.length;
  const nothing = { pca: null, kinship: null };
  if (n < 3 || n > MAX_PCA_INDIVIDUALS || figures.passingCount === 0) {
    return { add: () => {}, finish: () => nothing };
  }
  setComputeThreads(threads);
  const wanted = markers === 'all' ? figures.passingCount : structureMarkers(n, figures.passingCount);
  const isChosen = evenRuns(figures, wanted);
  const options = { panelSize: n, filter: DEFAULT_FILTER };
  const stride = packedLength(n);
  const forward =
    (to: Pick<KinshipAccumulator, 'add'>): StructureBuilder['add'] =>
    (packed, first, count, dosages) => {
      for (let from = 0; from < count; ) {
        let end = from;
        while (end < count && isChosen(first + end) === isChosen(first + from)) end++;
        if (isChosen(first + from))
          to.add(packed.subarray(from * stride, end * stride), end - from, dosagesOfPart(dosages, from, end - from));
        from = end;
      }
    };
  const describe = (components: PrincipalComponents, used: number, residual: number) =>
    describeComponents(samples, components, used, figures.passingCount, residual);
  if (n > MAX_KINSHIP) {
    const builder = createLeadingComponents({ ...options, count: PCA_AXES });
    return {
      add: forward(builder),
      finish: () =>
        orNothing(() => {
          const found = builder.finish();
          return { pca: describe(found, found.markers, found.residual), kinship: null };
        }),
    };
  }
  const accumulator = createKinshipAccumulator({ ...options, methods: ['standardized'], withMarkerColumns: false });
  return {
    add: forward(accumulator),
    finish: () =>
      orNothing(() => {
        const { kernels, scan } = accumulator.finish();
        if (kernels.standardized === undefined) return nothing;
        if (n > MAX_HEATMAP) {
          const found = leadingComponentsOf(kernels.standardized, PCA_AXES);
          return { pca: describe(found, scan.keptCount, found.residual), kinship: null };
        }
        const found = principalComponents(kernels.standardized, Math.min(PCA_AXES, n));
        return { pca: describe(found, scan.keptCount, 0), kinship: heatMap(samples, kernels.standardized.data) };
      }),
  };
}

function orNothing(finish: () => PanelStructure): PanelStructure {
  try {
    return finish();
  } catch (error) {
    // No marker passes the filter; the marker counts already say so.
    if (error instanceof StatgenError && error.code === 'no-markers-left') return { pca: null, kinship: null };
    throw error;
  }
}

/** The markers used: all, or whole runs of neighbours, evenly spread over the panel. */
function evenRuns({ passing, passingCount }: MarkerFigures, wanted: number): (marker: number) => boolean {
  if (wanted >= passingCount) return () => true;
  const runs = Math.ceil(passing.length / RUN);
  const share = wanted / passingCount;
  const chosen = new Uint8Array(runs);
  for (let run = 0; run < runs; run++) {
    chosen[run] = Math.floor((run + 1) * share) > Math.floor(run * share) ? 1 : 0;
  }
  return (marker) => chosen[Math.floor(marker / RUN)] === 1;
}

function describeComponents(
  samples: readonly string[],
  { axes, eigenvalues, shares }: PrincipalComponents,
  markers: number,
  ofMarkers: number,
  residual: number,
): PanelComponents {
  const n = samples.length;
  const scales = eigenvalues.map((value) => Math.sqrt(Math.max(0, value)));
  return {
    shares: Array.from(shares),
    eigenvalues: Array.from(eigenvalues),
    points: samples.map((name, i) => ({
      name,
      pc: Array.from(scales, (scale, axis) => axes.data[axis * n + i] * scale),
    })),
    markers,
    of_markers: ofMarkers,
    is_approximate: markers < ofMarkers || residual > COMPONENT_TOLERANCE,
  };
}

function heatMap(samples: readonly string[], kernel: Float64Array): PanelStructure['kinship'] {
  const n = samples.length;
  const order = clusterOrder(kernel, n);
  // Four digits are more than a colour shows; adding 0 turns −0 into 0, which JSON preserves.
  const values = order.flatMap((i) => order.map((j) => Number(kernel[i * n + j].toFixed(4)) + 0));
  return { names: order.map((i) => samples[i]), values };
}
