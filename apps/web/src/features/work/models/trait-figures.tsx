import type { ModelDetail } from '@heterosis/contracts/work/models';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/page/figures.module.css';
import { DataTable } from '../../../components/table/data-table.tsx';
import { formatCount, formatTick } from '../../../lib/format/format.ts';
import { fileQuery, useUnitOf } from '../../data/files/index.ts';
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
  const saturated = traits.filter((trait) => isSaturated(model.fit[trait]));
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
      {[...notesOf(traits, (trait) => model.evaluation[trait]?.accuracy?.note)].map(([note, names]) => (
        <p key={note} className={classes.note}>
          {t('models.accuracyNote', { traits: names.join(', '), note })}
        </p>
      ))}
      {[...notesOf(traits, (trait) => model.evaluation[trait]?.note)].map(([note, names]) => (
        <p key={note} className={classes.note}>
          {t('models.evaluationNote', { traits: names.join(', '), note })}
        </p>
      ))}
      {saturated.length > 0 && (
        <p className={classes.note}>{t('models.kernelTakesAll', { traits: saturated.join(', ') })}</p>
      )}
      {(['bandwidthLeast', 'bandwidthLargest'] as const).map((end) => {
        const names = traits.filter((trait) => endOf(model.fit[trait]?.kernel) === end);
        return (
          names.length > 0 && (
            <p key={end} className={classes.note}>
              {t(`models.${end}`, { traits: names.join(', ') })}
            </p>
          )
        );
      })}
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

/** Whether a kernel leaves nothing to the errors of the records. */
const isSaturated = (fit: ModelDetail['fit'][string] | undefined): boolean =>
  fit?.kernel !== undefined && fit.at_boundary.includes('residual');

/** The end of the bandwidths tried that was the best; undefined where one between them was. */
function endOf(kernel: NonNullable<ModelDetail['fit'][string]>['kernel']) {
  if (!kernel?.is_at_end) return undefined;
  return kernel.bandwidths[0] === kernel.profile[0]?.bandwidth ? 'bandwidthLeast' : 'bandwidthLargest';
}

/** What is to be said of some traits, once each. */
const notesOf = (traits: readonly string[], noteOf: (trait: string) => string | null | undefined) =>
  Map.groupBy(
    traits.filter((trait) => noteOf(trait)),
    (trait) => noteOf(trait) ?? '',
  );
