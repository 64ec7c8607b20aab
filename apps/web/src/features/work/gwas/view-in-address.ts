import { type GenomeAxis, type GenomeView, rangeOf, wholeChromosome } from '@heterosis/charts/genome/genome-axis';

/** A part of a chromosome, in bp. */
export interface Region {
  chr: string;
  start: number;
  end: number;
}

/** Chromosomes next to each other in the order of the genome, both included. */
export interface ChromosomeRange {
  chr: string;
  to_chr: string;
}

/** What a view shows, by the names of chromosomes. */
export function partOf(genome: GenomeAxis, view: GenomeView): Region | ChromosomeRange {
  const { first, last } = rangeOf(genome, view);
  const chr = genome.names[first] ?? '';
  if (view.chromosome === undefined) return { chr, to_chr: genome.names[last] ?? '' };
  const offset = genome.offsets[view.chromosome] ?? 0;
  return { chr, start: Math.max(0, Math.floor(view.start - offset)), end: Math.ceil(view.end - offset) };
}

/** `3:1000-2000` for a part of chromosome 3, `3:5` for chromosomes 3 to 5. */
export function formatView(genome: GenomeAxis, view: GenomeView | undefined): string | undefined {
  if (view === undefined) return undefined;
  const part = partOf(genome, view);
  return 'to_chr' in part ? `${part.chr}:${part.to_chr}` : `${part.chr}:${part.start}-${part.end}`;
}

/** The view that an address names; undefined for the whole genome and for what this genome has not. */
export function parseView(genome: GenomeAxis, text: string | undefined): GenomeView | undefined {
  if (text === undefined) return undefined;
  const [, name = '', start = '', end = ''] = /^(.*):(\d+)-(\d+)$/.exec(text) ?? [];
  const chromosome = genome.names.indexOf(name);
  if (chromosome >= 0 && Number(start) < Number(end)) {
    const whole = wholeChromosome(genome, chromosome);
    const at = (positionBp: string): number => Math.min(whole.end, whole.start + Number(positionBp));
    return at(start) < at(end) ? { start: at(start), end: at(end), chromosome } : undefined;
  }
  // Names of contigs have colons, too.
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const first = genome.names.indexOf(text.slice(0, colon));
    const last = genome.names.indexOf(text.slice(colon + 1));
    if (first >= 0 && last > first)
      return { start: wholeChromosome(genome, first).start, end: wholeChromosome(genome, last).end };
  }
  return undefined;
}
