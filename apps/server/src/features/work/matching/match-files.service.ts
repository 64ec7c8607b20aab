import { matchCrosses } from '@heterosis/analysis/crossing/match-crosses';
import { matchIndividuals } from '@heterosis/analysis/inputs/match-names';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { Reference } from '@heterosis/contracts/common';
import type { MatchResult, matchBody } from '@heterosis/contracts/data/match';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { matchingApi } from '@heterosis/contracts/endpoints/work/matching';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { NameCatalogue, NameMatches } from '@heterosis/file-formats/names/match-names';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type * as z from 'zod';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';

import {
  derivedKey,
  type FileRow,
  listPhasedGenotypes,
  ploidyOf,
  readGenotypeQc,
  readPhenotypeTable,
  readSampleNames,
  requireGenotype,
  requireReadyFile,
} from '../../data/files/index.ts';
import { readCatalogueOfProject } from '../../data/germplasm/index.ts';
import { countKeptSamples, countMarkersThatPass, keptOf } from './count-kept.ts';
import { keptByLists, requireExclusions } from './exclusions.service.ts';

type Renames = z.output<typeof matchBody>['renames'];

/** Maximum number of names listed per group of a response. */
export const MAX_LISTED = 1000;

/** Finds the markers of a model in a genotype. Supplied by the models feature, which this one may not import. */
export type MatchModel = (
  services: Services,
  inputs: { genotype: FileRow; projectId: string; modelId: string },
) => Promise<MatchResult>;

/** `POST /projects/{p}/match`: what a run on these inputs would find, before it starts. */
export async function matchInputs(
  { services, access: { projectId }, matchModel }: ProjectCall & { matchModel: MatchModel },
  { body }: InputOf<typeof matchingApi.matchInputs>,
): Promise<MatchResult> {
  const { db } = services;
  const genotype = await requireGenotype(db, projectId, body.genotype_id);
  if (body.phenotype_id !== undefined) {
    const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
    const { refusal, ...excluded } = await readExclusions(services, genotype, body.exclusions);
    const markers = await countMarkers(services, genotype, { ...body, ...excluded });
    const matched = await matchPhenotype(services, genotype, phenotype, { ...body, ...excluded });
    return { ...matched, markers, ...(refusal === null ? {} : verdict(refusal)) };
  }
  if (body.crossing_table_id !== undefined) {
    const crossingTable = await requireReadyFile(db, projectId, body.crossing_table_id, 'CROSSING_TABLE');
    return await matchCrossingTable(services, { genotype, crossingTable, projectId }, body.renames);
  }
  const matched = await matchModel(services, { genotype, projectId, modelId: body.model_id ?? '' });
  return { ...matched, phase: await phaseOfAll(services, genotype, projectId) };
}

/** The exclusions asked for; names that the genotype lacks are a reason against the run, and not an error yet. */
async function readExclusions(
  services: Services,
  genotype: FileRow,
  asked: Exclusions | undefined,
): Promise<{ exclusions?: Exclusions; refusal: string | null }> {
  try {
    return { ...(await requireExclusions(services, genotype, asked)), refusal: null };
  } catch (error) {
    if (error instanceof Problem && error.code === 'match/not-in-genotype') return { refusal: error.message };
    throw error;
  }
}

async function matchPhenotype(
  { db, storage, tables }: Services,
  genotype: FileRow,
  phenotype: FileRow,
  { renames, traits, exclusions }: Pick<z.output<typeof matchBody>, 'renames' | 'traits' | 'exclusions'>,
): Promise<MatchResult> {
  const all = await readSampleNames(storage, genotype);
  const found = await countKeptSamples(storage, genotype, all, exclusions ?? {});
  const samples = found.names;
  const table = await readPhenotypeTable(storage, phenotype);
  const catalogue = await readCatalogueOfProject(db, genotype.project_id, [...samples, ...table.individuals]);
  const matches = matchIndividuals(samples, table.individuals, { renames: renames ?? [], catalogue });
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
  const markers = await countKeptMarkers(tables, genotype, exclusions);
  return {
    ...nameCounts(genotype, phenotype, matches, table.individuals),
    by_trait: byTrait,
    kept: keptOf(exclusions, found, markers, all.length),
    ...verdict(reason),
  };
}

/** Why a chosen trait cannot be analysed: no genotyped individual has a value. Null if all traits have values. */
function emptyTrait(byTrait: Record<string, number>, traits: readonly string[] | undefined): string | null {
  const empty = (traits ?? []).find((trait) => byTrait[trait] === 0);
  return empty === undefined ? null : `No genotyped individual has a value of ${empty}. Leave this trait out.`;
}

