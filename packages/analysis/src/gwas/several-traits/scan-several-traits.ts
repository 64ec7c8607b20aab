import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { CovariateUse } from '@heterosis/statgen/association/add-covariates';
import type { DividedKinship } from '@heterosis/statgen/association/leave-group-out';
import { fixedEffectsOf } from '@heterosis/statgen/association/prepare-gwas';
import { createSeveralTraitsTester } from '@heterosis/statgen/association/several-traits/test-several-traits';
import type { MarkerFilter } from '@heterosis/statgen/genotypes/call-counts';
import { type Matrix, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { MINIMUM_INDIVIDUALS } from '@heterosis/statgen/mixed-model/fit-reml';
import { fitTraits } from '@heterosis/statgen/multi-trait/fit-traits';
import { MOST_TRAITS, recordsAmong } from '@heterosis/statgen/multi-trait/multi-trait-blup';
import { type AnalysisContext, AnalysisError, reportProgress } from '../../context.ts';
import { type AlignedTrait, alignPhenotype, type NameMatching } from '../../inputs/align-phenotype.ts';
import {
  type AnalysedCovariate,
  alignCovariates,
  type CovariateChoice,
  type CovariateSummary,
  covariateColumns,
  requireCovariates,
  requireFewGroups,
  summarizeCovariates,
} from '../../inputs/covariates.ts';
import { markerRanges, packedRanges } from '../../inputs/open-panel.ts';
import { type KinshipPrecision, panelKinship, panelSelection } from '../../inputs/panel-kinship.ts';
import { alignKinship, kinshipAmong } from '../../inputs/read-kinship.ts';
import { alignErrors, type ErrorInput } from '../../inputs/value-errors.ts';
import { multiTraitFigures, relativeErrors, requireRoomTogether, threadsFor } from '../../prediction/multi-trait.ts';
import type { MultiTraitFigures } from '../../prediction/trained-model.ts';
import { withConditionMarkers } from '../condition-on-markers.ts';
import { dividedOf } from '../gwas-by-chromosome.ts';
import { type SeveralTraitsBlock, severalTraitsByChromosome } from './several-traits-by-chromosome.ts';

export interface SeveralTraitsInput extends NameMatching, MarkerFilter, ErrorInput {
  panel: PanelBlocks;
  phenotype: PhenotypeTable;
  /** Two to six, each once. */
  traits: readonly string[];
  covariates: readonly (string | CovariateChoice)[];
  /** Principal components of the kinship as fixed effects. */
  fixed: number;
  /** Markers, by id, as fixed effects. */
  conditionOn?: readonly string[];
  /** Tests each marker with the kinship of the other chromosomes, see `severalTraitsByChromosome`. */
  leaveOneChromosomeOut?: boolean;
  kinshipPrecision?: KinshipPrecision;
  /** In place of the standardized kinship of the markers; individuals not in it are dropped. */
  kinship?: KinshipTable;
  memoryMb?: number;
}

/** The model of the traits without marker, and its tests. */
export interface SeveralTraitsScan {
  traits: string[];
  /** Panel positions of the individuals analysed: with genotype, a record of any trait, and all covariates. */
  individuals: Int32Array;
  /** Records of each trait. */
  records: number[];
  markersRead: number;
  /** Markers that pass the filters among the individuals. */
  m: number;
  covariates: CovariateSummary[];
  conditionedOn: CovariateSummary[];
  /** Of these: as asked for, and what became of each column. */
  fixedColumns: { analysed: AnalysedCovariate[]; uses: CovariateUse[] };
  withoutCovariate: number;
  withoutKinship: number;
  addedToDiagonal: number;
  figures: MultiTraitFigures;
  /** Tests all markers of the panel, block by block; may be called once. */
  blocks(): AsyncGenerator<SeveralTraitsBlock>;
}

/** Steps of a search that progress is measured by. */
const USUAL_STEPS = 30;

/**
 * Fits several traits without marker, and tests each marker on all of them at these covariances (P3D), see
 * `createSeveralTraitsTester`. Individuals may lack records of some traits; fixed effects differ by trait. Filters,
 * allele frequencies and kinship are those among the individuals analysed. O(n³) for the decomposition, O(n²) a
 * marker.
 *
 * @throws AnalysisError `gwas/multi-trait`, `analysis/does-not-fit`, `analysis/too-few-individuals`, and as
 * `prepareGwas` when names, traits or covariates do not match
 */
export async function scanSeveralTraits(
  input: SeveralTraitsInput,
  context: AnalysisContext,
): Promise<SeveralTraitsScan> {
  const { panel, maf, callRate, fixed } = input;
  setComputeThreads(context.threads);
  reportProgress(context, 'match', 0, 1);
  const { aligned, individuals, covariates, ownKinship, errors, ...left } = alignSeveral(input);
  const names = aligned.map(({ column }) => column.name);
  const values = aligned.map((trait) => Float64Array.from(individuals, (i) => trait.values[i]));
  const records = values.map((own) => own.reduce((count, value) => count + Number(!Number.isNaN(value)), 0));
  const n = individuals.length;
  for (const [t, count] of records.entries()) requireRecords(count, names[t]);
  const columns = await withConditionMarkers(
    covariateColumns(covariates, individuals),
    input.conditionOn ?? [],
    panel,
    individuals,
  );
  requireFewGroups(columns.analysed, Math.min(...records), 1 + fixed);
  const missing = records.reduce((sum, count) => sum + n - count, 0);
  const perTrait = missing + names.length * (1 + fixed + columns.matrix.columns);
  requireRoomTogether(
    { all: n, lines: n, missing, traits: names.length },
    {
      memoryMb: input.memoryMb,
      more: n * names.length * perTrait + (input.leaveOneChromosomeOut === true ? 3 * n * n : 0),
    },
  );
  const { kinship, addedToDiagonal, m, divided } = await kinshipOf(input, individuals, ownKinship, context);
  const { axes, uses } = fixedEffectsOf({ kinship, principalComponents: fixed, covariates: columns.matrix });
  reportProgress(context, 'fit', 0, USUAL_STEPS);
  const modelOf = (among: Matrix, onStep: (iteration: number) => void) => {
    setComputeThreads(threadsFor(n, context));
    const { records: prepared } = recordsAmong({
      kinship: among,
      values,
      fixed: { terms: termsOf([axes, columns.matrix]), components: null },
      ...(errors === null ? {} : { errorWeights: Float64Array.from(individuals, (i) => errors[i]) }),
    });
    const fit = fitTraits(prepared, { onStep });
    setComputeThreads(context.threads);
    return { records: prepared, point: fit.point, fit };
  };
  const ofAll = modelOf(kinship, (iteration) =>
    reportProgress(context, 'fit', Math.min(iteration, USUAL_STEPS), USUAL_STEPS),
  );
  const summarized = summarizeCovariates(columns.analysed, uses);
  return {
    ...{ traits: names, individuals, records, markersRead: panel.markerCount, m, addedToDiagonal, ...left },
    fixedColumns: { analysed: columns.analysed, uses },
    covariates: summarized.filter((_, k) => columns.analysed[k].isMarker !== true),
    conditionedOn: summarized.filter((_, k) => columns.analysed[k].isMarker === true),
    figures: multiTraitFigures(names, ofAll.fit, errors),
    async *blocks() {
      setComputeThreads(context.threads);
      const selection = { ...panelSelection(panel.samples.length, individuals), filter: { maf, callRate } };
      if (divided !== null) {
        const model = (among: Matrix) => modelOf(among, () => context.signal?.throwIfAborted());
        yield* severalTraitsByChromosome({ panel, selection, ...divided, ofAll, modelOf: model }, context);
        return;
      }
      const tester = createSeveralTraitsTester(ofAll.records, ofAll.point, selection);
      const ranges = markerRanges(panel.markerCount);
      reportProgress(context, 'test', 0, ranges.length);
      let block = 0;
      for await (const { first, count, packed, dosages } of packedRanges(panel, ranges)) {
        yield { first, columns: tester.test(packed, count, dosages) };
        reportProgress(context, 'test', ++block, ranges.length);
      }
    },
  };
}

/** Traits, covariates, kinship and errors by the individuals of the panel, and who is analysed. */
function alignSeveral(input: SeveralTraitsInput) {
  const { panel, phenotype } = input;
  const refuse = (message: string, action: string): never => {
    throw new AnalysisError('gwas/multi-trait', message, action);
  };
  const count = input.traits.length;
  if (count < 2 || count > MOST_TRAITS) {
    refuse(
      `Two to ${MOST_TRAITS} traits are tested together, and ${count} ${count === 1 ? 'was' : 'were'} asked for.`,
      'Name the traits on which each marker shall be tested, separated by commas.',
    );
  }
  const choices = requireCovariates(phenotype, input.covariates, input.traits);
  const aligned = alignPhenotype(panel.samples, phenotype, input.traits, input);
  const covariates = alignCovariates(panel.samples, phenotype, choices, input);
  const ownKinship = input.kinship === undefined ? null : alignKinship(panel.samples, input.kinship, input);
  const names = aligned.map(({ column }) => column.name);
  const errors = alignErrors(panel.samples, { ...input, traits: names }, input);
  if (errors.some((own) => own?.residualLines === true)) {
    refuse(
      'Several traits together estimate their residual covariances, and know errors only relative to each other.',
      'Leave out the residual lines.',
    );
  }
  const withRecord = Int32Array.from(panel.samples.keys()).filter((i) => hasRecord(aligned, i));
  const withCovariates = withRecord.filter((i) => covariates.every((covariate) => !Number.isNaN(covariate.values[i])));
  const individuals = ownKinship === null ? withCovariates : withCovariates.filter((i) => ownKinship.rows[i] >= 0);
  const weighed = aligned.map(({ values }, t) => ({ values, errors: errors[t] }));
  return {
    ...{ aligned, individuals, covariates, ownKinship, errors: relativeErrors(weighed) },
    withoutCovariate: withRecord.length - withCovariates.length,
    withoutKinship: withCovariates.length - individuals.length,
  };
}

const hasRecord = (traits: readonly AlignedTrait[], i: number): boolean =>
  traits.some(({ values }) => !Number.isNaN(values[i]));

function requireRecords(n: number, trait: string): void {
  if (n >= MINIMUM_INDIVIDUALS) return;
  throw new AnalysisError(
    'analysis/too-few-individuals',
    `${n} individuals have genotype, "${trait}" and covariates; at least ${MINIMUM_INDIVIDUALS} are needed for each trait.`,
    'Leave out the trait, add individuals, or check that the names agree.',
    { n, trait },
  );
}

/** Columns of matrices as fixed effects. */
const termsOf = (matrices: readonly Matrix[]): { values: Float64Array; isFactor: boolean }[] =>
  matrices.flatMap(({ rows, columns, data }) =>
    Array.from({ length: columns }, (_, k) => ({ values: data.slice(k * rows, (k + 1) * rows), isFactor: false })),
  );

/** The kinship of the individuals analysed, and the number of markers that pass the filters among them. */
async function kinshipOf(
  { panel, maf, callRate, kinshipPrecision = 'double', leaveOneChromosomeOut = false }: SeveralTraitsInput,
  individuals: Int32Array,
  own: ReturnType<typeof alignKinship> | null,
  context: AnalysisContext,
): Promise<{
  kinship: Matrix;
  addedToDiagonal: number;
  m: number;
  /** What chromosomes are taken from; null where none is left out. */
  divided: { whole: DividedKinship; kept: Uint8Array } | null;
}> {
  const found = await panelKinship(
    {
      ...{ panel, maf, callRate, individuals, withMarkerColumns: leaveOneChromosomeOut },
      methods: own === null ? ['standardized'] : [],
      precision: own === null ? kinshipPrecision : 'double',
    },
    context,
  );
  const { scan } = found;
  if (own !== null) return { ...kinshipAmong(own, individuals), m: scan.keptCount, divided: null };
  const whole = dividedOf(found);
  const divided = leaveOneChromosomeOut ? { whole, kept: scan.kept } : null;
  return { kinship: whole.kinship, addedToDiagonal: 0, m: scan.keptCount, divided };
}
