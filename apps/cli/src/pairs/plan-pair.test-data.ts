import { readFileSync } from 'node:fs';
import { denseMaterial, denseMoments, valueOf } from '@heterosis/analysis/dense/crossing.test-data';
import {
  allUses,
  bestPairing,
  coancestryOf,
  curveEnds,
  type DenseIndex,
  type DensePlan,
  denseIndex,
  optimumAt,
  pedigreeRelationships,
  rankedPairs,
  useLimits,
} from '@heterosis/analysis/dense/plan.test-data';
import { indexes } from '@heterosis/analysis/dense/world.test-data';
import { type AskedPlan, PEDIGREE } from './asked-plan.test-data.ts';
import { type Comparison, rowsOfCsv } from './compare.test-data.ts';

const EXACT = 1e-9;
/** Covariances within crosses are kept in single precision. */
const SINGLE = 1e-6;
/** The curve is that of relationships with a ridge of 1e-6. */
const RIDGE = 1e-5;
/**
 * The balanced plan is at one of so many points of the curve. Between corners they have equal steps of contributions,
 * so that steps of coancestry, along a parabola, are up to twice as long as on average.
 */
const CURVE_POINTS = 120;
const LONGEST_STEP = 2;
/** Points of the curve that are compared. */
const COMPARED_POINTS = 7;

interface Summary {
  n: number;
  crosses: number;
  parents: number;
  value: number;
  value_bound: number;
  coancestry: number;
  cap: number;
  meets_cap: boolean;
  above_cap_because: string | null;
  changes: Record<string, number>;
  gains_per_intensity: Record<string, number>;
}

/** What a plan is compared with. */
interface Compared {
  asked: AskedPlan;
  plan: DensePlan;
  index: DenseIndex;
  /** Size of differences in value. */
  range: number;
  summary: Summary;
  found: Comparison;
}

export function comparePlan(asked: AskedPlan, given: Record<string, unknown>, table: string, found: Comparison): void {
  const summary = given as unknown as Summary;
  const plan = densePlanOf(asked);
  const index = denseIndex(plan);
  const range = Math.max(...index.value) - Math.min(...index.value);
  const compared = { asked, plan, index, range, summary, found };
  found.same('candidates', summary.n, asked.candidates.length);
  const size = Math.max(range, EXACT);
  for (const [t, { name }] of asked.world.traits.slice(0, asked.traits).entries())
    found.close('gains per intensity', summary.gains_per_intensity[name] ?? Number.NaN, index.gains[t] ?? 0, SINGLE, 1);
  const uses = compareCrosses(compared, rowsOfCsv(readFileSync(table, 'utf8')));
  const contributions = uses.map((use) => use / (2 * plan.crosses));
  const value = index.value.reduce((sum, one, i) => sum + one * (contributions[i] ?? 0), 0);
  found.close('value', summary.value, value, EXACT, size);
  found.close('coancestry', summary.coancestry, coancestryOf(plan.relationship, contributions), EXACT, 1);
  for (const [t, { name }] of asked.world.traits.slice(0, asked.traits).entries()) {
    const change = plan.values.reduce(
      (sum, row, i) => sum + (row[t] ?? 0) * ((contributions[i] ?? 0) - 1 / uses.length),
      0,
    );
    found.close('changes', summary.changes[name] ?? Number.NaN, change, EXACT, 1);
  }
  const { first, last, balanced } = curveEnds(plan, index.value);
  const width = first.coancestry - last.coancestry;
  if (asked.cap !== null) found.same('cap', summary.cap, asked.cap);
  else if (range > EXACT)
    found.within('balanced cap', summary.cap, balanced, (LONGEST_STEP * width) / CURVE_POINTS + RIDGE);
  compareWholeNumbers(compared, uses);
  const { candidates, pairs, curve } = asked.files;
  if (candidates !== undefined) compareCandidates(compared, uses, rowsOfCsv(readFileSync(candidates, 'utf8')));
  if (pairs !== undefined) compareRanking(compared, rowsOfCsv(readFileSync(pairs, 'utf8')));
  if (curve === undefined) return;
  const points = rowsOfCsv(readFileSync(curve, 'utf8')).map((row) => ({
    coancestry: Number(row['coancestry']),
    value: Number(row['index']),
  }));
  if (range <= EXACT) return void found.notCompared.push('the curve of candidates of one value');
  found.close('curve: smallest coancestry', points.at(-1)?.coancestry ?? Number.NaN, last.coancestry, RIDGE, 1);
  found.close('curve: largest value', points[0]?.value ?? Number.NaN, first.value, RIDGE, range);
  for (const k of indexes(COMPARED_POINTS)) {
    const point = points[Math.floor((k * (points.length - 1)) / COMPARED_POINTS)];
    if (point === undefined) continue;
    const { value: most } = optimumAt(plan, index.value, point.coancestry);
    found.close('curve: value', point.value, most, RIDGE, range);
  }
}

