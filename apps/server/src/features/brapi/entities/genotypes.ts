import type { ChromosomeRun } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { Asked } from '../asked.ts';
import { individualsOfGermplasm } from '../germplasm-names.ts';
import { rowsByFile } from '../ids.ts';
import { type BrapiScope, studiesAsked } from '../scope.ts';
import { type GenotypeStudy, isGenotype } from '../studies.ts';

/** Filters that name files; a file is study, variant set and reference set in one. */
const FILE_IDS = ['variantSetDbId', 'referenceSetDbId'];
/** Filters that name rows of files. */
const ROW_IDS = ['callSetDbId', 'sampleDbId', 'variantDbId', 'referenceDbId'];

/**
 * The genotype files that the filters for places and for ids of their rows leave. Row filters other than `own` are
 * settled by it: a file that has one of the rows stays.
 */
export async function genotypesAsked(
  scope: BrapiScope,
  asked: Asked,
  own: readonly string[] = [],
): Promise<GenotypeStudy[]> {
  let studies = (await studiesAsked(scope, asked)).filter(isGenotype);
  for (const name of FILE_IDS) {
    const ids = asked.take(name);
    if (ids !== undefined) studies = studies.filter(({ id }) => ids.includes(id));
  }
  for (const name of ROW_IDS) {
    const ids = own.includes(name) ? undefined : asked.take(name);
    if (ids === undefined) continue;
    const rows = rowsByFile(ids);
    const counts = await Promise.all(studies.map((study) => rowCount(scope, study, name)));
    studies = studies.filter(({ id }, place) => rows.get(id)?.some((row) => row < (counts[place] ?? 0)) ?? false);
  }
  return studies;
}

async function rowCount({ files }: BrapiScope, { file }: GenotypeStudy, name: string): Promise<number> {
  if (name === 'variantDbId') return file.column_count ?? 0;
  if (name === 'referenceDbId') return (await chromosomesOf({ files }, file)).length;
  return file.row_count ?? 0;
}

/** A chromosome of a genotype file with its runs of markers. */
export interface Chromosome {
  name: string;
  runs: ChromosomeRun[];
}

/** In order of their first marker: the place is the number in the id of the reference. */
export async function chromosomesOf(
  { files }: Pick<BrapiScope, 'files'>,
  file: GenotypeStudy['file'],
): Promise<Chromosome[]> {
  const { runs } = await files.markers(file);
  const byName = Map.groupBy(runs, ({ chromosome }) => chromosome);
  return [...byName].map(([name, own]) => ({ name, runs: own }));
}

/** Files with individuals that mean the germplasm asked for, or all when none is asked for. */
export async function germplasmAsked(
  scope: BrapiScope,
  asked: Asked,
): Promise<Map<string, ReadonlySet<string>> | undefined> {
  const [ids, names] = [asked.take('germplasmDbId'), asked.take('germplasmName')];
  const puis = asked.take('germplasmPUI')?.map((pui) => pui.replace(/^urn:uuid:/, ''));
  const wanted = ids ?? puis;
  return wanted === undefined && names === undefined
    ? undefined
    : await individualsOfGermplasm(scope, { ids: wanted, names });
}
