import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { NameText } from '../../../components/table/name-text.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { formatCount, formatDuration, formatShare } from '../../../lib/format/format.ts';
import {
  InputFile,
  leftOutFact,
  PREDICTION_STAGES,
  ProvenanceSection,
  RunLoader,
  RunPage,
  traitNames,
  type WithState,
} from '../runs/index.ts';
import { FactorialSection } from './factorial-section.tsx';
import { PredictionTable } from './prediction-results.tsx';
import { predictionQuery, usePredictionMutations } from './predictions.api.ts';

export function PredictionDetailPage({ projectId, predictionId }: { projectId: string; predictionId: string }) {
  const query = useQuery(predictionQuery(projectId, predictionId));
  return (
    <RunLoader projectId={projectId} kind="prediction" query={query}>
      {(prediction) => <LoadedPrediction projectId={projectId} prediction={prediction} />}
    </RunLoader>
  );
}

function LoadedPrediction({ projectId, prediction }: { projectId: string; prediction: WithState<PredictionDetail> }) {
  const { t } = useTranslation();
  const mutations = usePredictionMutations(projectId);
  const { model } = prediction;
  return (
    <RunPage
      projectId={projectId}
      kind="prediction"
      run={prediction}
      stages={PREDICTION_STAGES}
      mutations={mutations}
      againWith={model?.id}
      action={
        prediction.csv_url && (
          <Button component="a" href={prediction.csv_url} download variant="default">
            {t('action.downloadCsv')}
          </Button>
        )
      }
      facts={[
        {
          label: t('predictions.model'),
          value: model ? (
            <Link
              to="/projects/$projectId/models/$modelId"
              params={{ projectId, modelId: model.id }}
              className="hx-link"
            >
              <NameText name={model.name} />
            </Link>
          ) : (
            t('predictions.deletedModel')
          ),
        },
        { label: t('runs.genotype'), value: <InputFile projectId={projectId} file={prediction.genotype} /> },
        { label: t('runs.traits'), value: <TraitNames traits={prediction.traits} /> },
        ...leftOutFact(t, prediction),
        { label: t('column.created'), value: <RelativeTime date={prediction.created_at} /> },
        { label: t('runs.took'), value: formatDuration(prediction.provenance.seconds) },
      ]}
    >
      {prediction.status === 'SUCCESS' && <FactorialSection projectId={projectId} prediction={prediction} />}
      {prediction.status === 'SUCCESS' && <PredictionTable projectId={projectId} prediction={prediction} />}
      {prediction.report && <PanelReport report={prediction.report} />}
      <ProvenanceSection kind="prediction" provenance={prediction.provenance} />
    </RunPage>
  );
}

/** All of them on hover. */
function TraitNames({ traits }: { traits: readonly string[] }) {
  const { t } = useTranslation();
  return <span title={traits.join(', ')}>{traitNames(traits, t)}</span>;
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
          { label: t('match.varianceShare'), value: formatShare(report.variance_share) },
          { label: t('models.imputed'), value: formatCount(report.imputed_calls) },
          { label: t('models.individuals'), value: formatCount(report.individuals) },
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
