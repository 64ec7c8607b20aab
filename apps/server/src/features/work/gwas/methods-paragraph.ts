import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import { enumeration, grouped } from '@heterosis/contracts/options/words';
import { SOFTWARE_VERSION } from '../../../platform/config/config.ts';
import { leftOut } from '../runs/results/index.ts';
import { type GwasRow, parametersOf } from './gwas.queries.ts';

type Settings = Pick<GwasRow, 'test' | 'fixed' | 'parameters' | 'thresh_maf' | 'thresh_callrate' | 'trait_rows'>;

/** The model in one line. */
export function modelInWords({ fixed, parameters }: Pick<GwasRow, 'fixed' | 'parameters'>): string {
  const axes = fixed === 0 ? [] : [`${fixed} principal component${fixed === 1 ? '' : 's'}`];
  const inX = [...axes, ...(parameters.covariates ?? []), ...(parameters.condition_on ?? [])];
  const kinship = parameters.loco === true ? 'K standardized, without the marker’s chromosome' : 'K standardized';
  return `y = Xb + gβ + u + e, u ~ N(0, σ²g K), ${kinship}${inX.length === 0 ? '' : `, ${enumeration(inX)} in X`}`;
}

/** A paragraph for the methods section of a paper. */
export function methodsParagraph(settings: Settings): string {
  const { trait_rows, parameters } = settings;
  const done = trait_rows.filter((row) => row.summary !== null);
  const sizes = done.map(
    (row) =>
      `${row.trait} (n = ${grouped(row.summary?.n ?? 0)}, ${grouped(row.summary?.m ?? 0)} markers, λ = ${row.summary?.lambda.toFixed(3)}${linesInWords(row.summary?.errors?.residual_lines)})`,
  );
  // Sentences with a place of their own; all others follow in the order of the table.
  const { loco, thresh_maf, test, dominance, fixed, clumps, ...others } = sentencesOf(
    GWAS_OPTIONS,
    parametersOf(settings),
  );
  return [
    'Associations were tested marker by marker in the linear mixed model y = Xb + gβ + u + e with u ~ N(0, σ²g K),',
    'where K is the standardized genomic relationship matrix (VanRaden 2008, method 2).',
    loco,
    ...prunedSentence(done[0]?.summary?.engine?.pruned),
    ...leftOut.inWords(done[0]?.summary?.left_out),
    thresh_maf,
    ...[test, dominance, fixed],
    ...covariateSentences(parameters.covariates ?? [], done),
    ...Object.values(others),
    clumps,
    'Thresholds are Bonferroni at 5 % and a false discovery rate of 5 % (Benjamini & Hochberg 1995).',
    ...(sizes.length > 0 ? [`Traits: ${sizes.join('; ')}.`] : []),
    `Effects and frequencies refer to allele A2. Computed with Heterosis ${SOFTWARE_VERSION}.`,
  ]
    .filter((sentence) => sentence !== undefined && sentence !== '')
    .join(' ');
}

const linesInWords = (variance: number | null | undefined): string =>
  variance == null ? '' : `, variance of lines ${variance.toPrecision(3)}`;

const prunedSentence = (pruned: { r2: number; markers: number } | undefined): string[] =>
  pruned === undefined
    ? []
    : [
        `K is that of the ${grouped(pruned.markers)} markers left by pruning by linkage disequilibrium (r² ≤ ${pruned.r2} in windows of 50 markers); all markers were tested.`,
      ];

function covariateSentences(covariates: readonly string[], done: GwasRow['trait_rows']): string[] {
  if (covariates.length === 0) return [];
  const one = covariates.length === 1;
  const grouped = covariates.flatMap((name) => categoricalInWords(name, done));
  const leftOut = done.flatMap(({ trait, summary }) =>
    (summary?.covariates ?? []).filter(({ use }) => use !== 'used').map(({ name }) => `${name} for ${trait}`),
  );
  return [
    `The ${one ? 'covariate' : 'covariates'} ${enumeration(covariates)} ${one ? 'was' : 'were'} fitted as fixed effects; individuals without ${one ? 'it' : 'one of them'} were left out.`,
    ...(grouped.length > 0
      ? [
          `${enumeration(grouped)} ${grouped.length === 1 ? 'is' : 'are'} categorical, with one effect for each group but the reference; no test of a marker depends on which group that is.`,
        ]
      : []),
    ...(leftOut.length > 0 ? [`Covariates that added nothing to the model were dropped: ${leftOut.join(', ')}.`] : []),
  ];
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
