import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import { inbreedingOf } from '@heterosis/statgen/pedigree/inbreeding';
import { createPedigree } from '@heterosis/statgen/pedigree/pedigree';
import { relationshipsAmong } from '@heterosis/statgen/pedigree/relationships';
import { type AnalysisContext, AnalysisError } from '../context.ts';
import { matchIndividuals } from '../inputs/match-names.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import {
  type PolyploidDescent,
  type PolyploidModel,
  ploidyOf,
  polyploidModelOf,
  polyploidRelationships,
} from '../pedigree/polyploid-model.ts';
import { blendedRelationships, polyploidBlending } from '../prediction/single-step.ts';

/** Where the relationships of the lines of a series come from; without any they are unrelated. */
export interface SeriesSources extends PolyploidDescent {
  panel?: GenotypePanel | undefined;
  pedigree?: PedigreeTable | undefined;
  kinship?: KinshipTable | undefined;
  /** Copies of each chromosome of the plants of a pedigree; default those of the panel, and 2 without one. */
  ploidy?: number | undefined;
  /** Kinship of the markers. */
  method: 'vanraden1' | 'standardized';
  maf: number;
  callRate: number;
  dominance: boolean;
}

export type RelationshipKind = 'identity' | 'genomic' | 'pedigree' | 'single-step' | 'file';

/** The lines that a series predicts, and how alike they are. */
export interface SeriesRelationships {
  kind: RelationshipKind;
  /** Names of the lines of the kernels. */
  individuals: string[];
  /** n × n; null: unrelated. */
  additive: Matrix | null;
  dominance: Matrix | null;
}

/**
 * The relationships of the lines of a series: of all genotyped lines, of the pedigree's lines with means, of both by
 * single step, of a file, or none.
 *
 * @throws AnalysisError `series/two-relationships`, `series/dominance-without-markers`, `models/nothing-in-pedigree`,
 * `pedigree/no-double-reduction`
 */
export async function seriesRelationships(
  lines: readonly string[],
  sources: SeriesSources,
  context: AnalysisContext,
): Promise<SeriesRelationships> {
  const { panel, pedigree, kinship } = sources;
  requireOne(sources);
  const ploidy = panel === undefined ? (sources.ploidy ?? 2) : ploidyOf(panel);
  const model = pedigree === undefined ? null : polyploidModelOf(ploidy, sources);
  if (kinship !== undefined) {
    const n = kinship.individuals.length;
    const additive = { rows: n, columns: n, data: kinship.values };
    return { kind: 'file', individuals: kinship.individuals, additive, dominance: null };
  }
  if (panel !== undefined && pedigree !== undefined) {
    const { maf, callRate } = sources;
    const blended = await blendedRelationships(
      panel,
      pedigree,
      { maf, callRate, ...polyploidBlending(model) },
      context,
    );
    return { kind: 'single-step', individuals: blended.individuals, additive: blended.matrix, dominance: null };
  }
  if (panel !== undefined) return genomicRelationships(panel, sources, context);
  if (pedigree !== undefined) return pedigreeRelationships(lines, pedigree, model);
  return { kind: 'identity', individuals: [...lines], additive: null, dominance: null };
}

function requireOne({ panel, pedigree, kinship, dominance }: SeriesSources): void {
  if (kinship !== undefined && (panel !== undefined || pedigree !== undefined)) {
    throw new AnalysisError(
      'series/two-relationships',
      'A kinship file was given beside a genotype or a pedigree, and a series uses one of them.',
      'Leave out the kinship file, or the others.',
    );
  }
  if (dominance && (panel === undefined || pedigree !== undefined)) {
    throw new AnalysisError(
      'series/dominance-without-markers',
      'Relationships of dominance come from markers alone.',
      'Give a genotype without a pedigree, or leave out dominance.',
    );
  }
}

async function genomicRelationships(
  panel: GenotypePanel,
  { method, maf, callRate, dominance }: SeriesSources,
  context: AnalysisContext,
): Promise<SeriesRelationships> {
  const methods = dominance ? ([method, 'dominance'] as const) : ([method] as const);
  const input = { panel: blocksOf(panel), methods, maf, callRate, withMarkerColumns: false };
  const { kernels } = await panelKinship(input, context);
  const additive = kernels[method];
  if (additive === undefined) throw new TypeError(`the kinship ${method} was not computed`);
  return { kind: 'genomic', individuals: [...panel.samples], additive, dominance: kernels.dominance ?? null };
}

/** Those of the lines with means that the pedigree knows. */
function pedigreeRelationships(
  lines: readonly string[],
  table: PedigreeTable,
  model: PolyploidModel | null,
): SeriesRelationships {
  const { both } = matchIndividuals(lines, table.names, { suggestionsPerName: 0 });
  const placeOf = new Map(table.names.map((name, i) => [name, i]));
  const pedigree = createPedigree(table);
  const places = Int32Array.from(both, ({ right }) => pedigree.place[placeOf.get(right) ?? -1]);
  const individuals = both.map(({ left }) => left);
  const additive =
    model === null
      ? relationshipsAmong(pedigree, inbreedingOf(pedigree), places)
      : polyploidRelationships(pedigree, places, model).matrix;
  return { kind: 'pedigree', individuals, additive, dominance: null };
}
