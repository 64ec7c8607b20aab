import type { GwasDetail } from '@heterosis/contracts/work/gwas';

/** Rate of false discoveries of the threshold, and of the family-wise error of Bonferroni's. */
const ALPHA = 0.05;

export interface GwasThresholds {
  /** 5 % over all markers. */
  bonferroni: number;
  /** 5 % over all markers by permutations, and the markers at or below it; undefined without permutations. */
  permutations: { p: number; hits: number; count: number } | undefined;
  /** One marker expected by chance in the whole scan: 1/m (Lander & Kruglyak 1995, their "suggestive linkage"). */
  suggestive: number;
  /** Largest p of the markers that pass a false discovery rate of 5 %; undefined when none does. */
  fdr: number | undefined;
  /** Markers that pass it; undefined for runs of versions that did not count them. */
  fdrHits: number | undefined;
  /**
   * Critical value 0.05·k/m of the k markers that pass (Benjamini & Hochberg 1995): where the line is drawn. It lies at
   * or above the largest passing p, and no marker between the two.
   */
  fdrLine: number | undefined;
}

type Summary = NonNullable<GwasDetail['summary'][string]>;

export function thresholdsOf(
  summary: Pick<Summary, 'bonferroni' | 'm' | 'fdr' | 'fdr_hits' | 'permutations'>,
): GwasThresholds {
  const { bonferroni, m, fdr, fdr_hits: fdrHits } = summary;
  return {
    bonferroni,
    permutations: summary.permutations,
    suggestive: 1 / Math.max(1, m),
    fdr: fdr ?? undefined,
    fdrHits: fdr === null ? 0 : fdrHits,
    fdrLine: fdr === null || fdrHits === undefined ? undefined : (ALPHA * fdrHits) / Math.max(1, m),
  };
}
