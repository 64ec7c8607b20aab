import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import { type Matrix, selectRowsAndColumns } from '@heterosis/statgen/linear-algebra';
import { inbreedingOf } from '@heterosis/statgen/pedigree/inbreeding';
import { createPedigree, type Pedigree } from '@heterosis/statgen/pedigree/pedigree';
import { relationshipsAmong } from '@heterosis/statgen/pedigree/relationships';
import { type GenomicScale, singleStepInPlace, tuneGenomic } from '@heterosis/statgen/pedigree/single-step';
import { type AnalysisContext, AnalysisError } from '../context.ts';
import type { NameMatching } from '../inputs/align-phenotype.ts';
import { matchIndividuals } from '../inputs/match-names.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { rowsOfNames } from '../pedigree/pedigree-figures.ts';
import {
  type PolyploidDescent,
  type PolyploidModel,
  ploidyOf,
  polyploidModelOf,
  polyploidRelationships,
} from '../pedigree/polyploid-model.ts';
import type { TraitVariances } from './fit-trait.ts';
import type { KinshipSource, MarkerVariances } from './kinship-source.ts';
import type { ModelSettings, SingleStepFigures } from './trained-model.ts';

/**
 * Individuals beyond those genotyped or phenotyped join the model up to this many: 5,000² relationships are 200 MB.
 */
const MOST_INDIVIDUALS = 5000;

/**
 * Relationships by pedigree and markers together, H in place of G (Legarra, Aguilar & Misztal 2009; Christensen & Lund
 * 2010), so that individuals with a phenotype and no genotype train the model, and candidates without genotype get a
 * GEBV. The model holds all genotyped individuals, all of the pedigree that are phenotyped, and of the others the
 * youngest generations up to 5,000 in all. A genotyped individual that the pedigree lacks is a founder. In polyploids G
 * stays as the markers give it, see {@link polyploidBlending}.
 *
 * @throws AnalysisError `models/kinship-with-dominance`, `models/pedigree-with-components`,
 * `models/nothing-in-pedigree`, `pedigree/no-double-reduction`
 */
export function singleStepSource(
  panel: GenotypePanel,
  table: PedigreeTable,
  phenotype: PhenotypeTable,
  settings: ModelSettings,
  { doubleReduction, founders, ...matching }: NameMatching & PolyploidDescent,
): KinshipSource {
  requireAdditive(settings);
  const blending = polyploidBlending(
    polyploidModelOf(ploidyOf(panel), { ...(doubleReduction && { doubleReduction }), ...(founders && { founders }) }),
  );
  const members = membersOf(panel, table, phenotype.individuals, matching);
  let figures: SingleStepFigures | undefined;
  let toMarkers: ((weights: Float64Array) => Float64Array) | undefined;
  const kernels = async (_: unknown, context: AnalysisContext): Promise<KinshipResult> => {
    const blended = await blend(panel, members, { ...settings, ...blending }, context);
    ({ figures } = blended);
    toMarkers = (weights) => genotypedWeights(weights, panel.samples.length, blended.regression);
    return { ...blended.genomic, kernels: { [settings.kinship]: blended.matrix } };
  };
  return {
    individuals: members.individuals,
    from: 'pedigree',
    kernels,
    onMarkers: (variances) => {
      if (figures === undefined || toMarkers === undefined) throw new TypeError('the kernels were not computed');
      return markerPart(variances, toMarkers(variances.weights), figures);
    },
    singleStep: () => {
      if (figures === undefined) throw new TypeError('the kernels were not computed');
      return figures;
    },
  };
}

type Markers = Pick<ModelSettings, 'kinship' | 'maf' | 'callRate'>;

/** How relationships by pedigree are computed and G is brought to them; diploids, and the scale of the pedigree. */
export interface Blending {
  relate?: (pedigree: Pedigree, places: Int32Array) => Matrix;
  scale?: GenomicScale;
}

/** Of polyploids: relationships with double reduction, and G as the markers give it. */
export const polyploidBlending = (model: PolyploidModel | null): Blending =>
  model === null
    ? {}
    : {
        scale: 'markers',
        relate: (pedigree, places) => polyploidRelationships(pedigree, places, model).matrix,
      };

const diploidRelationships = (pedigree: Pedigree, places: Int32Array): Matrix =>
  relationshipsAmong(pedigree, inbreedingOf(pedigree), places);

/** Relationships H of individuals of a panel and a pedigree. */
export interface BlendedRelationships {
  individuals: string[];
  /** H, both triangles. */
  matrix: Matrix;
  figures: SingleStepFigures;
}

/**
 * The relationships H that a single-step model with VanRaden's G uses, see {@link singleStepSource}.
 *
 * @param chosen names in the panel or the pedigree; default all genotyped individuals in panel order, then those that
 * only the pedigree has, the youngest first
 * @throws AnalysisError `models/nothing-in-pedigree`, `pedigree/not-in-pedigree`
 */
export async function blendedRelationships(
  panel: GenotypePanel,
  table: PedigreeTable,
  { chosen, relate, scale, ...markers }: Omit<Markers, 'kinship'> & Blending & { chosen?: readonly string[] },
  context: AnalysisContext,
): Promise<BlendedRelationships> {
  const members = membersOf(panel, table, chosen ?? [], {});
  const rows = chosen && rowsOfNames(chosen, members.individuals, 'Genotype and pedigree have');
  const blending = { ...(relate && { relate }), ...(scale && { scale }) };
  const { matrix, figures } = await blend(panel, members, { kinship: 'vanraden1', ...markers, ...blending }, context);
  return rows === undefined || chosen === undefined
    ? { individuals: members.individuals, matrix, figures }
    : { individuals: [...chosen], matrix: selectRowsAndColumns(matrix, rows, rows), figures };
}

