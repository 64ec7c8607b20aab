import { hasMarkerEffects } from '@heterosis/contracts/options/model-types';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { useTranslation } from 'react-i18next';
import { IconDownload } from '../../../components/icons.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';

type File = [id: string, label: string, urls: Record<string, string | null>];

/** The files of a model, one row a trait. */
export function DownloadsTab({ model, traits }: { model: ModelDetail; traits: string[] }) {
  const { t } = useTranslation();
  const files: File[] = [
    ['spec', t('models.specJson'), model.spec_urls],
    ...(hasMarkerEffects(model.model_type)
      ? [['effects', t('models.effectsCsv'), model.marker_effects_csv_urls] as File]
      : []),
    ['gebv', t('models.gebvCsv'), model.gebv_csv_urls],
    ['folds', t('models.foldsCsv'), model.folds_csv_urls],
    ...(Object.values(model.compared_csv_urls).some((url) => url !== null)
      ? [['compared', t('models.comparedCsv'), model.compared_csv_urls] as File]
      : []),
    ['evaluation', t('models.evaluationHtml'), model.evaluation_plot_html_urls],
  ];
  const columns: DataColumn<string>[] = [
    { id: 'trait', header: t('word.trait'), value: (trait) => trait },
    ...files.map(
      ([id, label, urls], index): DataColumn<string> => ({
        id,
        header: label,
        value: (trait) => urls[trait],
        cell: (trait) => {
          const url = urls[trait];
          if (!url) return '–';
          return (
            <a href={url} download className="hx-link" aria-label={t('models.downloadOf', { what: label, trait })}>
              <IconDownload size={16} aria-hidden="true" style={{ verticalAlign: '-0.2em' }} /> {t('word.download')}
            </a>
          );
        },
        sortable: false,
        width: 150,
        narrow: index === 0,
      }),
    ),
  ];
  return (
    <DataTable
      id="model-downloads"
      label={t('models.downloads')}
      columns={columns}
      rows={traits}
      rowId={(trait) => trait}
      hasTools={false}
    />
  );
}
