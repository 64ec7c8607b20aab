// Crosses from their definitions: every pair of loci is carried through all generations.
import type { CrossSide, PhasedParent, TraitEffects } from '@heterosis/statgen/crossing/crossing-genome';
import type { Population } from '@heterosis/statgen/crossing/population';
import { plainMoments } from '@heterosis/statgen/crossing/two-locus.test-data';
import type { CrossingMapRow, CrossingMarker, CrossingPlant, CrossingWorld } from './crossing-world.test-data.ts';
import { kinshipOf } from './design.test-data.ts';
import { intensityOf, meanOfLargest, upperTail } from './normal.test-data.ts';
import { indexes, UNKNOWN } from './world.test-data.ts';

export interface DenseCrossing {
  world: CrossingWorld;
  /** Names of the plants that are parents: missing calls take the commoner allele among them. */
  parents: readonly string[];
  mapFunction: 'haldane' | 'kosambi';
  missingMapMarkers: 'interpolate' | 'drop';
  /** Base pairs make the map: so many per cM. */
  bpPerCm?: number;
}

/** Parents and effects at the markers that both files have. */
export interface DenseMaterial {
  traits: TraitEffects[];
  parents: Map<string, PhasedParent>;
  /** Places on the map in cM; NaN without. */
  place: { chromosome: string; cm: number }[];
  recombination: (i: number, j: number) => number;
  /** Relationship of two parents. */
  kinship: (one: string, other: string) => number;
  interpolated: number;
  swapped: number;
  filled: number;
}

/** Alleles count the allele of each effect. */
export function denseMaterial({ world, ...asked }: DenseCrossing): DenseMaterial {
  const parents = world.plants.filter(({ name }) => asked.parents.includes(name));
  const filled = withCommonerAlleles(parents);
  const shared = world.effects.filter(({ id }) => world.markers.some((marker) => marker.id === id));
  const at = shared.map(({ id }) => world.markers.findIndex((marker) => marker.id === id));
  const lacking = world.effects.filter((effect) => !shared.includes(effect));
  const turned = (haplotype: readonly (number | null)[]): Uint8Array =>
    Uint8Array.from(at, (j, s) => (shared[s].allele === 'C' ? 1 : 0) ^ 1 ^ (haplotype[j] ?? 0));
  const map = asked.bpPerCm === undefined ? withBasePairs(world) : mapByBasePairs(world.markers, asked.bpPerCm);
  const place = at.map((j) => placeOf(world.markers[j], map, asked.missingMapMarkers));
  const everybody = world.plants.map(({ first, second }) =>
    first.map((allele, j) => (allele === null ? null : allele + (second[j] ?? 0))),
  );
  const relationship = kinshipOf(
    {
      individuals: world.plants.map(({ name }) => name),
      markers: world.markers.map((marker, j) => ({ ...marker, dosages: everybody.map((dosages) => dosages[j]) })),
    },
    indexes(world.markers.length).filter((j) => new Set(everybody.map((dosages) => dosages[j])).size > 1),
    'vanraden1',
  );
  const rowOf = (name: string): number => world.plants.findIndex((plant) => plant.name === name);
  return {
    traits: world.traits.map(({ intercept }, t) => ({
      intercept: lacking.reduce(
        (sum, { mean, additive, dominance }) =>
          sum + (mean === null ? 0 : mean.copies * additive[t] + mean.heterozygosity * dominance[t]),
        intercept,
      ),
      additive: Float64Array.from(shared, ({ additive }) => additive[t]),
      dominance: Float64Array.from(shared, ({ dominance }) => dominance[t]),
    })),
    parents: new Map(filled.map(({ name, first, second }) => [name, { first: turned(first), second: turned(second) }])),
    place,
    recombination: (i, j) => recombinationOf(place[i], place[j], asked.mapFunction),
    kinship: (one, other) => relationship[rowOf(one)][rowOf(other)],
    interpolated: at.filter((j, s) => !Number.isNaN(place[s].cm) && !map.some(({ id }) => id === world.markers[j].id))
      .length,
    swapped: shared.filter(({ allele }) => allele === 'A').length,
    filled: parents.reduce((sum, { first }) => sum + first.filter((allele) => allele === null).length, 0),
  };
}

