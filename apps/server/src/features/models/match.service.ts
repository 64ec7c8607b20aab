import { matchCrosses } from '@heterosis/analysis/crossing/match-crosses';
import { matchMarkers } from '@heterosis/analysis/inputs/match-markers';
import { matchIndividuals } from '@heterosis/analysis/inputs/match-names';
import { sharedVariance } from '@heterosis/analysis/prediction/predict';
import type { ModelMarkers } from '@heterosis/analysis/prediction/trained-model';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { MatchResult, matchBody } from '@heterosis/contracts/match';
import type { NameMatches } from '@heterosis/file-formats/names/match-names';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type * as z from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import type { ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { readObject } from '../../platform/object-storage/stored-panel.ts';
import {
  derivedKey,
  type FileRow,
  readMarkers,
  readPhenotypeTable,
  readSampleNames,
  requireReadyFile,
} from '../files/index.ts';
import { findModel, type ModelRow } from './models.queries.ts';

type Renames = z.output<typeof matchBody>['renames'];

const MAX_LISTED = 1000;
/** Below this share of a model's markers a prediction is refused unless told otherwise. */
const MIN_MARKER_SHARE = 0.5;

/** `POST /projects/{p}/match`: what a run on these inputs would find, before it is started. */
export async function matchInputs(
  services: Services,
  { projectId }: ProjectAccess,
  body: z.output<typeof matchBody>,
): Promise<MatchResult> {
  const { db } = services;
  const genotype = await requireReadyFile(db, projectId, body.genotype_id, 'GENOTYPE');
  if (body.phenotype_id !== undefined) {
    const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
    return await matchPhenotype(services, genotype, phenotype, body);
  }
  if (body.crossing_table_id !== undefined) {
    const crossingTable = await requireReadyFile(db, projectId, body.crossing_table_id, 'CROSSING_TABLE');
    return await matchCrossingTable(services, genotype, crossingTable, body.renames);
  }
  return await matchModel(services, genotype, await requireModel(db, projectId, body.model_id ?? ''));
}

/** The model that a run is to use. */
export async function requireModel(db: Queryable, projectId: string, id: string): Promise<ModelRow> {
  const model = await findModel(db, projectId, id);
  if (model === undefined) throw notFound('The model chosen');
  return model;
}

/** Traits of a model that runs can use; training is enough, evaluation may still be under way. */
export function trainedTraits(model: ModelRow): string[] {
  const trained = model.trait_rows.flatMap(({ trait, result_keys }) => (result_keys.spec === undefined ? [] : [trait]));
  if (trained.length > 0) return trained;
  throw new Problem(
    'predictions/model-not-trained',
    `No trait of the model "${model.name}" is trained. Wait until training has ended, or choose another model.`,
  );
}

async function matchPhenotype(
  { storage }: Services,
  genotype: FileRow,
  phenotype: FileRow,
  { renames, traits }: Pick<z.output<typeof matchBody>, 'renames' | 'traits'>,
): Promise<MatchResult> {
  const samples = await readSampleNames(storage, genotype);
  const table = await readPhenotypeTable(storage, phenotype);
  const matches = matchIndividuals(samples, table.individuals, { renames: renames ?? [] });
  const rowOf = new Map(table.individuals.map((name, row) => [name, row]));
  const rows = matches.both.map(({ right }) => rowOf.get(right) ?? -1);
  const byTrait = Object.fromEntries(
    table.traits.flatMap(({ name, kind }, t) => {
      if (kind !== 'numeric' || (traits !== undefined && traits.length > 0 && !traits.includes(name))) return [];
      const values = table.values[t] ?? new Float64Array();
      return [[name, rows.filter((row) => Number.isFinite(values[row])).length]];
    }),
  );
  const reason = matches.both.length === 0 ? nothingInCommon(genotype, phenotype) : emptyTrait(byTrait, traits);
  return { ...nameCounts(genotype, phenotype, matches, table.individuals), by_trait: byTrait, ...verdict(reason) };
}

/** The trait chosen that nobody genotyped has a value for; null when there is none. */
function emptyTrait(byTrait: Record<string, number>, traits: readonly string[] | undefined): string | null {
  const empty = (traits ?? []).find((trait) => byTrait[trait] === 0);
  return empty === undefined ? null : `No genotyped individual has a value of ${empty}. Leave this trait out.`;
}

async function matchCrossingTable(
  { storage }: Services,
  genotype: FileRow,
  crossingTable: FileRow,
  renames: Renames,
): Promise<MatchResult> {
  const samples = await readSampleNames(storage, genotype);
  const table = unpackRecord<Cross[]>(await readObject(storage, derivedKey(crossingTable, 'table')));
  const { names, crosses } = matchCrosses(table, samples, renames);
  const parents = table.flatMap(({ female, male }) => [female, male]);
  const reason = crosses.length === 0 ? noCross(genotype, crossingTable) : null;
  return { ...nameCounts(genotype, crossingTable, names, parents), by_trait: {}, ...verdict(reason) };
}

/** Why no cross can be simulated. */
export const noCross = (genotype: FileRow, crossingTable: FileRow): string =>
  `No cross of "${crossingTable.name}" has both parents in "${genotype.name}". Choose the genotype of the parents, or write the names in both in the same way.`;

type NameCounts = Omit<MatchResult, 'by_trait' | 'can_run' | 'reason'>;

function nameCounts(left: FileRow, right: FileRow, matches: NameMatches, rightNames: readonly string[]): NameCounts {
  const { both, onlyLeft, onlyRight, suggestions, ambiguous } = matches;
  return {
    left: { id: left.id, name: left.name, count: both.length + onlyLeft.length },
    right: { id: right.id, name: right.name, count: new Set(rightNames).size },
    both: both.length,
    only_left: onlyLeft.length,
    only_right: onlyRight.length,
    both_names: both.slice(0, MAX_LISTED),
    only_left_names: onlyLeft.slice(0, MAX_LISTED),
    only_right_names: onlyRight.slice(0, MAX_LISTED),
    suggestions: suggestions.slice(0, MAX_LISTED),
    ambiguous: ambiguous.slice(0, MAX_LISTED).map(({ name, candidates }) => ({ name, candidates })),
    markers: markerCounts(left),
    panel: null,
  };
}

const markerCounts = ({ column_count, meta }: FileRow): MatchResult['markers'] => ({
  total: column_count ?? 0,
  after_qc: meta.panel?.markersAfterQc ?? 0,
  missing_share: meta.panel?.missingShare ?? 0,
});

const verdict = (reason: string | null): Pick<MatchResult, 'can_run' | 'reason'> => ({
  can_run: reason === null,
  reason,
});

/** Markers of a model looked for in a genotype. */
async function matchModel(services: Services, genotype: FileRow, model: ModelRow): Promise<MatchResult> {
  const { storage } = services;
  const trained = model.trait_rows.flatMap(({ result_keys }) => result_keys.effects_table ?? []);
  if (trained.length === 0)
    throw new Problem('predictions/model-not-trained', `No trait of the model "${model.name}" is trained yet.`);
  const panel = await readMarkers(storage, genotype);
  const effects = await Promise.all(trained.map((key) => readEffects(services, key)));
  const [first] = effects;
  if (first === undefined) throw new Error('a model with traits has effects');
  const match = matchMarkers(first.markers, panel);
  const shares = effects.map(({ markers, fit }) => sharedVariance(markers, fit, match)).filter(Number.isFinite);
  const missingIds = first.markers.id.filter((_, j) => (match.panelIndex[j] ?? -1) < 0);
  const markers = first.markers.id.length;
  return {
    left: { id: genotype.id, name: genotype.name, count: panel.id.length },
    right: { id: model.id, name: model.name, count: markers },
    both: match.shared,
    only_left: panel.id.length - match.shared,
    only_right: match.missing,
    both_names: [],
    only_left_names: [],
    only_right_names: missingIds.slice(0, MAX_LISTED),
    suggestions: [],
    ambiguous: [],
    by_trait: {},
    markers: markerCounts(genotype),
    panel: {
      shared: match.shared,
      missing: match.missing,
      swapped: match.swapped,
      variance_share: shares.length === 0 ? null : Math.min(...shares),
    },
    ...verdict(tooFewMarkers(match.shared, markers)),
  };
}

function tooFewMarkers(shared: number, markers: number): string | null {
  if (shared > 0 && shared >= MIN_MARKER_SHARE * markers) return null;
  return `The genotype has ${groupedNumber(shared)} of the model's ${groupedNumber(markers)} markers. Choose a genotype of the same marker set, or check that marker names and positions are written as in the training file.`;
}

interface Effects {
  markers: Omit<ModelMarkers, 'heterozygosity'>;
  fit: { additive: Float64Array; dominance: Float64Array | null };
}

async function readEffects({ tables }: Services, key: string): Promise<Effects> {
  const rows = await tables.query<{
    id: string;
    chr: string;
    pos: number;
    A1: string;
    A2: string;
    freqA2: number;
    additive: number;
    dominance: number | null;
  }>(key, (table) => `select id, chr, pos, "A1", "A2", "freqA2", additive, dominance from ${table} order by place`);
  return {
    markers: {
      id: rows.map(({ id }) => id),
      chromosome: rows.map(({ chr }) => chr),
      positionBp: Float64Array.from(rows, ({ pos }) => pos),
      a1: rows.map(({ A1 }) => A1),
      a2: rows.map(({ A2 }) => A2),
      freqA2: Float64Array.from(rows, ({ freqA2 }) => freqA2),
    },
    fit: {
      additive: Float64Array.from(rows, ({ additive }) => additive),
      dominance: rows.some(({ dominance }) => dominance !== null)
        ? Float64Array.from(rows, ({ dominance }) => dominance ?? 0)
        : null,
    },
  };
}

/** The traits of a run, each once; refuses one that the phenotype does not have with numbers. */
export function requireTraits(phenotype: FileRow, traits: readonly string[]): string[] {
  const known = phenotype.meta.traits ?? [];
  for (const trait of traits)
    if (!known.includes(trait))
      throw new Problem(
        'models/trait-not-in-phenotype',
        `"${phenotype.name}" has no trait "${trait}" with numbers. Its traits are ${known.join(', ')}.`,
        {
          details: { trait, traits: known },
          invalidParams: [{ name: 'body.traits', reason: `There is no "${trait}"` }],
        },
      );
  return [...new Set(traits)];
}

/** Refuses a run on files that have no individual in common. */
export async function requireCommonNames(
  { storage }: Services,
  genotype: FileRow,
  phenotype: FileRow,
  renames: Renames,
): Promise<void> {
  const samples = await readSampleNames(storage, genotype);
  const table = await readPhenotypeTable(storage, phenotype);
  const { both } = matchIndividuals(samples, table.individuals, { renames: renames ?? [], suggestionsPerName: 0 });
  if (both.length === 0) throw new Problem('match/nothing-in-common', nothingInCommon(genotype, phenotype));
}

const nothingInCommon = (left: FileRow, right: FileRow): string =>
  `"${left.name}" and "${right.name}" have no name in common. Choose the files of the same material, or write the names in both in the same way.`;
