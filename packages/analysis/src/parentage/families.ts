import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { AnalysisError } from '../context.ts';
import type { NameMatching } from '../inputs/align-phenotype.ts';
import { matchIndividuals } from '../inputs/match-names.ts';

/**
 * What a call of the child may be, given those of its parents: `cross`, one gamete of each; `line`, any alleles that
 * its parents have, after generations of selfing or doubling; `clone`, the call of its one parent.
 */
export type DescentRule = 'cross' | 'line' | 'clone';

/** A genotyped child with its parents in the pedigree. */
export interface Family {
  /** Position of the child among the samples. */
  child: number;
  /** Positions of the parents; −1 where they are unknown or not genotyped. Both are equal for progeny of one plant. */
  female: number;
  male: number;
  /** The parents are not genotyped, and `female` and `male` are all the genotyped plants that they descend from. */
  isThrough: boolean;
  /** Names in the pedigree; null where unknown. */
  femaleName: string | null;
  maleName: string | null;
  rule: DescentRule;
  /** 2^−t for t generations of selfing after the cross. */
  heterozygosity: number;
}

/** The pedigree as seen from the samples of a genotype. */
export interface SampleFamilies {
  /** Children with a known parent, in the order of the samples. */
  families: Family[];
  /** Samples that are in the pedigree. */
  inPedigree: number;
  /** By sample: 1 if the pedigree knows progeny of it. */
  isParent: Uint8Array;
  /** The samples that descend from this one. */
  descendantsOf(sample: number): Set<number>;
}

/** An individual with an inbreeding coefficient from here on is taken for a line, whatever the pedigree says. */
const LINE_F = 0.75;

/** How an individual of unknown descent is taken, by its inbreeding coefficient. */
export const descentByMarkers = (f: number): { rule: DescentRule; heterozygosity: number } =>
  f >= LINE_F ? { rule: 'line', heterozygosity: 0 } : { rule: 'cross', heterozygosity: 1 };

/**
 * Finds the samples in a pedigree by their names. Pedigrees often leave out that a line was selfed: the child of a
 * cross without heterozygous calls is taken for a line.
 *
 * @param inbreeding F of each sample from its markers; NaN where it has no calls
 * @throws AnalysisError `parentage/nothing-in-pedigree`
 */
export function familiesOf(
  samples: readonly string[],
  table: PedigreeTable,
  inbreeding: Float64Array,
  { renames: _, ...matching }: NameMatching = {},
): SampleFamilies {
  const { both } = matchIndividuals(samples, table.names, { ...matching, suggestionsPerName: 0 });
  if (both.length === 0) {
    throw new AnalysisError(
      'parentage/nothing-in-pedigree',
      'The genotype and the pedigree have no individual in common.',
      'Choose the pedigree of this material, or write the names in both in the same way.',
      { genotyped: samples.length, in_pedigree: table.names.length },
    );
  }
  const rowOfName = new Map(table.names.map((name, row) => [name, row]));
  const sampleOfName = new Map(samples.map((name, sample) => [name, sample]));
  const rowOf = new Int32Array(samples.length).fill(-1);
  const sampleOf = new Int32Array(table.names.length).fill(-1);
  for (const { left, right } of both) {
    const [sample, row] = [sampleOfName.get(left) ?? -1, rowOfName.get(right) ?? -1];
    rowOf[sample] = row;
    sampleOf[row] = sample;
  }
  const families: Family[] = [];
  for (let child = 0; child < samples.length; child++) {
    const row = rowOf[child];
    if (row >= 0 && (table.maternal[row] >= 0 || table.paternal[row] >= 0)) {
      const own = descent(table.selfings[row], inbreeding[child]);
      families.push({ child, ...own, ...parentsOf(table, row, sampleOf, own.rule) });
    }
  }
  return { families, inPedigree: both.length, ...progenyOf(table, rowOf, sampleOf) };
}

function parentsOf(table: PedigreeTable, row: number, sampleOf: Int32Array, rule: DescentRule) {
  const [mother, father] = [table.maternal[row], table.paternal[row]];
  const parents = {
    female: mother < 0 ? -1 : sampleOf[mother],
    male: father < 0 ? -1 : sampleOf[father],
    femaleName: mother < 0 ? null : table.names[mother],
    maleName: father < 0 ? null : table.names[father],
    isThrough: false,
  };
  if (rule === 'clone' || (parents.female >= 0 && parents.male >= 0)) return parents;
  // F1s and backcrosses are seldom genotyped. Whatever happened on the way, all alleles come from where it began.
  const sources = sourcesOf(table, [mother, father], sampleOf);
  if (sources === undefined) return parents;
  const [female, male = female] = sources;
  return { ...parents, female, male, isThrough: true, rule: 'line' as const };
}

/** More plants are not looked at between a child and the genotyped ones. */
const MOST_BETWEEN = 100;

/** The one or two samples from which these plants descend, through plants without genotype; undefined for others. */
function sourcesOf(
  { maternal, paternal }: PedigreeTable,
  plants: readonly number[],
  sampleOf: Int32Array,
): [number, number?] | undefined {
  const open = [...plants];
  const seen = new Set<number>();
  const found = new Set<number>();
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    if (row < 0 || seen.size > MOST_BETWEEN) return undefined;
    if (seen.has(row)) continue;
    seen.add(row);
    if (sampleOf[row] >= 0) found.add(sampleOf[row]);
    else open.push(maternal[row], paternal[row]);
  }
  const [first, second, third] = [...found].sort((a, b) => a - b);
  if (first === undefined || third !== undefined) return undefined;
  return second === undefined ? [first] : [first, second];
}

function descent(selfings: number, f: number): { rule: DescentRule; heterozygosity: number } {
  if (selfings < 0) return { rule: 'clone', heterozygosity: 1 };
  if (selfings === 0) return descentByMarkers(f);
  return { rule: 'line', heterozygosity: 2 ** -selfings };
}

function progenyOf(table: PedigreeTable, rowOf: Int32Array, sampleOf: Int32Array) {
  const progeny = new Map<number, number[]>();
  for (let row = 0; row < table.names.length; row++) {
    for (const parent of new Set([table.maternal[row], table.paternal[row]])) {
      if (parent < 0) continue;
      const known = progeny.get(parent);
      if (known === undefined) progeny.set(parent, [row]);
      else known.push(row);
    }
  }
  return {
    isParent: Uint8Array.from(rowOf, (row) => (row >= 0 && progeny.has(row) ? 1 : 0)),
    descendantsOf(sample: number): Set<number> {
      const found = new Set<number>();
      const seen = new Set<number>();
      const open = rowOf[sample] < 0 ? [] : [rowOf[sample]];
      for (let row = open.pop(); row !== undefined; row = open.pop()) {
        for (const one of progeny.get(row) ?? []) {
          if (seen.has(one)) continue;
          seen.add(one);
          open.push(one);
          if (sampleOf[one] >= 0) found.add(sampleOf[one]);
        }
      }
      return found;
    },
  };
}
