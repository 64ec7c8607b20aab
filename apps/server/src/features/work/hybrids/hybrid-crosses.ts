import { type CrossMatches, matchCrosses } from '@heterosis/analysis/crossing/match-crosses';
import type { Rename } from '@heterosis/analysis/inputs/match-names';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { NameCatalogue } from '@heterosis/file-formats/names/match-names';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { Services } from '../../../platform/http/app.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { type DerivationParameters, derivedKey, type FileRow, readSampleNames } from '../../data/files/index.ts';

/** What a run keeps, so that it makes the same hybrids again. */
export interface HybridParameters extends DerivationParameters {
  crossing_table_id: string | null;
  /** Empty with a crossing table. */
  females: string[];
  males: string[];
  /** What the synonyms of the germplasm gave when the run was started. */
  renames: Rename[];
}

type Pools = Pick<HybridParameters, 'females' | 'males'>;

/** Each female with each male, but for a line with itself. */
function crossesOf({ females, males }: Pools): Cross[] {
  const [mothers, fathers] = [females, males].map((names) => [...new Set(names)]);
  return (mothers ?? []).flatMap((female) =>
    (fathers ?? []).flatMap((male): Cross[] =>
      male === female
        ? []
        : [{ name: `${female}_X_${male}`, female, male, progenyCount: null, type: 'biparental', line: 0 }],
    ),
  );
}

export async function readCrosses(
  { storage }: Pick<Services, 'storage'>,
  table: FileRow | null,
  pools: Pools,
): Promise<Cross[]> {
  return table === null
    ? crossesOf(pools)
    : unpackRecord<Cross[]>(await readObject(storage, derivedKey(table, 'table')));
}

/** The crosses with their parents as the genotype names them. */
export async function crossesIn(
  { storage }: Pick<Services, 'storage'>,
  genotype: FileRow,
  crosses: readonly Cross[],
  names: { renames?: readonly Rename[]; catalogue?: (written: string[]) => Promise<NameCatalogue> },
): Promise<CrossMatches> {
  const samples = await readSampleNames(storage, genotype);
  const catalogue = await names.catalogue?.([...samples, ...crosses.flatMap(parentsOfCross)]);
  return matchCrosses(crosses, samples, names.renames, catalogue);
}
