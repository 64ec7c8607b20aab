import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../../random/random-stream.ts';
import { gameteDistribution } from './gametes.ts';
import { createPolyploidCrosses, type Homologs, type PolyploidGenome } from './polyploid-cross.ts';

const FOLDER = new URL('../../../reference/sim4x/', import.meta.url);

function table(name: string): Record<string, string>[] {
  const bytes = readFileSync(new URL(name, FOLDER));
  const [header = '', ...lines] = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .trim()
    .split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((column, i) => [column, cells[i] ?? '']));
  });
}

const numbers = (text = ''): Float64Array => Float64Array.from(text.split(' '), Number);

/** Homologs of `1|0|1|0 0|0|1|1`, locus by locus. */
function homologsOf(text = ''): Homologs {
  const loci = text.split(' ').map((locus) => locus.split('|').map(Number));
  return (loci[0] ?? []).map((_, k) => Uint8Array.from(loci, (locus) => locus[k] ?? 0));
}

/** A chromosome with these loci and its centromere, in cM. */
const chromosome = (positionCm: Float64Array, centromereCm: number): PolyploidGenome => ({
  markerCount: positionCm.length,
  mappedCount: positionCm.length,
  chromosomeStart: Int32Array.of(0, positionCm.length),
  positionMorgan: positionCm.map((cm) => cm / 100),
  centromereMorgan: Float64Array.of(centromereCm / 100),
});

/** References are printed with twelve digits. */
const near = (actual: number, expected: number): number =>
  Math.abs(actual - expected) / Math.max(1, Math.abs(expected));

