import type { ModelDetail } from '@heterosis/contracts/models';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/data-table.tsx';
import classes from '../../components/figures.module.css';
import { formatCount, formatTick } from '../../lib/format.ts';
import { fileQuery, useUnitOf } from '../files/index.ts';
import { traitColumns } from './trait-columns.tsx';

const SEARCH_FROM = 8;

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
  const { thresh_maf, thresh_callrate } = model.provenance.parameters;
  const used = [...new Set(traits.flatMap((trait) => model.fit[trait]?.m ?? []))].sort((a, b) => a - b);
  return (
    <section aria-label={t('models.figures')}>
      <DataTable
        id="model-figures"
        label={t('models.figures')}
        columns={traitColumns(model, traits, unitOf, t)}
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
