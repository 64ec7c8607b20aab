import { type CallCounts, callRate, frequencyA2, heterozygotes } from './call-counts.ts';

/** Result of a pass over all markers; the columns have one entry per marker read, in file order, or are empty. */
export interface MarkerScan {
  /** Individuals the numbers refer to. */
  individuals: number;
  /** Markers read. */
  readCount: number;
  /** Markers that passed the filter. */
  keptCount: number;
  /** 1 where the marker passed the filter. */
  kept: Uint8Array;
  /** Frequency of A2 among the calls; NaN where all are missing. */
  frequencyA2: Float64Array;
  callRate: Float64Array;
  /** Share of heterozygotes among the calls; NaN where all are missing. */
  heterozygosity: Float64Array;
  /** Missing calls in the markers kept; each is replaced by its marker's mean. */
  imputedCalls: number;
}

/** Collects a `MarkerScan` block by block; without columns its memory does not grow with the number of markers. */
export class MarkerScanBuilder {
  private readonly blocks: { counts: CallCounts; kept: Uint8Array }[] = [];
  private readonly individuals: number;
  private readonly withColumns: boolean;
  private readCount = 0;
  private keptCount = 0;
  private imputedCalls = 0;

  constructor(individuals: number, withColumns = true) {
    this.individuals = individuals;
    this.withColumns = withColumns;
  }

  add(counts: CallCounts, kept: Uint8Array): void {
    this.readCount += kept.length;
    for (let j = 0; j < kept.length; j++) {
      if (kept[j] === 0) continue;
      this.keptCount++;
      this.imputedCalls += counts.missing[j];
    }
    if (this.withColumns) this.blocks.push({ counts: copyOf(counts), kept });
  }

  finish(): MarkerScan {
    const { individuals, readCount, keptCount, imputedCalls } = this;
    const total = this.withColumns ? readCount : 0;
    const scan: MarkerScan = {
      individuals,
      readCount,
      keptCount,
      kept: new Uint8Array(total),
      frequencyA2: new Float64Array(total),
      callRate: new Float64Array(total),
      heterozygosity: new Float64Array(total),
      imputedCalls,
    };
    let at = 0;
    for (const { counts, kept } of this.blocks) {
      for (let j = 0; j < kept.length; j++, at++) {
        scan.kept[at] = kept[j];
        scan.frequencyA2[at] = frequencyA2(counts, j);
        scan.callRate[at] = callRate(counts, j);
        scan.heterozygosity[at] = heterozygotes(counts, j) / (counts.individuals - counts.missing[j]);
      }
    }
    return scan;
  }
}

/** The caller may overwrite the counts of this block with the next. */
function copyOf({ individuals, heterozygous, homozygousA2, missing, fractional }: CallCounts): CallCounts {
  return {
    individuals,
    heterozygous: heterozygous.slice(),
    homozygousA2: homozygousA2.slice(),
    missing: missing.slice(),
    fractional,
  };
}