function withCommonerAlleles(parents: readonly CrossingPlant[]): CrossingPlant[] {
  const commoner = parents[0].first.map((_, j) => {
    const alleles = parents.flatMap(({ first, second }) => [first[j], second[j]]).filter((one) => one !== null);
    return Number(2 * alleles.reduce((sum, allele) => sum + allele, 0) > alleles.length);
  });
  const fill = (haplotype: readonly (number | null)[]) => haplotype.map((allele, j) => allele ?? commoner[j]);
  return parents.map(({ name, first, second }) => ({ name, first: fill(first), second: fill(second) }));
}

/** Rows without base pairs have those of their marker in the genotype, if it has a chromosome there. */
function withBasePairs({ map, markers }: CrossingWorld): CrossingMapRow[] {
  return map.map((row) => {
    const marker = markers.find(({ id, chromosome }) => id === row.id && chromosome !== UNKNOWN);
    return Number.isNaN(row.positionBp) ? { ...row, positionBp: marker?.positionBp ?? Number.NaN } : row;
  });
}

function mapByBasePairs(markers: readonly CrossingMarker[], bpPerCm: number): CrossingMapRow[] {
  return markers
    .filter(({ chromosome }) => chromosome !== UNKNOWN)
    .map((marker) => ({ ...marker, positionCm: marker.positionBp / bpPerCm }));
}

/** On the map, or between its rows by base pairs; beyond them at the mean rate of the chromosome. */
function placeOf(
  { id, chromosome, positionBp }: CrossingMarker,
  map: readonly CrossingMapRow[],
  missing: 'interpolate' | 'drop',
): { chromosome: string; cm: number } {
  const own = map.find((row) => row.id === id);
  if (own !== undefined) return { chromosome: own.chromosome, cm: own.positionCm };
  const nowhere = { chromosome, cm: Number.NaN };
  const rows = map
    .filter((row) => row.chromosome === chromosome && !Number.isNaN(row.positionBp))
    .sort((a, b) => a.positionBp - b.positionBp);
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (missing === 'drop' || chromosome === UNKNOWN || first === undefined || last === undefined) return nowhere;
  if (first.positionBp === last.positionBp) return nowhere;
  const left = rows.findLast((row) => row.positionBp < positionBp) ?? null;
  const right = rows.find((row) => row.positionBp >= positionBp) ?? null;
  const [from, to] = left === null || right === null ? [first, last] : [left, right];
  const rate = (to.positionCm - from.positionCm) / (to.positionBp - from.positionBp);
  const nearest = right === null ? last : (left ?? first);
  return { chromosome, cm: nearest.positionCm + rate * (positionBp - nearest.positionBp) };
}

function recombinationOf(
  one: DenseMaterial['place'][number],
  other: DenseMaterial['place'][number],
  mapFunction: 'haldane' | 'kosambi',
): number {
  const morgan = Math.abs(one.cm - other.cm) / 100;
  if (Number.isNaN(morgan) || one.chromosome !== other.chromosome) return 0.5;
  return mapFunction === 'haldane' ? (1 - Math.exp(-2 * morgan)) / 2 : Math.tanh(2 * morgan) / 2;
}

/** A cross of the plants of two sides, one or two each. */
export interface DenseCross {
  sides: readonly [readonly string[], readonly string[]];
  population: Population;
}

export interface DenseMoments {
  /** By trait, and what markers without place add to it. */
  mean: number[];
  fromUnplaced: number[];
  /** T × T. */
  covariance: number[];
  parentValues: number[][];
  kinship: number;
  segregatingMarkers: number;
}