describe('progeny of tetraploids', () => {
  const cases = table('cross4x_small.cases.csv');
  test.each(table('cross4x_small.exact.csv'))(
    'have the moments of enumeration: case $case, quadrivalents $quadrivalent_fraction',
    (row) => {
      const one = cases.find(({ case: name }) => name === row['case']);
      const genome = chromosome(numbers(one?.['pos_cM']), Number(one?.['centromere_cM']));
      const model = { ploidy: 4, quadrivalents: Number(row['quadrivalent_fraction']) };
      const [additive, dominance] = [numbers(one?.['a']), numbers(one?.['d'])];
      const traits = [
        { intercept: 0, additive, dominance: null },
        { intercept: 0, additive, dominance },
      ];
      const crosses = createPolyploidCrosses(genome, traits, model);
      const [female, male] = [one?.['parent1_haplotypes_by_locus'], one?.['parent2_haplotypes_by_locus']].map(
        homologsOf,
      );
      const [onlyAdditive, total] = crosses.moments(female ?? [], male ?? []);
      expect(near(onlyAdditive?.mean ?? Number.NaN, Number(row['mean_additive']))).toBeLessThan(1e-9);
      expect(near(onlyAdditive?.variance ?? Number.NaN, Number(row['var_additive']))).toBeLessThan(1e-9);
      expect(near(total?.mean ?? Number.NaN, Number(row['mean_total']))).toBeLessThan(1e-9);
      expect(near(total?.variance ?? Number.NaN, Number(row['var_total']))).toBeLessThan(1e-9);
    },
  );

  test('have the means and variances of all crosses of the reference population', () => {
    const parents = table('phased_parents.csv.gz');
    const effects = new Map(table('truth_effects.csv').map((row) => [row['marker'], row]));
    const map = table('map.csv');
    const at = map.filter(({ marker }) => effects.has(marker));
    const rowOf = new Map(parents.map((row) => [row['marker'], row]));
    const chromosomes = [...new Set(at.map(({ chrom }) => chrom))];
    const genome: PolyploidGenome = {
      ...chromosome(
        Float64Array.from(at, ({ cM }) => Number(cM)),
        0,
      ),
      chromosomeStart: Int32Array.of(
        ...chromosomes.map((name) => at.findIndex(({ chrom }) => chrom === name)),
        at.length,
      ),
      centromereMorgan: new Float64Array(chromosomes.length),
    };
    const of = (column: string) => Float64Array.from(at, ({ marker }) => Number(effects.get(marker)?.[column]));
    const additive = of('a_per_alt_allele');
    const traits = [
      { intercept: 0, additive, dominance: null },
      { intercept: 0, additive, dominance: of('d_times_x(p-x)/(p^2/4)') },
    ];
    const crosses = createPolyploidCrosses(genome, traits, { ploidy: 4, quadrivalents: 0 });
    const plants = new Map(
      Object.keys(parents[0] ?? {})
        .slice(1)
        .map((name) => [name, homologsOf(at.map(({ marker }) => rowOf.get(marker)?.[name] ?? '').join(' '))]),
    );
    const expected = table('cross4x_sim4x_genome.csv');
    expect(expected).toHaveLength(55);
    for (const row of expected) {
      const [female, male] = [plants.get(row['parent1'] ?? '') ?? [], plants.get(row['parent2'] ?? '') ?? []];
      const [onlyAdditive, total] = crosses.moments(female, male);
      expect(near(onlyAdditive?.mean ?? Number.NaN, Number(row['mean_additive']))).toBeLessThan(1e-9);
      expect(near(onlyAdditive?.variance ?? Number.NaN, Number(row['var_additive']))).toBeLessThan(1e-9);
      expect(near(total?.mean ?? Number.NaN, Number(row['mean_total']))).toBeLessThan(1e-9);
      expect(near(total?.variance ?? Number.NaN, Number(row['var_total']))).toBeLessThan(1e-9);
    }
  });

  test('have the classes of the reference at one locus, at any double reduction that a place can have', () => {
    for (const row of table('cross4x_onelocus.csv')) {
      const [over = '', under = '1'] = (row['alpha'] ?? '').split('/');
      const alpha = Number(over) / Number(under);
      // 1/6 is beyond what random pairs of chromatids give.
      if (alpha > 1 / 7) continue;
      // α = (1 − e^(−7d/3))/7, and 1/7 far away.
      const place = alpha === 0 ? 0 : alpha > 0.14 ? 60 : (-3 / 7) * Math.log(1 - 7 * alpha);
      const distribution = gameteDistribution({ ploidy: 4, quadrivalents: 1 });
      const gamete = (dosage: string | undefined) => {
        const alleles = Uint8Array.from({ length: 4 }, (_, i) => Number(i < Number(dosage)));
        const joint = distribution(alleles, alleles, { first: place, second: place });
        return [0, 1, 2].map((x) => joint[x + 3 * x] ?? Number.NaN);
      };
      const [g, h] = [gamete(row['parent1_dosage']), gamete(row['parent2_dosage'])];
      for (let x = 0; x <= 4; x++) {
        let p = 0;
        for (let i = 0; i <= 2; i++) p += (g[i] ?? 0) * (h[x - i] ?? 0);
        expect(Math.abs(p - Number(row[`P${x}`]))).toBeLessThan(1e-9);
      }
    }
  });
});

test('a hexaploid has the additive variance of its pairs of homologs', () => {
  const genome = chromosome(Float64Array.of(0, 12, 40), 0);
  const additive = Float64Array.of(1, -0.7, 2);
  const plant = homologsOf('1|0|0|1|1|0 0|0|1|0|0|0 1|1|0|0|1|0');
  const other = homologsOf('0|0|0|0|0|0 1|1|1|1|1|1 0|0|0|0|0|0');
  const crosses = createPolyploidCrosses(genome, [{ intercept: 3, additive, dominance: null }], {
    ...{ ploidy: 6, quadrivalents: 0 },
  });
  let variance = 0;
  for (let i = 0; i < 6; i++) {
    for (let j = i + 1; j < 6; j++) {
      for (let l = 0; l < 3; l++) {
        for (let m = 0; m < 3; m++) {
          const kernel = Math.exp(-2 * Math.abs((genome.positionMorgan[l] ?? 0) - (genome.positionMorgan[m] ?? 0)));
          const difference = (at: number) => (additive[at] ?? 0) * ((plant[i]?.[at] ?? 0) - (plant[j]?.[at] ?? 0));
          variance += (kernel * difference(l) * difference(m)) / (4 * 5);
        }
      }
    }
  }
  const [found] = crosses.moments(plant, other);
  expect(found?.variance).toBeCloseTo(variance, 12);
  expect(found?.mean).toBeCloseTo(3 + (3 * 1) / 2 + (-0.7 * (1 + 6)) / 2 + (2 * 3) / 2, 12);
  expect(crosses.values(other)[0]).toBeCloseTo(3 - 0.7 * 6, 12);
});

