import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { drawArchitecture } from './draw-architecture.ts';
import { createPackedGenome } from './packed-genome.ts';
import { createPopulation } from './packed-population.ts';
import { createWorld, trueValues } from './programme-world.ts';
import { meanOf, varianceOf } from './statistics.ts';

const LOCI = 200;
const genome = createPackedGenome({
  loci: Array.from({ length: LOCI }, (_, j) => `l${j}`),
  chromosome: Array.from({ length: LOCI }, (_, j) => String(1 + (j % 5))),
  positionCm: Float64Array.from({ length: LOCI }, (_, j) => j / 2),
});
const founders = createPopulation(genome, 40, false);
const alleles = createRandomStream(3, 'alleles');
// The last 20 loci vary in nobody.
for (let h = 0; h < 80; h++) {
  for (let j = 0; j < LOCI - 20; j++) {
    if (alleles.uniform() < 0.5) founders.bits[h * genome.words + (j >>> 5)] |= 1 << (j & 31);
  }
}
const architecture = { trait: 'yield', qtl: 60, mean: 90, variance: 25, dominance: 0.5 } as const;
const drawn = (effects: 'normal' | 'laplace' | 'equal', seed = 1) =>
  drawArchitecture(genome, founders, { ...architecture, effects }, createRandomStream(seed, 'yield'));

test.for([['normal'], ['laplace'], ['equal']] as const)(
  'founders have the mean and the variance asked for, whatever the distribution: %s',
  ([effects]) => {
    const trait = drawn(effects);
    const world = createWorld(genome, founders, [trait]);
    const { values } = trueValues(world, { ...founders, columns: new Map() }, 0);
    expect(meanOf(values)).toBeCloseTo(90, 9);
    expect(varianceOf(values)).toBeCloseTo(25, 9);
    const qtl = Array.from(trait.additive.keys()).filter((j) => trait.additive[j] !== 0);
    expect(qtl).toHaveLength(60);
    expect(Math.max(...qtl)).toBeLessThan(LOCI - 20);
    for (const j of qtl) expect(trait.dominance?.[j]).toBeCloseTo(0.5 * Math.abs(trait.additive[j]), 12);
    if (effects === 'equal') expect(new Set(qtl.map((j) => Math.abs(trait.additive[j]).toFixed(9))).size).toBe(1);
    expect(drawn(effects, 2)).not.toEqual(trait);
  },
);

test('more QTL than loci that vary are refused', () => {
  const many = { ...architecture, effects: 'normal', qtl: 181 } as const;
  expect(() => drawArchitecture(genome, founders, many, createRandomStream(1))).toThrow('180 loci vary');
});
