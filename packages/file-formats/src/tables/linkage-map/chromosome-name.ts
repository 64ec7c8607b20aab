/** A chromosome name as it is compared: `Chr01`, `chromosome 1` and `1` are the same. */
export function chromosomeKey(name: string): string {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/^(?:chromosome|chrom|chr)[\s_-]*(?=.)/, '');
  return key.replace(/^0+(?=\d)/, '');
}

/** What files write for "no chromosome known"; `0` is PLINK's word, `UN` is what our readers write. */
const UNKNOWN_CHROMOSOMES = new Set(['', '.', '-', '0', 'un', 'unknown', 'unplaced', 'unmapped', 'na']);

/** Whether a name stands for a chromosome, and not for markers whose chromosome nobody knows (`UN`, `0`, `chrUn` …). */
export function isKnownChromosome(name: string): boolean {
  return !UNKNOWN_CHROMOSOMES.has(chromosomeKey(name));
}
