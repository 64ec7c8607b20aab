/** Canonical form of a chromosome name for comparison: `Chr01`, `chromosome 1` and `1` are the same. */
export function chromosomeKey(name: string): string {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/^(?:chromosome|chrom|chr)[\s_-]*(?=.)/, '');
  return key.replace(/^0+(?=\d)/, '');
}

/** Names for "no chromosome known"; `0` is PLINK's, `UN` is that of our readers. */
const UNKNOWN_CHROMOSOMES = new Set(['', '.', '-', '0', 'un', 'unknown', 'unplaced', 'unmapped', 'na']);

/** Whether a name is that of a chromosome, as opposed to unplaced markers (`UN`, `0`, `chrUn` …). */
export function isKnownChromosome(name: string): boolean {
  return !UNKNOWN_CHROMOSOMES.has(chromosomeKey(name));
}
