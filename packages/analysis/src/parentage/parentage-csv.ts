import { type CsvValue, csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { Parentage } from './check-parentage.ts';

/** A row for each child with a parent in the pedigree, and whose genotypes were compared. */
export function familiesCsv({ samples, families }: Parentage): Iterable<string> {
  const nameOf = (sample: number): string | null => (sample < 0 ? null : samples[sample]);
  return csvChunks(
    [
      ...['id', 'female', 'male', 'tested_female', 'tested_male', 'descent', 'verdict', 'markers', 'conflicts'],
      ...['conflict_share', 'conflict_share_of_others', 'opposing_female', 'opposing_male', 'log_likelihood_ratio'],
      'log_likelihood_ratio_one_wrong',
    ],
    families.map((one): CsvValue[] => [
      ...[samples[one.child], one.femaleName, one.maleName, nameOf(one.female), nameOf(one.male), one.rule],
      ...[one.verdict, one.markers, one.conflicts, share(one), one.ofOthers],
      ...[one.withFemale?.conflicts, one.withMale?.conflicts, one.score, one.support],
    ]),
  );
}

/** The most likely parents, best first. A single one has no second parent. */
export function likelyParentsCsv({ samples, likely }: Parentage): Iterable<string> {
  function* rows(): Generator<CsvValue[]> {
    for (const { child, pairs, singles } of likely) {
      for (const [place, one] of [...pairs.entries(), ...singles.entries()]) {
        const second = one.male < 0 ? '' : samples[one.male];
        yield [
          ...[samples[child], place + 1, samples[one.female], second, one.fits ? 'yes' : 'no'],
          ...[one.markers, one.conflicts, share(one), one.score],
        ];
      }
    }
  }
  return csvChunks(
    [...['id', 'rank', 'parent1', 'parent2', 'fits', 'markers', 'conflicts', 'conflict_share'], 'log_likelihood_ratio'],
    rows(),
  );
}

/** Copies, swapped samples and suspects, one finding a row. */
export function findingsCsv({ samples, copies, swaps, suspects }: Parentage): Iterable<string> {
  return csvChunks(
    ['finding', 'id', 'other', 'identity', 'markers', 'families_in_conflict', 'families_tested', 'fits_in_place_of'],
    [
      ...swaps.map((one): CsvValue[] => ['swap', samples[one.first], samples[one.second], null, null, one.families]),
      ...suspects.map((one): CsvValue[] => [
        ...['suspect', samples[one.sample], null, null, null, one.conflicts, one.tested],
        one.fits.map((place) => samples[place]).join('; '),
      ]),
      ...copies.map((one): CsvValue[] => ['copy', samples[one.first], samples[one.second], one.identity, one.markers]),
    ].map((row) => [...row, ...Array.from({ length: 8 - row.length }, () => null)]),
  );
}

const share = ({ markers, conflicts }: { markers: number; conflicts: number }): number | null =>
  markers === 0 ? null : conflicts / markers;