async function matchCrossingTable(
  services: Services,
  { genotype, crossingTable, projectId }: { genotype: FileRow; crossingTable: FileRow; projectId: string },
  renames: Renames,
): Promise<MatchResult> {
  const { db, storage } = services;
  const samples = await readSampleNames(storage, genotype);
  const table = unpackRecord<Cross[]>(await readObject(storage, derivedKey(crossingTable, 'table')));
  const parents = table.flatMap(parentsOfCross);
  const catalogue = await readCatalogueOfProject(db, projectId, [...samples, ...parents]);
  const { names, crosses } = matchCrosses(table, samples, renames, catalogue);
  const unphased = await unphasedParents(storage, genotype, new Set(crosses.flatMap(parentsOfCross)));
  const sibling =
    unphased.length === 0
      ? null
      : await phasedSibling(services, genotype, { table, renames, catalogue, crosses: crosses.length });
  const reason =
    crosses.length === 0
      ? noCross(genotype, crossingTable)
      : unphased.length > 0
        ? withoutPhase(genotype, unphased)
        : null;
  return {
    ...nameCounts(genotype, crossingTable, names, parents),
    by_trait: {},
    phase: { unphased, phased_sibling: sibling },
    ...verdict(reason),
  };
}

/** Whoever may be a parent, and the newest phased genotype that has all individuals of this one. */
async function phaseOfAll(
  { db, storage }: Services,
  genotype: FileRow,
  projectId: string,
): Promise<MatchResult['phase']> {
  const unphased = await unphasedParents(storage, genotype, null);
  if (unphased.length === 0) return { unphased, phased_sibling: null };
  const samples = await readSampleNames(storage, genotype);
  for (const file of await listPhasedGenotypes(db, projectId, MAX_SIBLINGS)) {
    if (ploidyOf(file) !== ploidyOf(genotype)) continue;
    const phased = new Set(await readSampleNames(storage, file));
    if (samples.every((name) => phased.has(name)))
      return { unphased, phased_sibling: { id: file.id, name: file.name } };
  }
  return { unphased, phased_sibling: null };
}

/**
 * Parents, of all individuals for null, with heterozygous calls where the file has no phase; one beyond the listed
 * figures is not counted.
 */
async function unphasedParents(
  storage: Services['storage'],
  genotype: FileRow,
  parents: ReadonlySet<string> | null,
): Promise<string[]> {
  if (genotype.meta.panel?.phased !== false) return [];
  const { samples_table: figures } = await readGenotypeQc(storage, genotype);
  const isParent = (name: string): boolean => parents?.has(name) ?? true;
  return figures.flatMap(({ name, heterozygosity }) => (heterozygosity > 0 && isParent(name) ? [name] : []));
}

/** As many phased files are looked into. */
const MAX_SIBLINGS = 10;

/** The newest phased genotype of the same ploidy in which no cross is lost. */
async function phasedSibling(
  { db, storage }: Services,
  genotype: FileRow,
  {
    table,
    renames,
    catalogue,
    crosses,
  }: { table: readonly Cross[]; renames: Renames; catalogue: NameCatalogue; crosses: number },
): Promise<Reference | null> {
  for (const file of await listPhasedGenotypes(db, genotype.project_id, MAX_SIBLINGS)) {
    if (ploidyOf(file) !== ploidyOf(genotype)) continue;
    const found = matchCrosses(table, await readSampleNames(storage, file), renames, catalogue);
    if (found.crosses.length >= crosses) return { id: file.id, name: file.name };
  }
  return null;
}

const NAMED_PARENTS = 3;

function withoutPhase(genotype: FileRow, unphased: readonly string[]): string {
  const named = unphased.slice(0, NAMED_PARENTS).join(', ');
  const more = unphased.length - NAMED_PARENTS;
  const who = more > 0 ? `${named} and ${more} more parents` : named;
  const cure =
    ploidyOf(genotype) === 2
      ? 'Choose a phased genotype file, or phase this one first.'
      : 'Choose a genotype with phase (0|0|1|1), which other programs make, or “Unknown” as phase of the parents.';
  return `${who} ${unphased.length === 1 ? 'has' : 'have'} heterozygous calls in "${genotype.name}", which is not phased. ${cure}`;
}

/** Why no cross can be simulated. */
export const noCross = (genotype: FileRow, crossingTable: FileRow): string =>
  `No cross of "${crossingTable.name}" has all its parents in "${genotype.name}". Choose the genotype of the parents, or write the names in both in the same way.`;

type NameCounts = Omit<MatchResult, 'by_trait' | 'can_run' | 'reason'>;

function nameCounts(left: FileRow, right: FileRow, matches: NameMatches, rightNames: readonly string[]): NameCounts {
  const { both, onlyLeft, onlyRight, suggestions } = matches;
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
    ambiguous: withDecisions(matches).slice(0, MAX_LISTED),
    markers: markerCounts(left),
    panel: null,
    phase: null,
    kept: null,
  };
}

