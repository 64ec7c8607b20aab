import { SOFTWARE_VERSION } from '../../platform/config/config.ts';
import type { GwasRow } from './gwas.queries.ts';

type Settings = Pick<GwasRow, 'test' | 'fixed' | 'thresh_maf' | 'thresh_callrate' | 'trait_rows'>;

const TESTS = {
  LRT: 'a likelihood-ratio test with maximum-likelihood variances estimated anew for every marker',
  WALD: 'a Wald test with REML variances estimated anew for every marker',
  SCORE: 'a score test with the REML variances of the model without marker',
};

/** The model in one line. */
export function modelInWords({ fixed }: Pick<GwasRow, 'fixed'>): string {
  const axes = fixed === 0 ? '' : `, ${fixed} principal component${fixed === 1 ? '' : 's'} in X`;
  return `y = Xb + gβ + u + e, u ~ N(0, σ²g K), K standardized${axes}`;
}

/** A paragraph for the methods section of a paper. */
export function methodsParagraph({ test, fixed, thresh_maf, thresh_callrate, trait_rows }: Settings): string {
  const done = trait_rows.filter((row) => row.summary !== null);
  const sizes = done.map(
    (row) => `${row.trait} (n = ${row.summary?.n}, ${row.summary?.m} markers, λ = ${row.summary?.lambda.toFixed(3)})`,
  );
  const axes =
    fixed === 0
      ? ''
      : ` The first ${fixed === 1 ? 'principal component' : `${fixed} principal components`} of K ${fixed === 1 ? 'was' : 'were'} fitted as fixed effects.`;
  return [
    'Associations were tested marker by marker in the linear mixed model y = Xb + gβ + u + e with u ~ N(0, σ²g K),',
    'where K is the standardized genomic relationship matrix (VanRaden 2008, method 2).',
    `Markers with a minor allele frequency below ${thresh_maf} or a call rate below ${thresh_callrate} among the analysed individuals were left out, and missing calls were set to the marker mean.`,
    `Each marker was tested by ${TESTS[test]} (χ² with one degree of freedom).${axes}`,
    'Thresholds are Bonferroni at 5 % and a false discovery rate of 5 % (Benjamini & Hochberg 1995).',
    ...(sizes.length > 0 ? [`Traits: ${sizes.join('; ')}.`] : []),
    `Effects and frequencies refer to allele A2. Computed with Heterosis ${SOFTWARE_VERSION}.`,
  ].join(' ');
}