function densePlanOf(asked: AskedPlan): DensePlan {
  const { world, candidates, hasGenotype, hasPedigree } = asked;
  const traits = indexes(asked.traits);
  // Breeding values and spreads are additive.
  const effects = world.effects.map((effect) => ({ ...effect, dominance: effect.dominance.map(() => 0) }));
  const material = hasGenotype
    ? denseMaterial({
        ...{ world: { ...world, effects }, parents: candidates, mapFunction: 'haldane' },
        missingMapMarkers: 'interpolate',
        ...(asked.hasMap ? {} : { bpPerCm: 1_000_000 }),
      })
    : null;
  const byPedigree = pedigreeRelationships(PEDIGREE);
  const inPedigree = (name: string): number => PEDIGREE.findIndex(([one]) => one === name);
  const places = (pairs: readonly [string, string][]) =>
    pairs.map(([one, other]): [number, number] => [candidates.indexOf(one), candidates.indexOf(other)]);
  const names = world.traits.map(({ name }) => name);
  const spreads = new Map<string, number[][]>();
  return {
    values: candidates.map((name) => {
      const plant = material?.parents.get(name);
      if (material === null || plant === undefined) return asked.gebv?.get(name)?.slice(0, asked.traits) ?? [];
      return material.traits.slice(0, asked.traits).map((trait) => valueOf(trait, plant));
    }),
    relationship: candidates.map((one) =>
      candidates.map((other) =>
        hasPedigree || material === null
          ? (byPedigree[inPedigree(one)]?.[inPedigree(other)] ?? Number.NaN)
          : material.kinship(one, other),
      ),
    ),
    covariance:
      material === null || !asked.hasSpread
        ? null
        : (i, j) => {
            const sides: [string[], string[]] = [[candidates[i] ?? ''], [candidates[j] ?? '']];
            const known = spreads.get(`${i} ${j}`);
            if (known !== undefined) return known;
            const { covariance } = denseMoments(material, { sides, population: asked.population });
            const found = traits.map((s) => traits.map((t) => covariance[s * names.length + t] ?? Number.NaN));
            spreads.set(`${i} ${j}`, found);
            return found;
          },
    method: asked.method,
    weights: asked.weights,
    isLow: names.map((name) => asked.lowTraits.includes(name)),
    isKept: names.map((name) => asked.kept.includes(name)),
    traitAccuracy: asked.traitAccuracy ?? names.map(() => 1),
    crosses: asked.crosses,
    mostUses: asked.mostUses,
    cap: asked.cap,
    required: places(asked.required),
    forbidden: places(asked.forbidden).filter((pair) => !pair.includes(-1)),
    mates: asked.mates,
    fraction: asked.fraction,
    accuracy: asked.accuracy,
  };
}

type Row = Record<string, string>;

/** The crosses keep to what was asked, and their figures are right. @returns uses of the candidates */
function compareCrosses({ asked, plan, index, range, summary, found }: Compared, rows: readonly Row[]): number[] {
  const place = (name: string | undefined): number => asked.candidates.indexOf(name ?? '');
  const pairs = rows.map((row): [number, number] => [place(row['parent1']), place(row['parent2'])]);
  const keyOf = (pair: readonly number[]): string => [...pair].sort((a, b) => a - b).join();
  const keys = pairs.map(keyOf);
  found.same('number of crosses', [rows.length, summary.crosses], [plan.crosses, plan.crosses]);
  found.same('pairs made twice', new Set(keys).size, keys.length);
  found.same(
    'required pairs',
    plan.required.map(keyOf).filter((key) => !keys.includes(key)),
    [],
  );
  found.same(
    'forbidden pairs',
    plan.forbidden.map(keyOf).filter((key) => keys.includes(key)),
    [],
  );
  const uses = indexes(asked.candidates.length).map((i) => pairs.filter((pair) => pair.includes(i)).length);
  const { most } = useLimits(plan);
  found.same('uses beyond the most', uses.filter((use, i) => use > (most[i] ?? 0)).length, 0);
  found.same('parents', summary.parents, uses.filter((use) => use > 0).length);
  const usefulness = new Map(rankedPairs(plan, index).map((one) => [one.pair.join(), one.usefulness]));
  for (const [k, [i, j]] of pairs.entries()) {
    const row = rows[k] ?? {};
    const mean = ((index.value[i] ?? Number.NaN) + (index.value[j] ?? Number.NaN)) / 2;
    found.close('index of crosses', Number(row['index']), mean, EXACT, Math.max(range, 1));
    found.close('inbreeding', Number(row['inbreeding']), (plan.relationship[i]?.[j] ?? Number.NaN) / 2, EXACT, 1);
    for (const [t, { name }] of asked.world.traits.slice(0, asked.traits).entries()) {
      const middle = ((plan.values[i]?.[t] ?? Number.NaN) + (plan.values[j]?.[t] ?? Number.NaN)) / 2;
      found.close('means of crosses', Number(row[`mean_${name}`]), middle, EXACT, Math.max(1, Math.abs(middle)));
    }
    const spread = index.spread(Math.min(i, j), Math.max(i, j));
    found.same('spread known', row['sd'] !== '', spread !== null);
    if (spread === null) continue;
    found.close('sd', Number(row['sd']), spread, SINGLE, Math.max(range, 1));
    const useful = usefulness.get(keyOf([i, j])) ?? Number.NaN;
    found.close('usefulness', Number(row['usefulness']), useful, 3 * SINGLE, Math.max(range, 1));
  }
  comparePairing({ asked, plan, index, range, summary, found }, uses, pairs);
  return uses;
}

