import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { prepareGwas } from '@heterosis/statgen/association/prepare-gwas';
import { decorrelate, varianceComponents } from '@heterosis/statgen/fine-mapping/decorrelate';
import { type CredibleSet, fitSingleEffects } from '@heterosis/statgen/fine-mapping/single-effects';
import { createMatrix, type Matrix, selectRowsAndColumns } from '@heterosis/statgen/linear-algebra';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { withConditionMarkers } from '../gwas/condition-on-markers.ts';
import { type ErrorsOfTrait, errorsOfTrait } from '../gwas/residual-lines.ts';
import { alignPhenotype, type NameMatching } from '../inputs/align-phenotype.ts';
import {
  alignCovariates,
  type CovariateChoice,
  covariateColumns,
  observedPositions,
  requireCovariates,
} from '../inputs/covariates.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { panelMarkers } from '../inputs/panel-markers.ts';
import { alignErrors, type ErrorInput } from '../inputs/value-errors.ts';

/** A stretch of a chromosome, both ends counted. */
export interface Region {
  chromosome: string;
  fromBp: number;
  toBp: number;
}

export interface FineMapInput extends NameMatching, Omit<ErrorInput, 'traits'> {
  panel: GenotypePanel;
  trait: string;
  region: Region;
  maf: number;
  callRate: number;
  /** Largest number of effects. */
  effects: number;
  coverage: number;
  /** Least correlation between the markers of a set. */
  purity: number;
  /** Columns of the phenotype file as fixed effects; individuals without one of them are dropped. */
  covariates?: readonly (string | CovariateChoice)[];
  /** Principal components of the relationships as fixed effects; default 0. */
  fixed?: number;
  /** Markers, by id, as fixed effects: what is found is found beside them. */
  conditionOn?: readonly string[];
}

export interface FineMap {
  trait: string;
  n: number;
  markers: { id: string[]; positionBp: Float64Array; inclusion: Float64Array; effect: Float64Array };
  /** Places in `markers`. */
  sets: CredibleSet[];
  /** Of the relationships and the error of an average value, without effects in the region. */
  variances: { additive: number; residual: number };
  /** What is known of errors; null where one variance is estimated for all. */
  errors: ErrorsOfTrait['figures'] | null;
  /** Whether the relationships are those of the markers of other chromosomes. */
  isOfOthers: boolean;
  isConverged: boolean;
}

/** Products of all pairs of markers take 8 bytes each. */
const MOST_MARKERS = 5000;

/**
 * Which markers of a region have effects: SuSiE (Wang et al. 2020) beside the relationships of the markers of the other
 * chromosomes, or of all where there is one only. Their variances are estimated by REML without effects in the region,
 * and known errors count up to their size, as in a GWAS. Missing calls have the mean of their marker.
 *
 * @throws AnalysisError `fine-mapping/region`, `gwas/unknown-condition`, `analysis/does-not-fit`, and when names or
 * trait do not fit; StatgenError of the fit
 */
