import type { ProblemDetails } from '../problem.ts';
import { groupedNumber } from '../text/grouped-number.ts';

/** How many samples have a ploidy. */
export interface PloidyCount {
  ploidy: number;
  samples: number;
}

/** Samples by ploidy, the lowest first. */
export function countPloidies(ploidies: Uint8Array): PloidyCount[] {
  const counts = new Map<number, number>();
  for (const one of ploidies) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].map(([ploidy, samples]) => ({ ploidy, samples })).sort((a, b) => a.ploidy - b.ploidy);
}

/** `12 have 2 copies of each chromosome, 88 have 4`. */
export function ploidiesInWords(ploidies: Uint8Array | readonly PloidyCount[]): string {
  const counts = ploidies instanceof Uint8Array ? countPloidies(ploidies) : ploidies;
  return counts
    .map(({ ploidy, samples }, k) => {
      const copies = k === 0 ? `${ploidy} copies of each chromosome` : ploidy;
      return `${groupedNumber(samples)} ${samples === 1 ? 'has' : 'have'} ${copies}`;
    })
    .join(', ');
}

/** E-GT-PLOIDY where no plant has the ploidy whose plants were asked for. */
export function noneOfPloidy(wanted: number, ploidies: Uint8Array | readonly PloidyCount[]): ProblemDetails {
  return {
    value: String(wanted),
    message: `No plant has ${wanted} copies of each chromosome: ${ploidiesInWords(ploidies)}.`,
    suggestion: 'Choose the plants of another ploidy, or take all.',
  };
}
