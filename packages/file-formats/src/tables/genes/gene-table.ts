/** Genes of an annotation, by chromosome and start. */
export interface GeneTable {
  /** As the file writes them, in the order of their first gene. */
  chromosomes: string[];
  /** Index into `chromosomes`. */
  chromosome: Int32Array;
  /** First and last base, from 1, both included. */
  start: Float64Array;
  end: Float64Array;
  /** 1 forward, −1 reverse, 0 not given. */
  strand: Int32Array;
  ids: string[];
  /** The short name; the id where a gene has none. */
  names: string[];
  /** What is known of its function; empty where nothing is. */
  descriptions: string[];
}

/** Index of the first gene of each chromosome, and the number of genes behind the last. */
export function firstGenes({ chromosomes, chromosome }: GeneTable): Int32Array {
  const first = new Int32Array(chromosomes.length + 1).fill(chromosome.length);
  for (let gene = chromosome.length - 1; gene >= 0; gene--) first[chromosome[gene]] = gene;
  for (let index = chromosomes.length - 1; index >= 0; index--) first[index] = Math.min(first[index], first[index + 1]);
  return first;
}