async function blend(
  panel: GenotypePanel,
  { pedigree, places, withoutPedigree, leftOut }: Members,
  { kinship, maf, callRate, relate = diploidRelationships, scale = 'pedigree' }: Markers & Blending,
  context: AnalysisContext,
): Promise<{ matrix: Matrix; figures: SingleStepFigures; regression: Matrix; genomic: KinshipResult }> {
  const genomic = await panelKinship({ panel: blocksOf(panel), methods: [kinship], maf, callRate }, context);
  const kernel = genomic.kernels[kinship];
  if (kernel === undefined) throw new TypeError(`the kinship ${kinship} was not computed`);
  const genotyped = Int32Array.from(panel.samples.keys());
  const h = relate(pedigree, places);
  const tuned = tuneGenomic(kernel, selectRowsAndColumns(h, genotyped, genotyped), undefined, scale);
  const { regression } = singleStepInPlace(h, genotyped, tuned.genomic);
  const { shift, factor, pedigreeWeight } = tuned.tuning;
  const figures = {
    ...{ genotyped: genotyped.length, without_pedigree: withoutPedigree, left_out: leftOut },
    ...{ shift, factor, pedigree_weight: pedigreeWeight },
  };
  return { matrix: h, figures, regression, genomic };
}

function requireAdditive({ dominance, principalComponents }: ModelSettings): void {
  if (dominance) {
    throw new AnalysisError(
      'models/kinship-with-dominance',
      'A pedigree gives additive relationships, and dominance needs relationships of its own.',
      'Train without dominance, or on the markers.',
    );
  }
  if (principalComponents > 0) {
    throw new AnalysisError(
      'models/pedigree-with-components',
      'Principal components come from the markers, and individuals without genotype have none.',
      'Train without principal components, or without the pedigree.',
    );
  }
}

interface Members {
  pedigree: Pedigree;
  individuals: string[];
  /** Places in the pedigree, by individual. */
  places: Int32Array;
  withoutPedigree: number;
  leftOut: number;
}

function membersOf(
  panel: GenotypePanel,
  table: PedigreeTable,
  wanted: readonly string[],
  { renames: _, ...synonyms }: NameMatching,
): Members {
  const size = table.names.length;
  const rowOf = new Map(table.names.map((name, row) => [name, row]));
  const { both } = matchIndividuals(panel.samples, table.names, { ...synonyms, suggestionsPerName: 0 });
  if (both.length === 0) {
    throw new AnalysisError(
      'models/nothing-in-pedigree',
      'The genotype and the pedigree have no individual in common.',
      'Choose the pedigree of this material, or write the names in both files in the same way.',
      { genotyped: panel.samples.length, in_pedigree: size },
    );
  }
  const pedigreeName = new Map(both.map(({ left, right }) => [left, right]));
  let added = 0;
  const genotypedRows = panel.samples.map((name) => rowOf.get(pedigreeName.get(name) ?? '') ?? size + added++);
  const pedigree = createPedigree(withFounders(table, added));
  const isTaken = new Uint8Array(size + added);
  for (const row of genotypedRows) isTaken[row] = 1;
  const free = table.names.filter((_name, row) => isTaken[row] === 0);
  const found = wanted.length === 0 ? [] : matchIndividuals(free, wanted, { ...synonyms, suggestionsPerName: 0 }).both;
  const otherRows = found.flatMap(({ left }) => rowOf.get(left) ?? []);
  for (const row of otherRows) isTaken[row] = 1;
  const rest = Array.from(pedigree.original.toReversed()).filter((row) => isTaken[row] === 0 && row < size);
  const room = Math.max(0, MOST_INDIVIDUALS - genotypedRows.length - otherRows.length);
  const rows = [...genotypedRows, ...otherRows, ...rest.slice(0, room)];
  return {
    pedigree,
    individuals: [...panel.samples, ...rows.slice(panel.samples.length).map((row) => table.names[row])],
    places: Int32Array.from(rows, (row) => pedigree.place[row]),
    withoutPedigree: added,
    leftOut: Math.max(0, rest.length - room),
  };
}

/** With individuals at the end that are related to nobody. */
function withFounders({ maternal, paternal, selfings, names }: PedigreeTable, count: number) {
  const longer = (values: Int32Array): Int32Array => {
    const result = new Int32Array(names.length + count).fill(-1);
    result.set(values);
    return result;
  };
  const generations = new Float64Array(names.length + count);
  generations.set(selfings);
  return { maternal: longer(maternal), paternal: longer(paternal), selfings: generations };
}

/**
 * With v = w₂ + Pᵀw₁, the breeding values of the genotyped are σ²·G*·v: weights w of all individuals, moved to those
 * that carry markers.
 */
function genotypedWeights(weights: Float64Array, genotyped: number, regression: Matrix): Float64Array {
  const others = weights.length - genotyped;
  return Float64Array.from({ length: genotyped }, (_, g) => {
    let sum = weights[g];
    for (let i = 0; i < others; i++) sum += regression.data[i + g * others] * weights[genotyped + i];
    return sum;
  });
}

/** The markers' part of G*·v: (1 − w)(shift·Σv + factor·G·v). The share w of the pedigree has no markers. */
function markerPart(variances: TraitVariances, weights: Float64Array, figures: SingleStepFigures): MarkerVariances {
  const share = variances.additive * (1 - figures.pedigree_weight);
  const total = weights.reduce((sum, value) => sum + value, 0);
  return {
    mean: variances.mean + share * figures.shift * total,
    weights,
    additive: share * figures.factor,
    dominance: null,
    structure: null,
  };
}
