import { findListedSamples, type ListOfNames, UnknownNames } from '@heterosis/analysis/inputs/find-listed';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { Services } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type FileRow, readSampleNames } from '../../data/files/index.ts';

/** The fields of the request for the lists that the analysis names. */
const FIELDS: Record<ListOfNames, keyof Exclusions> = {
  'only-samples': 'only_samples',
  'leave-out-samples': 'samples',
  'leave-out-markers': 'markers',
};
/** Unknown names told in a problem. */
const MOST_TOLD = 100;

/**
 * The exclusions of a run, with the individuals under their names in the genotype, for its parameters; empty when
 * nothing is to be left out. Refuses names that the genotype lacks.
 */
export async function requireExclusions(
  { storage, tables }: Pick<Services, 'storage' | 'tables'>,
  genotype: FileRow,
  asked: Exclusions | undefined,
): Promise<{ exclusions?: Exclusions }> {
  const given = Object.entries(asked ?? {}).filter(
    ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  if (given.length === 0) return {};
  const exclusions = Object.fromEntries(given) as Exclusions;
  const { only_samples, samples, markers } = exclusions;
  const names = only_samples === undefined && samples === undefined ? [] : await readSampleNames(storage, genotype);
  if (only_samples !== undefined) exclusions.only_samples = inGenotype(names, only_samples, 'only-samples');
  if (samples !== undefined) exclusions.samples = inGenotype(names, samples, 'leave-out-samples');
  const unknown = markers === undefined ? [] : await unknownMarkers(tables, genotype, markers);
  if (unknown.length > 0) throw notInGenotype('leave-out-markers', unknown, lacksMarkers(unknown, 'list'));
  return { exclusions };
}

/** The individuals that the lists of a run keep, in the order of the genotype. */
export function keptByLists(names: readonly string[], { only_samples, samples }: Exclusions = {}): string[] {
  const wanted = only_samples === undefined ? null : new Set(only_samples);
  const unwanted = new Set(samples);
  return names.filter((name) => wanted?.has(name) !== false && !unwanted.has(name));
}

function inGenotype(names: readonly string[], listed: readonly string[], list: ListOfNames): string[] {
  try {
    const numbered = listed.map((name, k) => ({ name, line: k + 1 }));
    return findListedSamples(names, numbered, list).places.flatMap((place) => names[place] ?? []);
  } catch (error) {
    if (!(error instanceof UnknownNames)) throw error;
    const unknown = error.problems.flatMap(({ value }) => value ?? []);
    throw notInGenotype(list, unknown, `${error.message} ${error.suggestion}`, error);
  }
}

/** How each request calls the markers that it takes as fixed effects. */
const FIXED_MARKERS = {
  condition_on: { code: 'gwas/unknown-condition', list: 'markers to condition on' },
  fixed_markers: { code: 'models/unknown-marker', list: 'markers with fixed effects' },
} as const;

/** Refuses markers for fixed effects that the genotype lacks. */
export async function requireMarkers(
  { tables }: Pick<Services, 'tables'>,
  genotype: FileRow,
  markers: readonly string[],
  field: keyof typeof FIXED_MARKERS,
): Promise<void> {
  const unknown = markers.length === 0 ? [] : await unknownMarkers(tables, genotype, markers);
  if (unknown.length === 0) return;
  const { code, list } = FIXED_MARKERS[field];
  throw new Problem(code, lacksMarkers(unknown, list), {
    details: { unknown },
    invalidParams: [{ name: `body.${field}`, reason: `There is no marker "${unknown[0]}"` }],
  });
}

function lacksMarkers(unknown: readonly string[], list: string): string {
  const more = unknown.length - 1;
  return `The genotype has no marker "${unknown[0]}"${more === 0 ? '' : `, nor ${more} more of the ${list}`}. Marker names are compared letter by letter.`;
}

/** By the table of markers that the check of a genotype wrote; without one the run itself refuses unknown names. */
async function unknownMarkers(
  tables: Services['tables'],
  genotype: FileRow,
  markers: readonly string[],
): Promise<string[]> {
  const key = genotype.meta.keys?.marker_qc;
  if (key === undefined) return [];
  // Names that are all numbers are read as such and may have lost their leading zeros.
  const [first] = await tables.query<{ type: string }>(
    key,
    (table) => `select typeof(id) as type from ${table} limit 1`,
    [],
    'csv',
  );
  if (first?.type !== 'VARCHAR') return [];
  const rows = await tables.query<{ id: string }>(
    key,
    (table) => `select distinct id from ${table} where id in (select unnest(string_split($1, chr(10))))`,
    [markers.join('\n')],
    'csv',
  );
  const known = new Set(rows.map(({ id }) => id));
  return [...new Set(markers)].filter((name) => !known.has(name));
}

const notInGenotype = (list: ListOfNames, unknown: readonly string[], text: string, cause?: unknown): Problem =>
  new Problem('match/not-in-genotype', text, {
    cause,
    details: { unknown: unknown.slice(0, MOST_TOLD), total: unknown.length },
    invalidParams: [
      { name: `body.exclusions.${FIELDS[list]}`, reason: `${unknown.length} names are not in the genotype` },
    ],
  });
