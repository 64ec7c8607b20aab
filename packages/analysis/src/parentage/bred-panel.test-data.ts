import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packCalls, packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { createRandomStream, type RandomStream } from '@heterosis/statgen/random/random-stream';

const CHROMOSOMES = 10;

/** Copies of A2 by individual and marker, null = missing, and the pedigree that made them. */
export interface BredPanel {
  names: string[];
  dosages: (number | null)[][];
  pedigree: PedigreeTable;
}

type Haplotypes = [number[], number[]];

/**
 * A small breeding programme, bred with linkage and genotyped with errors: inbred founders L1–L12, F1s, families of
 * doubled haploids and of F5 lines, a backcross, and crosses of unselected plants.
 */
export function bredPanel(markers: number, seed: number, errorRate = 0.005, missing = 0.03): BredPanel {
  const random = createRandomStream(seed, 'bred');
  const plants: Haplotypes[] = [];
  const rows: { name: string; maternal: number; paternal: number; selfings: number }[] = [];
  const add = (name: string, maternal: number, paternal: number, selfings: number): number => {
    rows.push({ name, maternal, paternal, selfings });
    plants.push(maternal < 0 ? founder(markers, random) : bred(plants, { maternal, paternal, selfings }, random));
    return rows.length - 1;
  };
  const inbred = Number.POSITIVE_INFINITY;
  const lines = Array.from({ length: 12 }, (_, i) => add(`L${i + 1}`, -1, -1, inbred));
  const cross = (name: string, a: number, b: number, size: number, selfings: number): number[] =>
    Array.from({ length: size }, (_, k) => add(`${name}-${k + 1}`, a, b, selfings));
  const [ab = 0] = cross('F1ab', lines[0] ?? 0, lines[1] ?? 0, 1, 0);
  const [cd = 0] = cross('F1cd', lines[2] ?? 0, lines[3] ?? 0, 1, 0);
  cross('DH', ab, ab, 20, inbred);
  cross('RIL', lines[4] ?? 0, lines[5] ?? 0, 20, 4);
  cross('BC', lines[0] ?? 0, ab, 8, 0);
  const doubles = cross('D', ab, cd, 10, 0);
  cross('E', doubles[0] ?? 0, doubles[1] ?? 0, 5, 0);
  cross('G', lines[6] ?? 0, lines[7] ?? 0, 6, inbred);
  return {
    names: rows.map(({ name }) => name),
    dosages: plants.map(([first, second]) =>
      first.map((allele, j) => {
        if (random.uniform() < missing) return null;
        return random.uniform() < errorRate ? random.nextInt(3) : allele + (second[j] ?? 0);
      }),
    ),
    pedigree: {
      names: rows.map(({ name }) => name),
      maternal: Int32Array.from(rows, ({ maternal }) => maternal),
      paternal: Int32Array.from(rows, ({ paternal }) => paternal),
      selfings: Float64Array.from(rows, ({ selfings }) => selfings),
      collections: rows.map(() => null),
      origins: rows.map(() => 'row'),
    },
  };
}

function founder(markers: number, random: RandomStream): Haplotypes {
  const haplotype = Array.from({ length: markers }, () => random.nextInt(2));
  return [haplotype, haplotype];
}

function bred(
  plants: readonly Haplotypes[],
  { maternal, paternal, selfings }: { maternal: number; paternal: number; selfings: number },
  random: RandomStream,
): Haplotypes {
  const gameteOf = (plant: Haplotypes): number[] => gamete(plant, random);
  const [female, male] = [plants[maternal], plants[paternal]];
  if (female === undefined || male === undefined) throw new RangeError('parents come before progeny');
  if (selfings === Number.POSITIVE_INFINITY) {
    const doubled = maternal === paternal ? gameteOf(female) : gameteOf([gameteOf(female), gameteOf(male)]);
    return [doubled, doubled];
  }
  let plant: Haplotypes = [gameteOf(female), gameteOf(male)];
  for (let t = 0; t < selfings; t++) plant = [gameteOf(plant), gameteOf(plant)];
  return plant;
}

/** Chromosomes of 1 M: markers of one follow each other, and a crossover may lie between any two. */
function gamete([first, second]: Haplotypes, random: RandomStream): number[] {
  const perChromosome = first.length / CHROMOSOMES;
  let isFirst = false;
  return first.map((allele, j) => {
    const isStart = Math.floor(j / perChromosome) !== Math.floor((j - 1) / perChromosome);
    if (random.uniform() < (isStart ? 0.5 : 1 / perChromosome)) isFirst = !isFirst;
    return isFirst ? allele : (second[j] ?? 0);
  });
}

/** As the analyses read it. */
export function openBredPanel({ names, dosages }: Pick<BredPanel, 'names' | 'dosages'>): GenotypePanel & {
  markerCount: number;
} {
  const markerCount = dosages[0]?.length ?? 0;
  const stride = packedLength(names.length);
  const packed = new Uint8Array(markerCount * stride);
  for (let j = 0; j < markerCount; j++) {
    const codes = Uint8Array.from(dosages, (row) => [0, 2, 3][row[j] ?? -1] ?? 1);
    packCalls(codes, packed, j * stride);
  }
  const column = (text: string): string[] => Array.from({ length: markerCount }, () => text);
  return {
    samples: names,
    markerCount,
    markers: {
      id: Array.from({ length: markerCount }, (_, j) => `m${j}`),
      chromosome: column('1'),
      positionBp: new Float64Array(markerCount),
      a1: column('A'),
      a2: column('C'),
    },
    readPacked: async (first, count) => packed.subarray(first * stride, (first + count) * stride),
    close: async () => {},
  };
}
