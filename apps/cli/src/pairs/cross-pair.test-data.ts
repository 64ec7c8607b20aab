import { readFileSync } from 'node:fs';
import type { Population } from '@heterosis/analysis/crossing/populations';
import {
  type DenseMaterial,
  type DenseMoments,
  denseCriteria,
  denseMaterial,
  denseMoments,
  valueOf,
} from '@heterosis/analysis/dense/crossing.test-data';
import { type AskedCross, type AskedRow, parentsOf } from './asked-cross.test-data.ts';
import { type Comparison, rowsOfCsv } from './compare.test-data.ts';

/** The integrals of the normal distribution are good to so much. */
const TOLERANCE = 1e-8;
/** Simulated means and variances lie within so many standard errors; some 60 of each are compared in a run. */
const STANDARD_ERRORS = 5;

type Row = Record<string, string>;

/** One cross with what its definition says. */
interface Expected {
  row: AskedRow;
  moments: DenseMoments;
  progeny: number;
}

export function compareCross(
  asked: AskedCross,
  summary: Record<string, unknown>,
  table: string,
  found: Comparison,
): void {
  const { world } = asked;
  const material = denseMaterial({ ...asked, parents: parentsOf(asked) });
  const rows = rowsOfCsv(readFileSync(table, 'utf8'));
  const crosses = asked.allPairs ? allPairs(asked) : asked.crosses;
  found.same(
    'crosses and traits',
    rows.map(({ cross, trait }) => `${cross} ${trait}`),
    crosses.flatMap(({ name }) => world.traits.map((trait) => `${name} ${trait.name}`)),
  );
  compareReport(material, summary, asked, found);
  const expected = crosses.map((row): Expected => {
    const { female, male, parent3, parent4 } = row;
    const sides: [string[], string[]] =
      parent3 === undefined
        ? [[female], [male]]
        : [[female, male], parent4 === undefined ? [parent3] : [parent3, parent4]];
    const moments = denseMoments(material, { sides, population: populationOf(row, asked.population) });
    return { row, moments, progeny: row.progeny ?? asked.progeny };
  });
  for (const [k, cross] of expected.entries())
    for (const [t] of world.traits.entries())
      compareRow(asked, cross, t, rows[k * world.traits.length + t] ?? {}, found);
  if (asked.progenyOut !== null) compareProgeny(asked, expected, rows, found);
  if (asked.progenyVcf !== null) compareGenotypes(asked, { material, expected, rows }, found);
}

const populationOf = ({ type }: AskedRow, population: Population): Population =>
  type === 'biparental' ? population : type === 'self' ? 'F1' : type;

/** Each pair once; backcrosses in both directions. */
function allPairs({ world, population }: AskedCross): AskedRow[] {
  const names = world.plants.map(({ name }) => name);
  return names.flatMap((female, i) =>
    names
      .filter((_, j) => (population.startsWith('BC') ? j !== i : j > i))
      .map((male): AskedRow => ({ name: `${female}_X_${male}`, female, male, type: 'biparental', progeny: null })),
  );
}

function compareReport(
  material: DenseMaterial,
  summary: Record<string, unknown>,
  { world }: AskedCross,
  found: Comparison,
): void {
  const report = summary['markers'] as Record<string, number>;
  const unplaced = material.place.map(({ cm }) => Number.isNaN(cm));
  found.same('markers with effects', report['effect_markers'], world.effects.length);
  found.same('shared markers', report['shared'], unplaced.length);
  found.same('swapped markers', report['swapped'], material.swapped);
  found.same('markers off the map', report['unmapped'], unplaced.filter(Boolean).length);
  found.same('interpolated markers', report['interpolated'], material.interpolated);
  found.same('filled calls', report['filled_calls'], material.filled);
  const parents = [...material.parents.values()];
  const shares = material.traits.map(({ additive }) => {
    const parts = Array.from(additive, (effect, j) => {
      const p = parents.reduce((sum, plant) => sum + (plant.first[j] ?? 0) + (plant.second[j] ?? 0), 0);
      return (p / parents.length) * (1 - p / (2 * parents.length)) * effect ** 2;
    });
    const total = parts.reduce((sum, part) => sum + part, 0);
    return total === 0 ? 0 : parts.reduce((sum, part, j) => sum + (unplaced[j] === true ? part : 0), 0) / total;
  });
  found.close('variance off the map', report['unmapped_variance_share'] ?? Number.NaN, Math.max(...shares), 1e-9, 1);
}

