import type { ModelDetail } from '@heterosis/contracts/models';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../components/data-table.tsx';
import classes from '../../components/figures.module.css';
import { NumberCell } from '../../components/number-cell.tsx';
import { formatCount, formatMeanSd, formatStatistic, formatTick } from '../../lib/format.ts';
import { fileQuery, useUnitOf, withUnit } from '../files/index.ts';

const SEARCH_FROM = 8;
const NUMBER_PX = 72;
const COUNT_PX = 108;
/** Room for −0.074 ± 0.068. */
const MEAN_SD_PX = 142;
/** Room for “H² of means 0.712”. */
const ACCURACY_PX = 160;

/** The figures of every trait side by side: accuracy, bias, variances, size. */
export function TraitFigures({
  projectId,
  model,
  traits,
}: {
  projectId: string;
  model: ModelDetail;
  traits: string[];
}) {
  const { t } = useTranslation();
  const panel = useQuery({
    ...fileQuery(projectId, model.genotype?.id ?? ''),
    enabled: model.genotype !== null,
  }).data?.column_count;
  const unitOf = useUnitOf(projectId, model.phenotype);
  const { thresh_maf, thresh_callrate, leave_out: leaveOut } = model.provenance.parameters;
  const hasDominance = traits.some((trait) => typeof model.variance[trait]?.dominance === 'number');
  const meanSd = (
    id: 'pearson_r' | 'within_group_r' | 'rmse' | 'slope',
    header: string,
    hint: string,
    narrow = false,
  ): DataColumn<string>[] => [
    {
      id,
      header,
      hint,
      value: (trait) => model.evaluation[trait]?.[id]?.mean,
      cell: (trait) => formatMeanSd(model.evaluation[trait]?.[id] ?? undefined),
      numeric: true,
      narrow,
      width: MEAN_SD_PX,
    },
    {
      id: `${id}_sd`,
      header: t('models.sdOf', { what: header }),
      value: (trait) => model.evaluation[trait]?.[id]?.sd,
      cell: (trait) => <NumberCell value={model.evaluation[trait]?.[id]?.sd} />,
      numeric: true,
      width: MEAN_SD_PX,
      hidden: true,
    },
  ];
  const number = (
    id: string,
    header: string,
    hint: string,
    value: (trait: string) => number | null | undefined,
    kind: 'statistic' | 'count' = 'statistic',
  ): DataColumn<string> => ({
    id,
    header,
    hint,
    value,
    cell: (trait) => <NumberCell value={value(trait)} kind={kind} />,
    numeric: true,
    width: kind === 'count' ? COUNT_PX : NUMBER_PX,
  });
  /** A figure from the variance components with its standard error, which a component at zero has not. */
  const withError = (
    id: keyof NonNullable<NonNullable<ModelDetail['variance'][string]>['standard_errors']>,
    header: string,
    hint: string,
    value: (trait: string) => number | null | undefined,
    hidden = false,
  ): DataColumn<string>[] => {
    const errorOf = (trait: string) => model.variance[trait]?.standard_errors?.[id];
    return [
      {
        id,
        header,
        hint,
        value,
        cell: (trait) => formatMeanSd({ mean: value(trait) ?? null, sd: errorOf(trait) ?? null }),
        numeric: true,
        width: MEAN_SD_PX,
        hidden,
      },
      {
        id: `${id}_se`,
        header: t('models.seOf', { what: header }),
        value: errorOf,
        cell: (trait) => <NumberCell value={errorOf(trait)} />,
        numeric: true,
        width: MEAN_SD_PX,
        hidden: true,
      },
    ];
  };
  const basisName = (basis: Basis | undefined) => (basis === undefined ? undefined : t(`models.basis.${basis}`));
  const columns: DataColumn<string>[] = [
    {
      id: 'trait',
      header: t('runs.trait'),
      value: (trait) => trait,
      cell: (trait) => <TraitName model={model} trait={trait} unit={unitOf(trait)} />,
    },
    ...(leaveOut === undefined
      ? meanSd('pearson_r', t('models.r'), t('models.rHint'), true)
      : [
          ...meanSd('within_group_r', t('models.rWithin'), t('models.rWithinHint'), true),
          ...meanSd('pearson_r', t('models.rPooled'), t('models.rPooledHint')),
        ]),
    {
      id: 'accuracy',
      header: t('models.accuracy'),
      hint: t('models.accuracyHint'),
      value: (trait) => model.evaluation[trait]?.accuracy?.value,
      cell: (trait) => <Accuracy accuracy={model.evaluation[trait]?.accuracy} />,
      numeric: true,
      width: ACCURACY_PX,
    },
    {
      id: 'accuracy_basis',
      header: t('models.accuracyBasis'),
      value: (trait) => basisName(model.evaluation[trait]?.accuracy?.basis),
      width: ACCURACY_PX,
      hidden: true,
    },
    ...meanSd('rmse', t('models.rmse'), t('models.rmseHint')),
    ...meanSd('slope', t('models.slope'), t('models.slopeHint')),
    ...withError('h2', 'h²', t('models.h2Hint'), (trait) => model.variance[trait]?.h2),
    ...(hasDominance ? withError('H2', 'H²', t('models.broadH2Hint'), (trait) => model.fit[trait]?.H2) : []),
    ...withError('kinship_pve', t('models.pve'), t('models.pveHint'), (trait) => model.variance[trait]?.kinship_pve),
    ...(hasDominance
      ? withError(
          'dominance_pve',
          t('models.dominancePve'),
          t('models.dominancePveHint'),
          (trait) => model.variance[trait]?.dominance_pve,
        )
      : []),
    ...withError('additive', 'σ²a', t('models.additiveVariance'), (trait) => model.variance[trait]?.additive, true),
    ...(hasDominance
      ? withError('dominance', 'σ²d', t('models.dominanceVariance'), (trait) => model.variance[trait]?.dominance, true)
      : []),
    ...withError('residual', 'σ²e', t('models.residualVariance'), (trait) => model.variance[trait]?.residual, true),
    number('n', t('models.individuals'), t('models.individualsHint'), (trait) => model.fit[trait]?.n, 'count'),
    // The note below the table says them where they are the same for all traits.
    ...[
      number('m', t('models.markersUsed'), t('models.markersUsedHint'), (trait) => model.fit[trait]?.m, 'count'),
      number(
        'imputed',
        t('models.imputed'),
        t('models.imputedHint'),
        (trait) => model.fit[trait]?.imputed_calls,
        'count',
      ),
    ].map((column) => ({ ...column, hidden: true })),
  ];
  const used = [...new Set(traits.flatMap((trait) => model.fit[trait]?.m ?? []))].sort((a, b) => a - b);
  return (
    <section aria-label={t('models.figures')}>
      <DataTable
        id="model-figures"
        label={t('models.figures')}
        columns={columns}
        rows={traits}
        rowId={(trait) => trait}
        hasSearch={traits.length > SEARCH_FROM}
        hasTools={traits.length > 1}
        csvName={`${model.name} figures`}
        maxHeight="24rem"
      />
      <p className={classes.note}>
        {t('models.markersOf', {
          used: used.length > 1 ? `${formatCount(used[0])}–${formatCount(used.at(-1))}` : formatCount(used[0]),
          total: formatCount(panel),
          maf: formatTick(thresh_maf),
          callRate: formatTick(thresh_callrate),
        })}
      </p>
    </section>
  );
}

type Estimate = NonNullable<ModelDetail['evaluation'][string]>['accuracy'];
type Basis = NonNullable<Estimate>['basis'];

/** r/√H², above the heritability that it uses. */
function Accuracy({ accuracy }: { accuracy: Estimate | undefined }) {
  const { t } = useTranslation();
  if (!accuracy) return <NumberCell value={undefined} />;
  return (
    <>
      {formatStatistic(accuracy.value)}
      <br />
      <span className="hx-muted">{t(`models.basisShort.${accuracy.basis}`, { h2: formatStatistic(accuracy.h2) })}</span>
    </>
  );
}

function TraitName({ model, trait, unit }: { model: ModelDetail; trait: string; unit: string | undefined }) {
  const { t } = useTranslation();
  const fit = model.fit[trait];
  return (
    <>
      {withUnit(trait, unit)}
      {fit && !fit.converged && <span className="hx-muted"> {t('models.notConverged')}</span>}
      {fit && fit.at_boundary.length > 0 && (
        <span className="hx-muted"> {t('models.atBoundary', { components: fit.at_boundary.join(', ') })}</span>
      )}
    </>
  );
}
