import { spareDuplicates } from '@heterosis/analysis/inputs/leaving-out';
import type { MatchResult } from '@heterosis/contracts/data/match';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { Services } from '../../../platform/http/app.ts';
import { type FileRow, readGenotypeQc } from '../../data/files/index.ts';
import { keptByLists } from './exclusions.service.ts';

/** The figures of a sample or marker are rounded to 10 digits. */
const ROUNDING = 1e-9;

/** What a run with these exclusions would keep of the individuals, by the figures that the check of the file stored. */
export async function countKeptSamples(
  storage: Services['storage'],
  genotype: FileRow,
  samples: readonly string[],
  asked: Exclusions,
): Promise<{ names: string[]; isExact: boolean }> {
  const listed = keptByLists(samples, asked);
  const { min_sample_call_rate: callRate = 0, max_sample_heterozygosity: heterozygosity = 1, duplicates } = asked;
  const hasRule = callRate > 0 || heterozygosity < 1;
  if (!hasRule && duplicates !== true) return { names: listed, isExact: true };
  const qc = await readGenotypeQc(storage, genotype);
  const figures = new Map(qc.samples_table.map((row) => [row.name, row]));
  const passing = listed.filter((name) => {
    const row = figures.get(name);
    if (row === undefined) return true;
    return row.call_rate >= callRate - ROUNDING && row.heterozygosity <= heterozygosity + ROUNDING;
  });
  const spare =
    duplicates === true ? spareOf(passing, qc.duplicates, (name) => figures.get(name)?.call_rate ?? 0) : new Set();
  return {
    names: passing.filter((name) => !spare.has(name)),
    isExact:
      samples.length <= figures.size &&
      asked.markers === undefined &&
      (duplicates !== true || (passing.length === samples.length && qc.duplicates.length < MOST_PAIRS)),
  };
}

/** As many pairs of duplicates are stored. */
const MOST_PAIRS = 1000;
/** Call rates as counts of missing calls. */
const PARTS = 1e9;

function spareOf(
  names: readonly string[],
  pairs: readonly { first: string; second: string }[],
  callRateOf: (name: string) => number,
): Set<string | undefined> {
  const place = new Map(names.map((name, i) => [name, i]));
  const both = pairs.flatMap(({ first, second }) => {
    const [a, b] = [place.get(first), place.get(second)];
    return a === undefined || b === undefined ? [] : [{ first: a, second: b }];
  });
  const missing = Int32Array.from(names, (name) => Math.round((1 - callRateOf(name)) * PARTS));
  return new Set(spareDuplicates(both, missing).map((i) => names[i]));
}

/** The markers that pass limits over the whole file and are on no list, from the figures of its check. */
export async function countMarkersThatPass(
  tables: Services['tables'],
  key: string,
  { maf, callRate, without }: { maf: number; callRate: number; without: readonly string[] },
): Promise<number> {
  const [found] = await tables.query<{ passing: number }>(
    key,
    (table) =>
      `select count(*) as passing from ${table}
       where try_cast(maf as double) >= $1 and try_cast(call_rate as double) >= $2
         and cast(id as varchar) not in (select unnest(string_split($3, chr(10))))`,
    [maf - ROUNDING, callRate - ROUNDING, without.join('\n')],
    'csv',
  );
  return found?.passing ?? 0;
}

/** For the answer; null when nothing is to be left out. */
export const keptOf = (
  asked: Exclusions | undefined,
  samples: { names: readonly string[]; isExact: boolean },
  markers: number,
  all: number,
): MatchResult['kept'] =>
  asked === undefined
    ? null
    : {
        samples: samples.names.length,
        markers,
        is_exact:
          samples.isExact && asked.ld_pruning === undefined && (samples.names.length === all || !hasMarkerRule(asked)),
      };

const hasMarkerRule = ({ min_marker_call_rate, min_maf }: Exclusions): boolean =>
  min_marker_call_rate !== undefined || min_maf !== undefined;