function compareRow(asked: AskedCross, { row, moments, progeny }: Expected, t: number, given: Row, found: Comparison) {
  const traits = asked.world.traits;
  const name = traits[t]?.name ?? '';
  const mean = moments.mean[t] ?? Number.NaN;
  const variance = Math.max(0, moments.covariance[t * (traits.length + 1)] ?? Number.NaN);
  const size = Math.max(1, Math.abs(mean));
  found.same('population', given['population'], populationOf(row, asked.population));
  found.same(
    'parents',
    ['parent1', 'parent2', 'parent3', 'parent4'].map((column) => given[column]),
    [row.female, row.male, row.parent3 ?? '', row.parent4 ?? ''],
  );
  found.close('mean', Number(given['mean']), mean, TOLERANCE, size);
  found.close('variance', Number(given['variance']), variance, TOLERANCE, Math.max(1, variance));
  found.close('sd', Number(given['sd']) ** 2, variance, TOLERANCE, Math.max(1, variance));
  const isLow = asked.lowTraits.includes(name) || (asked.isLow && !asked.highTraits.includes(name));
  // Without variance, rounding decides what is above the best parent: the table's own figures are taken.
  const criteria = denseCriteria(Number(given['mean']), Number(given['variance']), moments.parentValues[t] ?? [], {
    ...{ fraction: asked.fraction, accuracy: asked.accuracy, isLow, progeny },
  });
  found.close('usefulness', Number(given['usefulness']), criteria.usefulness, TOLERANCE, size);
  found.close('expected best', Number(given['expected_best']), criteria.expectedBest, TOLERANCE, size);
  if (variance > ROUNDING)
    found.close('p_transgress', Number(given['p_transgress']), criteria.pTransgress, TOLERANCE, 1);
  found.close('kinship', Number(given['kinship']), moments.kinship, TOLERANCE, 1);
  found.same('segregating markers', given['segregating_markers'], String(moments.segregatingMarkers));
  found.same('simulated', given['sim_mean'] !== '', asked.isSimulated);
  if (!asked.isSimulated) return;
  const error = STANDARD_ERRORS * Math.sqrt(variance / progeny) + TOLERANCE * size;
  found.within('simulated mean', Number(given['sim_mean']), mean, error);
  // Values of few loci have longer tails than normal ones.
  const spread = STANDARD_ERRORS * TAILS * Math.sqrt(2 / progeny) * variance + TOLERANCE;
  found.within('simulated variance', Number(given['sim_variance']), variance, spread);
}

const ROUNDING = 1e-12;
const TAILS = 1.5;

/** The values of the progeny, by cross, against their mean and variance in the table. */
function compareProgeny(asked: AskedCross, expected: readonly Expected[], rows: readonly Row[], found: Comparison) {
  const progeny = Map.groupBy(rowsOfCsv(readFileSync(asked.progenyOut ?? '', 'utf8')), (row) => row['cross'] ?? '');
  for (const { row, progeny: count } of expected) {
    const own = progeny.get(row.name) ?? [];
    found.same(
      'progeny',
      own.map(({ id }) => id),
      Array.from({ length: count }, (_, k) => `${row.name}-${k + 1}`),
    );
    for (const { name } of asked.world.traits) {
      const given = rows.find(({ cross, trait }) => cross === row.name && trait === name);
      compareValues(
        own.map((one) => Number(one[`value_${name}`])),
        given ?? {},
        found,
      );
    }
  }
}

function compareValues(values: readonly number[], given: Row, found: Comparison): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  found.close('mean of the progeny', Number(given['sim_mean']), mean, TOLERANCE, Math.max(1, Math.abs(mean)));
  found.close('variance of the progeny', Number(given['sim_variance']), squares, TOLERANCE, Math.max(1, squares));
}

/** The genotypes of the progeny: their alleles are those of parents, and their values those of the table. */
function compareGenotypes(
  asked: AskedCross,
  { material, expected, rows }: { material: DenseMaterial; expected: readonly Expected[]; rows: readonly Row[] },
  found: Comparison,
): void {
  const lines = readFileSync(asked.progenyVcf ?? '', 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('##'))
    .map((line) => line.split('\t'));
  const [head = [], ...body] = lines;
  const shared = asked.world.effects.filter(({ id }) => asked.world.markers.some((marker) => marker.id === id));
  const placed = shared.flatMap((_, s) => (Number.isNaN(material.place[s]?.cm) ? [] : [s]));
  const calls = new Map(body.map((cells) => [cells[2] ?? '', cells]));
  found.same('markers of the progeny', [...calls.keys()].sort(), placed.map((s) => shared[s]?.id ?? '').sort());
  for (const { row, moments, progeny } of expected) {
    const columns = Array.from({ length: progeny }, (_, k) => head.indexOf(`${row.name}-${k + 1}`));
    const parents = parentsOf({ ...asked, allPairs: false, crosses: [row] }).flatMap((name) => {
      const plant = material.parents.get(name);
      return plant === undefined ? [] : [plant.first, plant.second];
    });
    const alleles = placed.map((s) => {
      const { id = '', allele = 'C' } = shared[s] ?? {};
      const cells = calls.get(id) ?? [];
      const counted = allele === 'C' ? '1' : '0';
      const own = columns.map((column) => (cells[column] ?? '').split('|').map((one) => Number(one === counted)));
      const known = new Set(parents.map((haplotype) => haplotype[s]));
      found.same(
        'alleles of the parents',
        own.flat().every((one) => known.has(one)),
        true,
      );
      return own;
    });
    for (const [t, trait] of material.traits.entries()) {
      const effects = {
        intercept: moments.fromUnplaced[t] ?? 0,
        additive: Float64Array.from(placed, (s) => trait.additive[s] ?? 0),
        dominance: Float64Array.from(placed, (s) => trait.dominance?.[s] ?? 0),
      };
      const values = columns.map((_, k) =>
        valueOf(effects, {
          first: alleles.map((own) => own[k]?.[0] ?? Number.NaN),
          second: alleles.map((own) => own[k]?.[1] ?? Number.NaN),
        }),
      );
      const name = asked.world.traits[t]?.name;
      compareValues(values, rows.find((one) => one['cross'] === row.name && one['trait'] === name) ?? {}, found);
    }
  }
}