test('at ploidy 2 a gamete is that of a diploid', () => {
  const distribution = gameteDistribution({ ploidy: 2, quadrivalents: 0 });
  const r = (1 - Math.exp(-2 * 0.3)) / 2;
  const joint = distribution(Uint8Array.of(1, 0), Uint8Array.of(1, 0), { first: 0.1, second: 0.4 });
  for (const [at, p] of [(1 - r) / 2, r / 2, r / 2, (1 - r) / 2].entries()) expect(joint[at]).toBeCloseTo(p, 15);
});

test('quadrivalents need four homologs', () => {
  expect(() => gameteDistribution({ ploidy: 6, quadrivalents: 0.5 })).toThrow(RangeError);
  expect(() => gameteDistribution({ ploidy: 5, quadrivalents: 0 })).toThrow(RangeError);
});

test.each([4, 6])('of ploidy %i without linkage vary as the mean over all phases of their parents', (ploidy) => {
  const random = createRandomStream(5, 'phases', `${ploidy}`);
  const loci = 6;
  const linked = chromosome(
    Float64Array.from({ length: loci }, (_, j) => 8 * j),
    0,
  );
  const apart = {
    ...linked,
    chromosomeStart: Int32Array.from({ length: loci + 1 }, (_, j) => j),
    centromereMorgan: new Float64Array(loci),
  };
  const additive = Float64Array.from({ length: loci }, () => random.uniform() - 0.3);
  const traits = [{ intercept: 0, additive, dominance: additive.map(() => random.uniform()) }];
  const model = { ploidy, quadrivalents: 0 };
  /** As many copies at each locus as before, on any of the homologs. */
  const inAnyPhase = (copies: readonly number[]): Homologs => {
    const homologs = Array.from({ length: ploidy }, () => new Uint8Array(loci));
    for (const [j, count] of copies.entries()) {
      const places = homologs.map((_, k) => k);
      for (let x = 0; x < count; x++) {
        const [k = 0] = places.splice(Math.floor(random.uniform() * places.length), 1);
        (homologs[k] ?? new Uint8Array(loci))[j] = 1;
      }
    }
    return homologs;
  };
  const [female, male] = [0, 1].map(() =>
    Array.from({ length: loci }, () => Math.floor(random.uniform() * (ploidy + 1))),
  );
  const variances = Array.from({ length: 400 }, () => {
    const crosses = createPolyploidCrosses(linked, traits, model);
    return crosses.moments(inAnyPhase(female ?? []), inAnyPhase(male ?? []))[0]?.variance ?? Number.NaN;
  });
  const mean = variances.reduce((sum, one) => sum + one, 0) / variances.length;
  const spread = Math.sqrt(variances.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (variances.length - 1));
  const [alone] = createPolyploidCrosses(apart, traits, model).moments(
    inAnyPhase(female ?? []),
    inAnyPhase(male ?? []),
  );
  expect(spread).toBeGreaterThan(0.01 * mean);
  expect(Math.abs((alone?.variance ?? Number.NaN) - mean)).toBeLessThan(4 * (spread / Math.sqrt(variances.length)));
});
