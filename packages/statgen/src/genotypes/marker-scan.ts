import { type CallCounts, callRate, frequencyA2 } from './call-counts.ts';

/** What a pass over all markers has found, one entry a marker read, in file order. */
export interface MarkerScan {
  /** Individuals the numbers refer to. */
  individuals: number;
  /** 1 where the marker passed the filter. */
  kept: Uint8Array;
  /** Markers that passed. */
  keptCount: number;
  /** Frequency of A2 among the calls; NaN where all are missing. */
  frequencyA2: Float64Array;
  callRate: Float64Array;
  /** Share of heterozygotes among the calls; NaN where all are missing. */
  heterozygosity: Float64Array;
  /** Missing calls in the markers kept: each is replaced by its marker's mean. */
  imputedCalls: number;
}

/** Collects a `MarkerScan` block by block. */
export class MarkerScanBuilder {
  private readonly blocks: { counts: CallCounts; kept: Uint8Array }[] = [];
  private readonly individuals: number;

  constructor(individuals: number) {
    this.individuals = individuals;
  }

  add(counts: CallCounts, kept: Uint8Array): void {
    this.blocks.push({ counts, kept });
  }

  finish(): MarkerScan {
    const total = this.blocks.reduce((sum, block) => sum + block.kept.length, 0);
    const scan: MarkerScan = {
      individuals: this.individuals,
      kept: new Uint8Array(total),
      keptCount: 0,
      frequencyA2: new Float64Array(total),
      callRate: new Float64Array(total),
      heterozygosity: new Float64Array(total),
      imputedCalls: 0,
    };
    let at = 0;
    for (const { counts, kept } of this.blocks) {
      for (let j = 0; j < kept.length; j++, at++) {
        scan.kept[at] = kept[j];
        scan.frequencyA2[at] = frequencyA2(counts, j);
        scan.callRate[at] = callRate(counts, j);
        scan.heterozygosity[at] = counts.heterozygous[j] / (counts.individuals - counts.missing[j]);
        if (kept[j] === 1) {
          scan.keptCount++;
          scan.imputedCalls += counts.missing[j];
        }
      }
    }
    return scan;
  }
}
