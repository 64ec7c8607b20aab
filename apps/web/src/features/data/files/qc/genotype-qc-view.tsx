import { ploidy } from '@heterosis/contracts/data/file-formats';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { GenotypeQcBody } from '@heterosis/contracts/data/files-qc';
import { useTranslation } from 'react-i18next';
import { FactsStrip } from '../../../../components/page/facts-strip.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { TabStrip } from '../../../../components/page/tab-strip.tsx';
import { useTabInAddress } from '../../../../components/page/use-tab-in-address.ts';
import { useSelection } from '../../../../components/table/use-selection.ts';
import { formatCount, formatShare, formatStatistic } from '../../../../lib/format/format.ts';
import { MarkerFigures } from './marker-figures.tsx';
import { SampleFigures } from './sample-figures.tsx';
import { StructureFigures } from './structure-figures.tsx';

export function GenotypeQcView({ file, qc }: { file: FileDetail; qc: GenotypeQcBody }) {
  const { t } = useTranslation();
  const tab = useTabInAddress();
  const selection = useSelection();
  return (
    <>
      <FactsStrip
        facts={[
          {
            label: t('files.qc.samples'),
            value: formatCount(qc.samples),
            ...(file.samples_of_ploidy === null
              ? {}
              : { hint: t('files.qc.onlyOfPloidy', { ploidy: file.samples_of_ploidy }) }),
          },
          { label: t('word.markers'), value: formatCount(qc.markers) },
          ...(qc.ploidy === undefined
            ? []
            : [
                {
                  label: t('files.reading.ploidy'),
                  value:
                    qc.ploidies === undefined
                      ? t(`files.ploidyOf.${ploidy.parse(qc.ploidy)}`)
                      : qc.ploidies.map((one) => t('files.qc.plantsOfPloidy', one)).join(', '),
                  isVital: true,
                },
              ]),
          { label: t('files.qc.missing'), value: formatShare(qc.missing_share) },
          ...(qc.heterozygous_share === undefined
            ? []
            : [
                {
                  label: t('files.qc.heterozygousCalls'),
                  value: formatShare(qc.heterozygous_share),
                  hint: t('files.qc.heterozygousCallsHint', {
                    mean: formatShare(qc.mean_individual_heterozygosity ?? 0),
                  }),
                },
              ]),
          ...(qc.gametic_heterozygosity === undefined
            ? []
            : [
                {
                  label: t('files.qc.gametic'),
                  value: formatShare(qc.gametic_heterozygosity),
                  hint: t('files.qc.gameticHint'),
                },
              ]),
          ...(qc.mean_inbreeding == null
            ? []
            : [
                {
                  label: t('files.qc.meanInbreeding'),
                  value: formatStatistic(qc.mean_inbreeding),
                  hint: t(qc.ploidy === undefined ? 'files.qc.inbreedingHint' : 'files.qc.inbreedingOfPolyploids'),
                },
              ]),
          { label: t('files.qc.afterQc'), value: formatCount(qc.markers_after_default_qc) },
          ...(file.fractional_dosages === null
            ? []
            : [
                {
                  label: t('files.qc.fractional'),
                  value: formatCount(file.fractional_dosages.calls),
                  hint: t(qc.ploidy === undefined ? 'files.qc.fractionalHint' : 'files.qc.fractionalOfPolyploids', {
                    markers: formatCount(file.fractional_dosages.markers),
                  }),
                  isVital: true,
                },
              ]),
          { label: t('files.qc.phased'), value: qc.phased ? t('word.yes') : t('word.no') },
          { label: t('files.qc.counted'), value: qc.counted_allele },
        ]}
      />
      {qc.ploidies && <Notice kind="info">{t('files.qc.mixedPloidies')}</Notice>}
      {qc.hwe === undefined && <p className="hx-muted">{t('files.qc.olderCheck')}</p>}
      <TabStrip
        {...tab}
        label={t('files.qc.title')}
        tabs={[
          { id: 'markers', label: t('word.markers'), content: <MarkerFigures file={file} qc={qc} /> },
          {
            id: 'samples',
            label: t('files.qc.samples'),
            content: <SampleFigures file={file} qc={qc} selection={selection} />,
          },
          ...(qc.ploidies
            ? []
            : [
                {
                  id: 'structure',
                  label: t('files.qc.structure'),
                  content: <StructureFigures file={file} qc={qc} selection={selection} />,
                },
              ]),
        ]}
      />
    </>
  );
}
