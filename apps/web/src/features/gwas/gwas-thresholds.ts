import type { GwasDetail } from '@heterosis/contracts/gwas';

export interface GwasThresholds {
  /** 5 % over all markers. */
  bonferroni: number;
  /** One marker expected by chance in the whole scan: 1/m (Lander & Kruglyak 1995, their "suggestive linkage"). */
  suggestive: number;
  /** Largest p of the markers that pass a false discovery rate of 5 %; undefined when none does. */
  fdr: number | undefined;
}

type Summary = NonNullable<GwasDetail['summary'][string]>;

export function thresholdsOf({ bonferroni, m, fdr }: Pick<Summary, 'bonferroni' | 'm' | 'fdr'>): GwasThresholds {
  return { bonferroni, suggestive: 1 / Math.max(1, m), fdr: fdr ?? undefined };
}
