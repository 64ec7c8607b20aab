import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { SOFTWARE_VERSION } from '../../../platform/config/config.ts';
import { leftOutInWords } from '../runs/index.ts';
import type { GwasRow } from './gwas.queries.ts';

type Settings = Pick<GwasRow, 'test' | 'fixed' | 'parameters' | 'thresh_maf' | 'thresh_callrate' | 'trait_rows'>;

const TESTS = {
  LRT: 'a likelihood-ratio test with maximum-likelihood variances estimated anew for every marker',
  WALD: 'a Wald test with REML variances estimated anew for every marker',
  SCORE: 'a score test with the REML variances of the model without marker',
};

const LEFT_OUT =
  'Each marker was tested with the relationships of the markers on all other chromosomes, in a null model of its own (one chromosome left out; Listgarten et al. 2012).';

/** The model in one line. */
export function modelInWords({ fixed, parameters }: Pick<GwasRow, 'fixed' | 'parameters'>): string {
  const axes = fixed === 0 ? [] : [`${fixed} principal component${fixed === 1 ? '' : 's'}`];
  const inX = [...axes, ...(parameters.covariates ?? []), ...(parameters.condition_on ?? [])];
  const kinship = parameters.loco === true ? 'K standardized, without the marker’s chromosome' : 'K standardized';
  return `y = Xb + gβ + u + e, u ~ N(0, σ²g K), ${kinship}${inX.length === 0 ? '' : `, ${enumeration(inX)} in X`}`;
}

/** A paragraph for the methods section of a paper. */
export function methodsParagraph(settings: Settings): string {
  const { test, fixed, thresh_maf, thresh_callrate, trait_rows, parameters } = settings;
  const done = trait_rows.filter((row) => row.summary !== null);
  const sizes = done.map(
    (row) =>
      `${row.trait} (n = ${groupedNumber(row.summary?.n ?? 0)}, ${groupedNumber(row.summary?.m ?? 0)} markers, λ = ${row.summary?.lambda.toFixed(3)})`,
  );
  const axes =
    fixed === 0
      ? ''
      : ` The first ${fixed === 1 ? 'principal component' : `${fixed} principal components`} of K ${fixed === 1 ? 'was' : 'were'} fitted as fixed effects.`;
  return [
    'Associations were tested marker by marker in the linear mixed model y = Xb + gβ + u + e with u ~ N(0, σ²g K),',
    'where K is the standardized genomic relationship matrix (VanRaden 2008, method 2).',
    ...(parameters.loco === true ? [LEFT_OUT] : []),
    ...prunedSentence(done[0]?.summary?.engine?.pruned),
    ...leftOutInWords(done[0]?.summary?.left_out),
    `Markers with a minor allele frequency below ${thresh_maf} or a call rate below ${thresh_callrate} among the analysed individuals were left out, and missing calls were set to the marker mean.`,
    `Each marker was tested by ${TESTS[test]} (χ² with one degree of freedom).${dominanceSentence(parameters.dominance)}${axes}${covariateSentences(parameters.covariates ?? [], done)}`,
    ...conditionSentence(parameters.condition_on ?? []),
    ...(parameters.permutations === undefined ? [] : [permuted(parameters.permutations)]),
    ...(parameters.stepwise === undefined ? [] : [stepwiseSentence(parameters.stepwise)]),
    ...(parameters.clumps === undefined ? [] : [clumpSentence(parameters.clumps)]),
    'Thresholds are Bonferroni at 5 % and a false discovery rate of 5 % (Benjamini & Hochberg 1995).',
    ...(sizes.length > 0 ? [`Traits: ${sizes.join('; ')}.`] : []),
    `Effects and frequencies refer to allele A2. Computed with Heterosis ${SOFTWARE_VERSION}.`,
  ].join(' ');
}

const prunedSentence = (pruned: { r2: number; markers: number } | undefined): string[] =>
  pruned === undefined
    ? []
    : [
        `K is that of the ${groupedNumber(pruned.markers)} markers left by pruning by linkage disequilibrium (r² ≤ ${pruned.r2} in windows of 50 markers); all markers were tested.`,
      ];

const permuted = (count: number): string =>
  `A threshold of 5 % over all markers is that of ${groupedNumber(count)} permutations of the trait’s contrasts, decorrelated at the variances of the model without marker (Abney 2015), each analysed as the trait itself, with variances estimated anew.`;

const stepwiseSentence = (steps: number): string =>
  `Markers that explain a trait together were searched by a multi-locus mixed model of up to ${steps} ${steps === 1 ? 'step' : 'steps'} (Segura et al. 2012) and chosen by the modified Bayesian information criterion (mBIC; Frommlet et al. 2012).`;

const conditionSentence = (markers: readonly string[]): string[] =>
  markers.length === 0
    ? []
    : [
        `${enumeration(markers)} ${markers.length === 1 ? 'was' : 'were'} fitted as fixed effects, so that every other marker was tested given ${markers.length === 1 ? 'it' : 'them'}.`,
      ];

const clumpSentence = ({ p1, p2, r2, kb }: NonNullable<Settings['parameters']['clumps']>): string =>
  `Hits were put together by linkage disequilibrium (as plink --clump does: p ≤ ${p1} for the first marker, p ≤ ${p2}, r² ≥ ${r2} and at most ${groupedNumber(kb)} kb from it for the others).`;

const dominanceSentence = (dominance: boolean | undefined): string =>
  dominance === true
    ? ' The dominance deviation of each marker was tested beside its additive effect by a Wald test with REML variances.'
    : '';

function covariateSentences(covariates: readonly string[], done: GwasRow['trait_rows']): string {
  if (covariates.length === 0) return '';
  const one = covariates.length === 1;
  const grouped = covariates.flatMap((name) => categoricalInWords(name, done));
  const leftOut = done.flatMap(({ trait, summary }) =>
    (summary?.covariates ?? []).filter(({ use }) => use !== 'used').map(({ name }) => `${name} for ${trait}`),
  );
  return [
    ` The ${one ? 'covariate' : 'covariates'} ${enumeration(covariates)} ${one ? 'was' : 'were'} fitted as fixed effects; individuals without ${one ? 'it' : 'one of them'} were left out.`,
    ...(grouped.length > 0
      ? [
          `${enumeration(grouped)} ${grouped.length === 1 ? 'is' : 'are'} categorical, with one effect for each group but the reference; no test of a marker depends on which group that is.`,
        ]
      : []),
    ...(leftOut.length > 0 ? [`Covariates that added nothing to the model were dropped: ${leftOut.join(', ')}.`] : []),
  ].join(' ');
}

/** Name and reference of a covariate with groups; traits of other individuals may have another reference. */
function categoricalInWords(covariate: string, done: GwasRow['trait_rows']): string[] {
  const references = done.flatMap(({ summary }) => {
    const groups = summary?.covariates?.find(({ name }) => name === covariate)?.groups;
    return groups === undefined || groups.count < 2 ? [] : [groups.reference];
  });
  const [reference] = references;
  if (reference === undefined) return [];
  return [references.every((other) => other === reference) ? `${covariate} (reference ${reference})` : covariate];
}

/** a, b and c. */
const enumeration = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