/** Ambiguous names with the renames that pair them with one of their candidates; a name in both lists once. */
function withDecisions({ ambiguous, onlyLeft, onlyRight }: NameMatches): MatchResult['ambiguous'] {
  const [isOpenLeft, isOpenRight] = [new Set(onlyLeft), new Set(onlyRight)];
  const decided = ambiguous.map(({ name, side, candidates }) => ({
    name,
    candidates,
    renames: candidates.flatMap((candidate) => {
      if (side === 'right') return isOpenLeft.has(candidate) ? [{ from: name, to: candidate }] : [];
      return isOpenRight.has(candidate) ? [{ from: candidate, to: name }] : [];
    }),
  }));
  return [...Map.groupBy(decided, ({ name }) => name)].map(([name, sides]) => ({
    name,
    candidates: [...new Set(sides.flatMap(({ candidates }) => candidates))],
    renames: [
      ...new Map(sides.flatMap(({ renames }) => renames).map((one) => [`${one.from}\n${one.to}`, one])).values(),
    ],
  }));
}

export const markerCounts = ({ column_count, meta }: FileRow): MatchResult['markers'] => ({
  total: column_count ?? 0,
  after_qc: meta.panel?.markersAfterQc ?? 0,
  thresh_maf: USUAL_MAF,
  thresh_callrate: USUAL_CALL_RATE,
  missing_share: meta.panel?.missingShare ?? 0,
});

/** The thresholds for which the check of a genotype counts its markers. */
const USUAL_MAF = 0.05;
const USUAL_CALL_RATE = 0.9;

/** The markers of a genotype that pass other thresholds than the usual ones, from the figures that its check kept. */
async function countMarkers(
  { tables }: Services,
  genotype: FileRow,
  { thresh_maf = USUAL_MAF, thresh_callrate = USUAL_CALL_RATE, exclusions = {} }: z.output<typeof matchBody>,
): Promise<MatchResult['markers']> {
  const usual = markerCounts(genotype);
  const key = genotype.meta.keys?.marker_qc;
  const limits = {
    maf: Math.max(thresh_maf, exclusions.min_maf ?? 0),
    callRate: Math.max(thresh_callrate, exclusions.min_marker_call_rate ?? 0),
    without: exclusions.markers ?? [],
  };
  const isUsual = limits.maf === USUAL_MAF && limits.callRate === USUAL_CALL_RATE && limits.without.length === 0;
  if (isUsual || key === undefined) return usual;
  return { ...usual, after_qc: await countMarkersThatPass(tables, key, limits), thresh_maf, thresh_callrate };
}

/** The markers of the whole genotype that lists and rules keep. */
async function countKeptMarkers(
  tables: Services['tables'],
  genotype: FileRow,
  { markers, min_maf = 0, min_marker_call_rate = 0 }: Exclusions = {},
): Promise<number> {
  const all = genotype.column_count ?? 0;
  const key = genotype.meta.keys?.marker_qc;
  if ((markers === undefined && min_maf === 0 && min_marker_call_rate === 0) || key === undefined) return all;
  const limits = { maf: min_maf, callRate: min_marker_call_rate, without: markers ?? [] };
  return await countMarkersThatPass(tables, key, limits);
}

export const verdict = (reason: string | null): Pick<MatchResult, 'can_run' | 'reason'> => ({
  can_run: reason === null,
  reason,
});

/** The traits of a run without duplicates; refuses a trait that is not a numeric column of the phenotype file. */
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

/**
 * The renames of a run: those asked for, and those that the synonyms of the germplasm give today. The run keeps them,
 * so that it gives the same result again when synonyms have changed. Refuses files without a common individual among
 * those that the lists of the run keep.
 */
export async function requireCommonNames(
  { db, storage }: Services,
  genotype: FileRow,
  phenotype: FileRow,
  { renames: asked, exclusions }: { renames?: Renames; exclusions?: Exclusions },
): Promise<{ renames?: NonNullable<Renames> }> {
  const samples = keptByLists(await readSampleNames(storage, genotype), exclusions);
  const table = await readPhenotypeTable(storage, phenotype);
  const matches = matchIndividuals(samples, table.individuals, {
    renames: asked ?? [],
    suggestionsPerName: 0,
    catalogue: await readCatalogueOfProject(db, genotype.project_id, [...samples, ...table.individuals]),
  });
  if (matches.both.length === 0) throw new Problem('match/nothing-in-common', nothingInCommon(genotype, phenotype));
  return renamesOf(matches, asked);
}

/** Asked for, and by synonym; absent when there are none. */
export function renamesOf({ both }: NameMatches, asked: Renames): { renames?: NonNullable<Renames> } {
  const bySynonym = both.flatMap(({ left, right, how }) => (how === 'synonym' ? [{ from: right, to: left }] : []));
  const renames = [...(asked ?? []), ...bySynonym];
  return renames.length === 0 ? {} : { renames };
}

const nothingInCommon = (left: FileRow, right: FileRow): string =>
  `"${left.name}" and "${right.name}" have no name in common. Choose the files of the same material, or write the names in both in the same way.`;