/** No other pairing of the same uses has more merit. */
function comparePairing(
  { asked, plan, index, found }: Compared,
  uses: readonly number[],
  pairs: readonly [number, number][],
): void {
  const isSpread = plan.mates === 'usefulness' && plan.covariance !== null;
  const merit = (i: number, j: number): number =>
    isSpread
      ? (index.spread(Math.min(i, j), Math.max(i, j)) ?? Number.NaN)
      : -(plan.relationship[i]?.[j] ?? Number.NaN) / 2;
  const isRequired = ([i, j]: readonly [number, number]): boolean =>
    plan.required.some((pair) => pair.includes(i) && pair.includes(j));
  const given = pairs.filter((pair) => !isRequired(pair)).reduce((sum, [i, j]) => sum + merit(i, j), 0);
  const most = bestPairing(plan, uses, merit);
  if (most === null) throw new Error(`the uses of ${asked.candidates.join(', ')} have no pairing by definition`);
  found.close('merit of the pairing', given, most, SINGLE, Math.max(1, Math.abs(most)));
}

/** No whole numbers of uses under the cap that can be paired have a larger value. */
function compareWholeNumbers({ plan, index, range, summary, found }: Compared, uses: readonly number[]): void {
  const size = Math.max(range, EXACT);
  const under = [...allUses(plan, index.value)]
    .filter(({ coancestry }) => coancestry <= summary.cap + EXACT)
    .sort((a, b) => b.value - a.value);
  const most = under.find((one) => bestPairing(plan, one.uses, () => 0) !== null)?.value;
  found.same('meets the cap', summary.meets_cap, most !== undefined);
  found.same('why above the cap', summary.above_cap_because === null, summary.meets_cap);
  if (most === undefined) return;
  found.same('value above its bound', summary.value > summary.value_bound + EXACT * size, false);
  found.same('bound below the best plan', summary.value_bound < most - EXACT * size, false);
  found.close('best whole numbers', summary.value, most, EXACT, size);
  found.same(
    'sum of the uses',
    uses.reduce((sum, use) => sum + use, 0),
    2 * plan.crosses,
  );
}

function compareCandidates(
  { asked, plan, index, range, summary, found }: Compared,
  uses: readonly number[],
  rows: readonly Row[],
): void {
  const optimum = optimumAt(plan, index.value, summary.cap);
  const given = rows.map((row) => Number(row['contribution']));
  for (const [i, name] of asked.candidates.entries()) {
    const row = rows[i] ?? {};
    found.same('candidate', row['id'], name);
    found.same('uses', row['crosses'], String(uses[i]));
    found.close('index of candidates', Number(row['index']), index.value[i] ?? 0, EXACT, Math.max(range, 1));
    for (const [t, trait] of asked.world.traits.slice(0, asked.traits).entries()) {
      const value = plan.values[i]?.[t] ?? Number.NaN;
      found.close('breeding value', Number(row[`gebv_${trait.name}`]), value, EXACT, Math.max(1, Math.abs(value)));
    }
    if (range > EXACT) found.within('contribution', given[i] ?? Number.NaN, optimum.contributions[i] ?? 0, 0.01);
  }
  const value = given.reduce((sum, c, i) => sum + c * (index.value[i] ?? 0), 0);
  found.close(
    'sum of contributions',
    given.reduce((sum, c) => sum + c, 0),
    1,
    EXACT,
  );
  found.close('optimal value', value, optimum.value, RIDGE, Math.max(range, EXACT));
  const isMet = optimum.coancestry <= summary.cap + EXACT;
  found.same('contributions meet the cap', coancestryOf(plan.relationship, given) <= summary.cap + RIDGE, isMet);
}

function compareRanking({ asked, plan, index, range, found }: Compared, rows: readonly Row[]): void {
  const ranked = rankedPairs(plan, index);
  found.same('ranked pairs', rows.length, ranked.length);
  const size = Math.max(range, 1);
  const byPair = new Map(ranked.map((one) => [one.pair.join(), one]));
  for (const [k, row] of rows.entries()) {
    const pair = [row['parent1'], row['parent2']].map((name) => asked.candidates.indexOf(name ?? ''));
    const [i = 0, j = 0] = pair;
    found.close('ranking', Number(row['usefulness']), ranked[k]?.usefulness ?? Number.NaN, 3 * SINGLE, size);
    const own = byPair.get(pair.join())?.usefulness ?? Number.NaN;
    found.close('usefulness of pairs', Number(row['usefulness']), own, 3 * SINGLE, size);
    found.close('coancestry of pairs', Number(row['coancestry']), (plan.relationship[i]?.[j] ?? 0) / 2, EXACT, 1);
  }
}
