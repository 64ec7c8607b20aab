import type { Parentage } from '@heterosis/analysis/parentage/check-parentage';
import { parentageVerdict } from '@heterosis/contracts/work/parentage-checks';
import { ranks } from '../../../platform/result-tables/read-table-page.ts';
import type { ResultColumn } from '../../../platform/result-tables/write-result-table.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** A row for each genotyped individual: its family, and the most likely parents where they were sought. */
export function resultColumns({ samples, families, likely }: Parentage): ResultColumn[] {
  const n = samples.length;
  const familyOf = new Map(families.map((family) => [family.child, family]));
  const rows = samples.map((individual, i) => {
    const family = familyOf.get(i);
    return { individual, family, isTested: family !== undefined && family.markers > 0 };
  });
  const likelyOf = new Map(likely.map(({ child, pairs, singles }) => [child, bestOf(pairs, singles)]));
  const best = samples.map((_, i) => likelyOf.get(i));
  const text = (name: string, of: (i: number) => string | null | undefined): ResultColumn => ({
    ...{ name, type: 'text', values: Array.from({ length: n }, (_, i) => of(i) ?? null) },
  });
  const integer = (name: string, of: (i: number) => number | null | undefined): ResultColumn => ({
    ...{ name, type: 'integer', values: Array.from({ length: n }, (_, i) => of(i) ?? null) },
  });
  const double = (name: string, of: (i: number) => number | null | undefined): ResultColumn => ({
    ...{ name, type: 'double', values: Array.from({ length: n }, (_, i) => finite(of(i))) },
  });
  const name = (sample: number | undefined): string | null =>
    sample === undefined || sample < 0 ? null : (samples[sample] ?? null);
  const byName = (a: number, b: number): number => collator.compare(samples[a] ?? '', samples[b] ?? '');
  const share = (i: number): number => {
    const { family, isTested } = rows[i] ?? {};
    return family === undefined || isTested !== true ? -1 : family.conflicts / family.markers;
  };
  const urgency = (i: number): number => {
    const verdict = rows[i]?.family?.verdict;
    return verdict === undefined ? parentageVerdict.options.length : parentageVerdict.options.indexOf(verdict);
  };
  const score = (i: number): number | null => rows[i]?.family?.score ?? null;
  const order = (column: string, compare: (a: number, b: number) => number): ResultColumn => ({
    ...{ name: `by_${column}`, type: 'integer', values: ranks(n, (a, b) => compare(a, b) || byName(a, b)) },
  });
  return [
    order('verdict', (a, b) => urgency(a) - urgency(b) || share(b) - share(a)),
    order('individual', () => 0),
    order('conflict_share', (a, b) => share(a) - share(b)),
    order('score', (a, b) => (score(a) ?? Number.NEGATIVE_INFINITY) - (score(b) ?? Number.NEGATIVE_INFINITY) || 0),
    text('individual', (i) => samples[i]),
    text('female', (i) => rows[i]?.family?.femaleName),
    text('male', (i) => rows[i]?.family?.maleName),
    text('tested_female', (i) => name(rows[i]?.family?.female)),
    text('tested_male', (i) => name(rows[i]?.family?.male)),
    text('descent', (i) => rows[i]?.family?.rule),
    text('verdict', (i) => rows[i]?.family?.verdict),
    integer('markers', (i) => (rows[i]?.isTested === true ? rows[i]?.family?.markers : null)),
    integer('conflicts', (i) => (rows[i]?.isTested === true ? rows[i]?.family?.conflicts : null)),
    double('conflict_share_of_others', (i) => rows[i]?.family?.ofOthers),
    integer('opposing_female', (i) => rows[i]?.family?.withFemale?.conflicts),
    integer('opposing_male', (i) => rows[i]?.family?.withMale?.conflicts),
    double('score', score),
    double('support', (i) => rows[i]?.family?.support),
    text('likely_first', (i) => name(best[i]?.female)),
    text('likely_second', (i) => name(best[i]?.male)),
    integer('likely_fits', (i) => (best[i] === undefined ? null : Number(best[i]?.fits))),
    integer('likely_markers', (i) => best[i]?.markers),
    integer('likely_conflicts', (i) => best[i]?.conflicts),
    double('likely_score', (i) => best[i]?.score),
  ];
}

type Likely = Parentage['likely'][number];

/** A pair that fits, else a single parent that does, else the best pair. */
function bestOf(pairs: Likely['pairs'], singles: Likely['singles']): Likely['pairs'][number] | undefined {
  const [pair, single] = [pairs[0], singles[0]];
  if (pair?.fits !== true && single?.fits === true) return single;
  return pair ?? single;
}

const finite = (value: number | null | undefined): number | null =>
  value === undefined || value === null || !Number.isFinite(value) ? null : value;
