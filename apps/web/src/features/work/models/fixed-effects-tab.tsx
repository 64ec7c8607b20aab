import type { ModelDetail } from '@heterosis/contracts/work/models';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatCount } from '../../../lib/format/format.ts';
import { useUnitOf } from '../../data/files/index.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';

type FixedEffect = NonNullable<NonNullable<ModelDetail['fit'][string]>['fixed_effects']>[number];

const SEARCH_FROM = 8;
const ESTIMATE_PX = 140;
const COMPARED_PX = 210;

export const hasFixedEffects = (model: ModelDetail, trait: string): boolean =>
  (model.fit[trait]?.fixed_effects?.length ?? 0) > 0;

/** Effects of covariates, principal components and markers, with standard errors and what each is compared with. */
export function FixedEffectsTab(props: { projectId: string; model: ModelDetail; traits: string[] }) {
  const { projectId, model, traits } = props;
  const { t } = useTranslation();
  const { trait, choose } = useTraitInAddress(traits);
  const unitOf = useUnitOf(projectId, model.phenotype);
  const unit = unitOf(trait);
  const { fixed_effects: effects = [], without_covariate: lacking = 0 } = model.fit[trait] ?? {};
  const comparison = ({ name, group, reference, use }: FixedEffect): string => {
    if (use !== 'used') return t(`models.fixedUse.${use}`);
    if (group !== null) return reference ?? t('models.comparedWithFirst');
    if (model.provenance.parameters.fixed_markers?.includes(name) === true) return t('models.perCopy');
    return t('models.perUnit', { unit: unitOf(name) ?? t('models.unit') });
  };
  const estimate = (id: 'estimate' | 'standard_error', header: string, narrow = false): DataColumn<FixedEffect> => {
    const value = (row: FixedEffect) => (row.use === 'used' ? row[id] : undefined);
    return {
      id,
      header,
      unit,
      value,
      cell: (row) => <NumberCell value={value(row)} />,
      numeric: true,
      width: ESTIMATE_PX,
      narrow,
    };
  };
  const columns: DataColumn<FixedEffect>[] = [
    {
      id: 'name',
      header: t('models.fixedEffect'),
      value: ({ name, group }) => (group === null ? name : `${name}: ${group}`),
    },
    estimate('estimate', t('models.fixedEstimate'), true),
    estimate('standard_error', t('models.standardError')),
    {
      id: 'comparison',
      header: t('models.comparison'),
      hint: t('models.comparisonHint'),
      value: comparison,
      width: COMPARED_PX,
    },
  ];
  return (
    <>
      <TraitSelect traits={traits} value={trait} onChange={choose} />
      <p className="hx-muted">
        {t('models.fixedNote')}
        {lacking > 0 && ` ${t('gwas.withoutCovariate', { count: lacking, shown: formatCount(lacking) })}`}
      </p>
      <DataTable
        id="fixed-effects"
        label={t('models.fixedEffects')}
        columns={columns}
        rows={effects}
        rowId={({ name, group }) => JSON.stringify([name, group])}
        hasSearch={effects.length > SEARCH_FROM}
        csvName={`${model.name} ${trait} fixed effects`}
        maxHeight="32rem"
      />
    </>
  );
}
