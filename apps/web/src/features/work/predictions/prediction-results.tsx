import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { useTranslation } from 'react-i18next';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { formatCount, formatShare } from '../../../lib/format/format.ts';
import { ProvenanceSection, type RunPartProps } from '../runs/index.ts';
import { FactorialSection } from './factorial-section.tsx';
import { RankingSection } from './ranking-section.tsx';

/** The ranking, hybrids by their parents, how the panel fits, and where it comes from. */
export function PredictionResults({ projectId, run: prediction }: RunPartProps<PredictionDetail>) {
  return (
    <>
      {prediction.status === 'SUCCESS' && <RankingSection projectId={projectId} prediction={prediction} />}
      {prediction.status === 'SUCCESS' && <FactorialSection projectId={projectId} prediction={prediction} />}
      {prediction.report && <PanelReport report={prediction.report} />}
      <ProvenanceSection kind="prediction" provenance={prediction.provenance} />
    </>
  );
}

/** Below it the page says that candidates are told apart less well. */
const MUCH_OF_THE_VARIANCE = 0.9;

/** How the model's markers were found in the predicted genotype. */
function PanelReport({ report }: { report: NonNullable<PredictionDetail['report']> }) {
  const { t } = useTranslation();
  const share = report.model_markers > 0 ? report.shared / report.model_markers : null;
  const isPoor = report.variance_share !== null && report.variance_share < MUCH_OF_THE_VARIANCE;
  return (
    <Section title={t('predictions.panel')} note={t('predictions.panelNote')}>
      <FactsStrip
        facts={[
          { label: t('predictions.modelMarkers'), value: formatCount(report.model_markers) },
          { label: t('match.sharedMarkers'), value: `${formatCount(report.shared)} (${formatShare(share)})` },
          { label: t('predictions.byPosition'), value: formatCount(report.by_position) },
          { label: t('match.swappedMarkers'), value: formatCount(report.swapped) },
          { label: t('match.missingMarkers'), value: formatCount(report.missing) },
          { label: t('predictions.mismatched'), value: formatCount(report.mismatched) },
          report.kernel === undefined
            ? { label: t('match.varianceShare'), value: formatShare(report.variance_share) }
            : { label: t('predictions.kernel'), value: t(`models.modelName.${report.kernel}`) },
          { label: t('models.imputed'), value: formatCount(report.imputed_calls) },
          { label: t('word.individuals'), value: formatCount(report.individuals) },
        ]}
      />
      {isPoor && (
        <Notice>
          {t('predictions.poorPanel', {
            missing: formatCount(report.missing),
            share: formatShare(report.variance_share),
          })}
        </Notice>
      )}
    </Section>
  );
}
