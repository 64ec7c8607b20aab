import { thresholdsOf } from '@heterosis/charts/genome/gwas-thresholds';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Headline } from '../../../components/page/headline.tsx';
import {
  formatCount,
  formatLargestP,
  formatMeanSd,
  formatPValue,
  formatStatistic,
  formatTick,
} from '../../../lib/format/format.ts';
import { fileQuery } from '../../data/files/index.ts';

type Summary = NonNullable<GwasDetail['summary'][string]>;

/** How a trait was tested, in figures. */
export function GwasFacts(props: { projectId: string; gwas: GwasDetail; summary: Summary }) {
  const { projectId, gwas, summary } = props;
  const { t } = useTranslation();
  const panel = useQuery({ ...fileQuery(projectId, gwas.genotype?.id ?? ''), enabled: gwas.genotype !== null });
  const total = panel.data?.column_count;
  return (
    <FactsStrip
      facts={[
        ...testedFacts(gwas, summary, total, t),
        ...thresholdFacts(summary, t),
        ...varianceFacts(gwas, summary, t),
      ]}
    />
  );
}

/** From here on λ means that the p-values are too small all over the genome. */
const INFLATED = 1.1;

/** What was found, in a sentence. */
export function GwasHeadline({ trait: name, summary }: { trait: string; summary: Summary }) {
  const { t } = useTranslation();
  const { top, hits, lambda, several } = summary;
  const trait = several === undefined ? name : t(`gwas.joint.${several.test}`, { traits: several.traits.join(', ') });
  return (
    <Headline>
      {hits > 0 && top
        ? t('gwas.headline', { count: hits, trait, marker: top.id, chr: top.chr, p: formatPValue(top.p) })
        : t('gwas.headlineNone', { trait, marker: top?.id ?? '–', p: formatPValue(top?.p) })}{' '}
      {t(lambda > INFLATED ? 'gwas.headlineInflated' : 'gwas.headlineLambda', { lambda: lambda.toFixed(2) })}
    </Headline>
  );
}

/** The individuals and markers in the test, and whether the p-values of all are too small. */
function testedFacts(gwas: GwasDetail, summary: Summary, total: number | null | undefined, t: TFunction): Fact[] {
  return [
    ...(summary.gene_action === undefined
      ? []
      : [{ label: t('gwas.action.test'), value: t('gwas.action.exact'), hint: t('gwas.action.exactHint') }]),
    { label: t('word.individuals'), value: formatCount(summary.n) },
    {
      label: t('gwas.markersTested'),
      value: t('gwas.markersOf', {
        tested: formatCount(summary.m),
        total: formatCount(total),
      }),
      hint: t('gwas.markersHint', {
        n: formatCount(summary.n),
        maf: formatTick(gwas.thresh_maf),
        callRate: formatTick(gwas.thresh_callrate),
      }),
    },
    { label: t('gwas.lambda'), value: summary.lambda.toFixed(3), hint: t('gwas.lambdaHint') },
  ];
}

/** Genetic correlations of traits that were tested together. */
function correlationFacts(several: Summary['several'], t: TFunction): Fact[] {
  if (several === undefined) return [];
  const { traits, genetic_correlation: correlations } = several;
  return traits.flatMap((first, s) =>
    traits.slice(s + 1).flatMap((second, k): Fact[] => {
      const estimate = correlations[s]?.[s + 1 + k];
      return estimate === undefined
        ? []
        : [
            {
              label: t('gwas.joint.correlation', { first, second }),
              value: withError(estimate.value, estimate.se),
              hint: t('gwas.joint.correlationHint'),
            },
          ];
    }),
  );
}

/** The variances of the model without marker. */
function varianceFacts(gwas: GwasDetail, summary: Summary, t: TFunction): Fact[] {
  return [
    ...(summary.h2 === null
      ? []
      : [{ label: t('gwas.h2Null'), value: withError(summary.h2, summary.h2_se), hint: h2Hint(summary, t) }]),
    ...correlationFacts(summary.several, t),
    ...(summary.kinship_pve === undefined
      ? []
      : [
          {
            label: t('gwas.kinshipPve'),
            value: withError(summary.kinship_pve, summary.kinship_pve_se),
            hint: t('gwas.kinshipPveHint'),
          },
        ]),
    ...(summary.errors?.residual_lines == null
      ? []
      : [
          {
            label: 'σ²r',
            value: formatStatistic(summary.errors.residual_lines),
            hint: t('runs.linesVariance'),
          },
        ]),
    ...(summary.at_bound && (gwas.test !== 'SCORE' || summary.gene_action !== undefined)
      ? [
          {
            label: t('gwas.markersAtBound'),
            value: formatCount(summary.at_bound),
            hint: t(summary.gene_action === undefined ? 'gwas.atBoundHint' : 'gwas.action.atBoundHint'),
          },
        ]
      : []),
  ];
}

/** What h² without marker is of. */
function h2Hint({ chromosomes_left_out: chromosomes = [] }: Summary, t: TFunction): string {
  const left = chromosomes.filter(({ chromosome }) => chromosome !== null).map(({ h2 }) => h2);
  if (left.length === 0) return t('gwas.h2Hint');
  return t('gwas.h2LocoHint', { from: formatStatistic(Math.min(...left)), to: formatStatistic(Math.max(...left)) });
}

/** From which p on a marker is a hit, by each rule. */
function thresholdFacts(summary: Summary, t: TFunction): Fact[] {
  const thresholds = thresholdsOf(summary);
  return [
    { label: t('gwas.hitsBonferroni'), value: formatCount(summary.hits) },
    ...(summary.gene_action === undefined
      ? []
      : [
          {
            label: t('gwas.action.hitsP3d'),
            value: formatCount(summary.gene_action.hits_p3d),
            hint: t('gwas.action.p3dHint'),
          },
        ]),
    { label: t('gwas.bonferroni'), value: formatLargestP(thresholds.bonferroni) },
    ...(thresholds.permutations === undefined
      ? []
      : [
          {
            label: t('gwas.permutationsShort'),
            value: t('gwas.fdrMarkers', {
              count: thresholds.permutations.hits,
              p: formatLargestP(thresholds.permutations.p),
            }),
            hint: t('gwas.permutationsFactHint', { count: thresholds.permutations.count }),
          },
        ]),
    { label: t('gwas.suggestive'), value: formatLargestP(thresholds.suggestive) },
    {
      label: t('gwas.fdr'),
      value:
        thresholds.fdr === undefined
          ? t('gwas.noneBelow')
          : thresholds.fdrHits === undefined
            ? formatLargestP(thresholds.fdr)
            : t('gwas.fdrMarkers', { count: thresholds.fdrHits, p: formatLargestP(thresholds.fdr) }),
      hint: t('gwas.fdrHint'),
    },
    ...(summary.gene_action !== undefined
      ? []
      : [
          {
            label: t('gwas.effectiveTests'),
            value: formatCount(summary.effective_tests),
            hint:
              summary.effective_tests_block == null
                ? t('gwas.effectiveTestsHint')
                : t('gwas.effectiveTestsBlocks', { markers: formatCount(summary.effective_tests_block) }),
          },
        ]),
  ];
}

const withError = (value: number, error: number | null | undefined): string =>
  error == null ? formatStatistic(value) : formatMeanSd({ mean: value, sd: error });
