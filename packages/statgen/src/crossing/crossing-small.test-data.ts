import { readFileSync } from 'node:fs';
import { type CrossingGenome, orderGenome, type PhasedParent, type TraitEffects } from './crossing-genome.ts';

const FOLDER = new URL('../../reference/crossing-small/', import.meta.url);

/** The crossing-small reference set (see its README) in genome order. */
export interface CrossingSmall {
  genome: CrossingGenome;
  /** yield (with dominance), height (additive). */
  effects: TraitEffects[];
  parents: Map<string, PhasedParent>;
  crosses: { name: string; female: string; male: string }[];
}

/** Reads the reference set without a reader of another package, on which this package's tests must not depend. */
export function readCrossingSmall(): CrossingSmall {
  const vcf = lines('parents.vcf').filter((line) => !line.startsWith('##'));
  const samples = (vcf.at(0) ?? '').split('\t').slice(9);
  const calls = vcf.slice(1).map((line) => line.split('\t'));
  const map = readTable('linkage_map.csv');
  const effects = readTable('effects.csv');
  const { genome, order } = orderGenome(
    map.map((row) => row['chromosome'] ?? ''),
    Float64Array.from(map, (row) => Number(row['position_cM'])),
  );
  const gather = (column: string) => Float64Array.from(order, (j) => Number(effects.at(j)?.[column]));
  const allele = (sample: number, side: 0 | 2) =>
    Uint8Array.from(order, (j) => Number(calls.at(j)?.at(9 + sample)?.[side]));
  return {
    genome,
    effects: [
      { intercept: 0, additive: gather('yield_additive'), dominance: gather('yield_dominance') },
      { intercept: 0, additive: gather('height_additive'), dominance: null },
    ],
    parents: new Map(samples.map((name, i) => [name, { first: allele(i, 0), second: allele(i, 2) }])),
    crosses: readTable('crossing_table.csv').map((row) => ({
      name: row['cross'] ?? '',
      female: row['female'] ?? '',
      male: row['male'] ?? '',
    })),
  };
}

/** Rows of a reference table as objects. */
export function readTable(name: string): Record<string, string>[] {
  const [header, ...rows] = lines(name).map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(row.map((value, i) => [header?.at(i) ?? '', value])));
}

function lines(name: string): string[] {
  return readFileSync(new URL(name, FOLDER), 'utf8').trimEnd().split('\n');
}