export async function fineMap(input: FineMapInput, context: AnalysisContext): Promise<FineMap> {
  const { panel, phenotype, region } = input;
  reportProgress(context, 'match', 0, 1);
  const [found] = alignPhenotype(panel.samples, phenotype, [input.trait], input);
  const choices = requireCovariates(phenotype, input.covariates ?? [], [input.trait]);
  const covariates = alignCovariates(panel.samples, phenotype, choices, input);
  const { positions: observed } = observedPositions(found, covariates);
  const { chromosome, positionBp } = panel.markers;
  const places = Int32Array.from(chromosome.keys()).filter(
    (j) => chromosome[j] === region.chromosome && positionBp[j] >= region.fromBp && positionBp[j] <= region.toBp,
  );
  requireMarkers(places.length, region);
  const others = Int32Array.from(chromosome.keys()).filter((j) => chromosome[j] !== region.chromosome);
  const background = others.length === 0 ? panel : subsetPanel(panel, { samples: null, markers: others });
  const { kernels } = await panelKinship({ ...input, panel: blocksOf(background), methods: ['vanraden1'] }, context);
  if (kernels.vanraden1 === undefined) throw new TypeError('the kinship vanraden1 was not computed');
  reportProgress(context, 'fit', 0, 2);
  const among = selectRowsAndColumns(kernels.vanraden1, observed, observed);
  const { matrix } = await withConditionMarkers(
    covariateColumns(covariates, observed),
    input.conditionOn ?? [],
    blocksOf(panel),
    observed,
  );
  const { fixed = 0 } = input;
  const y = Float64Array.from(observed, (i) => found.values[i]);
  const nullModel = { kinship: among, principalComponents: fixed, covariates: matrix };
  const [known] = alignErrors(panel.samples, { ...input, traits: [found.column.name] }, input);
  const errors = known === null ? null : await errorsOfTrait(known, observed, () => ({ ...nullModel, y }));
  const model = prepareGwas({ ...nullModel, overwritesKinship: true, traits: [y], errors: errors?.covariance });
  const variances = varianceComponents(model);
  const inRegion = subsetPanel(panel, { samples: null, markers: places });
  const packed = await panelMarkers({ ...input, panel: blocksOf(inRegion) }, context);
  const kept = Array.from(places).filter((_, k) => packed.scan.kept[k] === 1);
  const columns = valuesAndMarkers(found.values, observed, packed);
  reportProgress(context, 'fit', 1, 2);
  const { rows, data } = decorrelate(model, variances, columns);
  const x: Matrix = { rows, columns: packed.m, data: data.subarray(rows) };
  const { inclusion, effect, sets, isConverged } = fitSingleEffects(x, data.subarray(0, rows), input);
  reportProgress(context, 'fit', 2, 2);
  return {
    ...{ trait: found.column.name, n: observed.length, sets, variances, errors: errors?.figures ?? null, isConverged },
    isOfOthers: others.length > 0,
    markers: {
      id: kept.map((j) => panel.markers.id[j]),
      positionBp: Float64Array.from(kept, (j) => positionBp[j]),
      ...{ inclusion, effect },
    },
  };
}

/** Values in the first column, counts of markers behind it. */
function valuesAndMarkers(
  values: Float64Array,
  observed: Int32Array,
  markers: Awaited<ReturnType<typeof panelMarkers>>,
): Matrix {
  const [n, { m }] = [observed.length, markers];
  const columns = createMatrix(n, 1 + m);
  for (const [k, i] of observed.entries()) columns.data[k] = values[i];
  const coding = { centre: markers.meanDosage, scale: new Float64Array(m).fill(1) };
  markers.decode(observed, { first: 0, count: n }, { first: 0, count: m }, coding, columns.data.subarray(n));
  return columns;
}

function requireMarkers(count: number, { chromosome, fromBp, toBp }: Region): void {
  if (count === 0) {
    throw new AnalysisError(
      'fine-mapping/region',
      `The genotype has no marker on chromosome ${chromosome} from ${fromBp} to ${toBp} bp.`,
      'Write the chromosome as in the genotype, and positions in base pairs: 3:1200000-1800000.',
    );
  }
  if (count <= MOST_MARKERS) return;
  throw new AnalysisError(
    'analysis/does-not-fit',
    `The region has ${count} markers, and ${MOST_MARKERS} can be told apart at a time.`,
    'Choose a smaller region, or prune markers.',
    { markers: count },
  );
}

/**
 * Markers of a region as CSV: marker, chr, pos, pip (probability of an effect), effect (posterior mean, a copy of A2),
 * set (number of its credible set, the first where it stands in two; empty outside).
 */
export function fineMapCsv({ markers, sets }: FineMap, chromosome: string): Iterable<string> {
  const setOf = (j: number): number | null => {
    const place = sets.findIndex((set) => set.markers.includes(j));
    return place < 0 ? null : place + 1;
  };
  return csvChunks(
    ['marker', 'chr', 'pos', 'pip', 'effect', 'set'],
    markers.id.map((id, j) => [
      id,
      chromosome,
      markers.positionBp[j],
      markers.inclusion[j],
      markers.effect[j],
      setOf(j),
    ]),
  );
}
