import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import {
  type BandwidthChoice,
  chooseBandwidth,
  gaussianKernel,
  markerDistances,
} from '@heterosis/statgen/kernels/gaussian-kernel';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import { interceptOnly } from '@heterosis/statgen/mixed-model/error-contrasts';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { alignPhenotype } from './align-phenotype.ts';
import { type PanelKinshipInput, panelKinship } from './panel-kinship.ts';

export interface GaussianKinshipInput extends Omit<PanelKinshipInput, 'methods' | 'individuals' | 'frequenciesOf'> {
  /** A number, or the trait by whose likelihood it is chosen. */
  bandwidth: number | { phenotype: PhenotypeTable; trait: string };
}

export interface GaussianKinship {
  kernel: Matrix;
  bandwidth: number;
  /** By REML; null where the bandwidth was given. */
  choice: (BandwidthChoice & { trait: string; n: number }) | null;
  markersKept: number;
  markersRead: number;
}

/**
 * The Gaussian kernel exp(−h·D²/median) of all individuals of a panel, D² the squared distances of their marker codes
 * and the median that of all pairs; missing calls count as the mean of their marker. With a trait, h is that of the
 * largest REML likelihood among the individuals that have it.
 *
 * @throws AnalysisError `analysis/bandwidth`, and when names or trait do not fit; StatgenError of `chooseBandwidth`
 */
export async function gaussianKinship(input: GaussianKinshipInput, context: AnalysisContext): Promise<GaussianKinship> {
  const { bandwidth: asked, panel } = input;
  if (typeof asked === 'number' && !(asked > 0 && Number.isFinite(asked))) {
    throw new AnalysisError(
      'analysis/bandwidth',
      `A bandwidth is a number above 0, not ${asked}.`,
      'Take 1, or let REML choose it (reml, with a phenotype file and a trait).',
    );
  }
  const [found] = typeof asked === 'number' ? [] : alignPhenotype(panel.samples, asked.phenotype, [asked.trait]);
  const { kernels, scan } = await panelKinship({ ...input, methods: ['vanraden1'] }, context);
  if (kernels.vanraden1 === undefined) throw new TypeError('the kinship vanraden1 was not computed');
  const distances = markerDistances(kernels.vanraden1);
  const markers = { markersKept: scan.keptCount, markersRead: scan.readCount };
  if (found === undefined || typeof asked === 'number') {
    const bandwidth = Number(asked);
    return { kernel: gaussianKernel(distances, bandwidth), bandwidth, choice: null, ...markers };
  }
  reportProgress(context, 'fit', 0, 1);
  const { column, values } = found;
  const individuals = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const y = Float64Array.from(individuals, (i) => values[i]);
  const choice = chooseBandwidth(distances, individuals, interceptOnly(y.length), y);
  reportProgress(context, 'fit', 1, 1);
  const { bandwidth } = choice;
  const kernel = gaussianKernel(distances, bandwidth);
  return { kernel, bandwidth, choice: { ...choice, trait: column.name, n: y.length }, ...markers };
}
