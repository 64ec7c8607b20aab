import {
  type BlockDosages,
  dosageUnits,
  isFraction,
  nearestCall,
  type PanelDosages,
} from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packCalls, packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';

/** A panel written down: dosages of A2 by individual and marker, whole or fractional, null = missing. */
export interface SmallPanel {
  samples: string[];
  markers: { id: string; chromosome: string; positionBp: number; a1: string; a2: string }[];
  dosages: (number | null)[][];
}

/** Individuals of two subpopulations with some missing calls; seeded. */
export function smallPanel(n: number, m: number, seed: number, prefix = 'I'): SmallPanel {
  const random = createRandomStream(seed, 'panel');
  // Markers are those of the seed's tens, so that panels of one ten have them in common.
  const shared = createRandomStream(Math.floor(seed / 10), 'markers');
  const p = Array.from({ length: m }, () => [0.2 + 0.6 * shared.uniform(), 0.2 + 0.6 * shared.uniform()]);
  return {
    samples: Array.from({ length: n }, (_, i) => `${prefix}${i + 1}`),
    markers: p.map((_, j) => ({
      ...{ id: `m${j}`, chromosome: String(1 + (j % 3)), positionBp: 1000 * (j + 1) },
      ...(j % 2 === 0 ? { a1: 'A', a2: 'G' } : { a1: 'C', a2: 'A' }),
    })),
    dosages: Array.from({ length: n }, (_, i) =>
      p.map((f) =>
        random.uniform() < 0.04 ? null : Number(random.uniform() < f[i % 2]) + Number(random.uniform() < f[i % 2]),
      ),
    ),
  };
}

/** As the analyses read it. */
export function openSmallPanel({ samples, markers, dosages }: SmallPanel): GenotypePanel {
  const stride = packedLength(samples.length);
  const packed = new Uint8Array(markers.length * stride);
  for (const j of markers.keys()) {
    packCalls(
      Uint8Array.from(dosages, (row) => nearestCall(dosageUnits(row[j] ?? Number.NaN))),
      packed,
      j * stride,
    );
  }
  return {
    samples,
    markers: {
      id: markers.map(({ id }) => id),
      chromosome: markers.map(({ chromosome }) => chromosome),
      positionBp: Float64Array.from(markers, ({ positionBp }) => positionBp),
      a1: markers.map(({ a1 }) => a1),
      a2: markers.map(({ a2 }) => a2),
    },
    readPacked: async (first, count) => packed.subarray(first * stride, (first + count) * stride),
    dosages: fractionsOf(dosages),
    close: async () => {},
  };
}

/** The markers that have fractions; undefined where all dosages are whole. */
function fractionsOf(dosages: SmallPanel['dosages']): PanelDosages | undefined {
  const unitsOf = (j: number): number[] => dosages.map((row) => dosageUnits(row[j] ?? Number.NaN));
  const markers = dosages[0].map((_, j) => unitsOf(j)).map((units) => (units.some(isFraction) ? units : null));
  const fractional = markers.filter((units) => units !== null);
  if (fractional.length === 0) return undefined;
  return {
    markerCount: fractional.length,
    callCount: fractional.flat().filter(isFraction).length,
    has: (marker) => markers[marker] !== null,
    hasFraction: (marker) => markers[marker] !== null,
    read: async (first, count): Promise<BlockDosages | undefined> => {
      const values: number[][] = [];
      const rows = Int32Array.from({ length: count }, (_, k) => {
        const units = markers[first + k];
        return units === null ? -1 : values.push(units) - 1;
      });
      return values.length === 0 ? undefined : { rows, values: Uint16Array.from(values.flat()) };
    },
  };
}

/** The same with a column of standard errors, `se`. */
export function withStandardErrors(phenotype: PhenotypeTable): PhenotypeTable {
  const errors = Float64Array.from(phenotype.individuals, (_, i) => 1 + 3 * Math.sin(3.7 * i) ** 2);
  const numeric = { name: 'se', unit: null, ontologyId: null, kind: 'numeric' as const };
  return {
    ...phenotype,
    traits: [...phenotype.traits, numeric],
    values: [...phenotype.values, errors],
    observations: [...phenotype.observations, Int32Array.from(errors, () => 1)],
    reductions: [...phenotype.reductions, 'as given'],
    h2: [...phenotype.h2, null],
  };
}

/** Genotypic values of random effects plus noise, an age and an origin; some values are missing. */
export function smallPhenotype({ samples, dosages }: SmallPanel, seed: number): PhenotypeTable {
  const random = createRandomStream(seed, 'trait');
  const a = dosages[0].map(() => random.normal());
  const d = dosages[0].map(() => random.normal());
  const age = Float64Array.from(samples, () => 20 + 3 * random.normal());
  const origin = Int32Array.from(samples, () => Math.floor(3 * random.uniform()));
  const y = Float64Array.from(samples, (_, i) => {
    const genetic = dosages[i].reduce<number>((sum, g, j) => sum + (g ?? 1) * a[j] + (g === 1 ? d[j] : 0), 0);
    const value = 100 + genetic + 0.5 * age[i] + 3 * origin[i] + 2 * random.normal();
    return i % 9 === 4 ? Number.NaN : value;
  });
  const numeric = (name: string) => ({ name, unit: null, ontologyId: null, kind: 'numeric' as const });
  return {
    shape: 'wide',
    individuals: samples,
    traits: [numeric('y'), numeric('age')],
    values: [y, age],
    observations: [y, age].map((values) => Int32Array.from(values, () => 1)),
    reductions: ['as given', 'as given'],
    h2: [null, null],
    groups: [
      {
        name: 'origin',
        origin: 'trait',
        groups: ['north', 'south', 'west'],
        codes: origin,
        conflict: null,
        hasTooMany: false,
      },
    ],
    environments: [],
  };
}
