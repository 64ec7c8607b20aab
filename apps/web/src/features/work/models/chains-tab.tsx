import type { ModelDetail } from '@heterosis/contracts/work/models';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatCount, formatDecimals, formatMeanSd } from '../../../lib/format/format.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';

type Sampling = NonNullable<NonNullable<ModelDetail['fit'][string]>['sampling']>;
interface Row {
  id: 'residual_variance' | 'genetic_variance' | 'markers_included';
  agreement: Sampling['residual_variance'];
}

const FIGURE_PX = 150;
const R_HAT_DECIMALS = 3;

/** Whether the chains of a model by sampling agree. */
export function ChainsTab({ model, traits }: { model: ModelDetail; traits: string[] }) {
  const { trait, choose } = useTraitInAddress(traits);
  const sampling = model.fit[trait]?.sampling;
  return (
    <>
      <TraitSelect traits={traits} value={trait} onChange={choose} />
      {sampling !== undefined && <Agreement model={model} trait={trait} sampling={sampling} />}
    </>
  );
}

function Agreement({ model, trait, sampling }: { model: ModelDetail; trait: string; sampling: Sampling }) {
  const { t } = useTranslation();
  const rows: Row[] = [
    { id: 'residual_variance', agreement: sampling.residual_variance },
    { id: 'genetic_variance', agreement: sampling.genetic_variance },
    ...(sampling.markers_included === null
      ? []
      : [{ id: 'markers_included' as const, agreement: sampling.markers_included }]),
  ];
  const columns: DataColumn<Row>[] = [
    { id: 'quantity', header: t('models.quantity'), value: ({ id }) => t(`models.sampledQuantity.${id}`) },
    {
      id: 'mean',
      header: t('models.posterior'),
      value: ({ agreement }) => agreement.mean,
      cell: ({ agreement: { mean, sd } }) => formatMeanSd({ mean, sd }),
      numeric: true,
      width: FIGURE_PX,
      narrow: true,
    },
    {
      id: 'r_hat',
      header: 'R̂',
      hint: t('models.rHatHint'),
      value: ({ agreement }) => agreement.r_hat,
      cell: ({ agreement }) => <NumberCell value={agreement.r_hat} decimals={R_HAT_DECIMALS} />,
      numeric: true,
      width: FIGURE_PX,
    },
    {
      id: 'effective_size',
      header: t('models.effectiveDraws'),
      hint: t('models.effectiveDrawsHint'),
      value: ({ agreement }) => agreement.effective_size,
      cell: ({ agreement }) => <NumberCell value={Math.round(agreement.effective_size)} kind="count" />,
      numeric: true,
      width: FIGURE_PX,
    },
  ];
  return (
    <section>
      <p className="hx-muted">
        {t('models.chainsOf', {
          model: t(`models.modelName.${sampling.model}`),
          chains: sampling.chains,
          cycles: formatCount(sampling.cycles),
          burnIn: formatCount(sampling.burn_in),
        })}
        {sampling.stopped_early && ` ${t('models.stoppedEarly')}`}
      </p>
      {!sampling.has_met && <Notice kind="warning">{t('models.chainsApart')}</Notice>}
      <DataTable
        id="model-chains"
        label={t('models.chains')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        hasSearch={false}
        csvName={`${model.name} ${trait} chains`}
        maxHeight="24rem"
      />
      <p className="hx-muted">{t('models.gebvRHat', { rHat: formatDecimals(sampling.gebv_r_hat, R_HAT_DECIMALS) })}</p>
    </section>
  );
}