/** Doubled haploids of a single plant come from its own gametes. */
export function denseMoments(material: DenseMaterial, { sides, population }: DenseCross): DenseMoments {
  const plantOf = (name: string): PhasedParent => {
    const plant = material.parents.get(name);
    if (plant === undefined) throw new RangeError(`no parent ${name}`);
    return plant;
  };
  const [female, male] = sidesOf(sides, population, plantOf);
  const places = indexes(material.place.length);
  const momentsOf = (chosen: readonly number[]) =>
    plainMoments(
      material.traits.map(({ additive, dominance }) => ({
        intercept: 0,
        additive: Float64Array.from(chosen, (j) => additive[j]),
        dominance: Float64Array.from(chosen, (j) => dominance?.[j] ?? 0),
      })),
      sideAt(female, chosen),
      sideAt(male, chosen),
      population,
      (i, j) => material.recombination(chosen[i], chosen[j]),
    );
  const placed = momentsOf(places.filter((j) => !Number.isNaN(material.place[j].cm)));
  const unplaced = momentsOf(places.filter((j) => Number.isNaN(material.place[j].cm)));
  const names = sides.flat();
  const alleles = names.map(plantOf).flatMap(({ first, second }) => [first, second]);
  const pairs = sides[0].flatMap((one) => sides[1].map((other) => material.kinship(one, other)));
  const fromUnplaced = material.traits.map(({ intercept }, t) => intercept + unplaced.mean[t]);
  return {
    fromUnplaced,
    mean: fromUnplaced.map((value, t) => value + placed.mean[t]),
    covariance: placed.covariance,
    parentValues: material.traits.map((trait) => names.map((name) => valueOf(trait, plantOf(name)))),
    kinship: pairs.reduce((sum, value) => sum + value, 0) / pairs.length,
    segregatingMarkers: places.filter((j) => new Set(alleles.map((haplotype) => haplotype[j])).size > 1).length,
  };
}

function sidesOf(
  sides: DenseCross['sides'],
  population: Population,
  plantOf: (name: string) => PhasedParent,
): [CrossSide, CrossSide] {
  const [female, male] = sides.map(([one, other]): CrossSide => {
    const plant = plantOf(one);
    return other === undefined ? plant : [plant, plantOf(other)];
  });
  if (population !== 'DH' || sides.flat().length > 2 || sides[0][0] !== sides[1][0]) return [female, male];
  const { first, second } = plantOf(sides[0][0]);
  return [
    { first, second: first },
    { first: second, second },
  ];
}

/** A side at some of the markers. */
function sideAt(side: CrossSide, chosen: readonly number[]): CrossSide {
  const plantAt = ({ first, second }: PhasedParent): PhasedParent => ({
    first: Uint8Array.from(chosen, (j) => first[j]),
    second: Uint8Array.from(chosen, (j) => second[j]),
  });
  return 'first' in side ? plantAt(side) : [plantAt(side[0]), plantAt(side[1])];
}

/** Genetic value of a plant: intercept, additive effects and dominance. */
export function valueOf(
  { intercept, additive, dominance }: TraitEffects,
  { first, second }: { first: ArrayLike<number>; second: ArrayLike<number> },
): number {
  return additive.reduce(
    (sum, effect, j) => sum + effect * (first[j] + second[j]) + (first[j] === second[j] ? 0 : (dominance?.[j] ?? 0)),
    intercept,
  );
}

export interface DenseSelection {
  fraction: number;
  accuracy: number;
  isLow: boolean;
  progeny: number;
}

/** What follows from mean and standard deviation under a normal distribution. */
export function denseCriteria(
  mean: number,
  variance: number,
  parentValues: readonly number[],
  { fraction, accuracy, isLow, progeny }: DenseSelection,
): { usefulness: number; pTransgress: number; expectedBest: number } {
  const sd = Math.sqrt(Math.max(0, variance));
  const sign = isLow ? -1 : 1;
  const lead = sign * mean - Math.max(...parentValues.map((value) => sign * value));
  return {
    usefulness: mean + sign * intensityOf(fraction) * accuracy * sd,
    pTransgress: sd === 0 ? Number(lead > 0) : upperTail(-lead / sd),
    expectedBest: mean + sign * sd * meanOfLargest(progeny),
  };
}
