import type { PredictionDetail, PredictionResults } from '@heterosis/contracts/predictions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../components/data-table.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { NameText } from '../../components/name-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { NumberCell } from '../../components/number-cell.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ReliabilityBar } from '../../components/reliability-bar.tsx';
import { Section } from '../../components/section.tsx';
import { useEndlessTable } from '../../components/use-endless-table.ts';
import { formatCount, formatDuration, formatShare, sharedDecimals } from '../../lib/format.ts';
import { useUnitOf } from '../files/index.ts';
import { modelQuery } from '../models/index.ts';
import {
  InputFile,
  PREDICTION_STAGES,
  ProvenanceSection,
  RunLoader,
  RunPage,
  traitNames,
  type WithState,
} from '../runs/index.ts';
import { predictionQuery, predictionResultsQuery, usePredictionMutations } from './predictions.api.ts';

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
          <Button component="a" href={prediction.csv_url} download>
            {t('predictions.downloadCsv')}
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
        { label: t('column.created'), value: <RelativeTime date={prediction.created_at} /> },
        { label: t('runs.took'), value: formatDuration(prediction.provenance.seconds) },
      ]}
    >
      {prediction.report && <PanelReport report={prediction.report} />}
      {prediction.status === 'SUCCESS' && <Results projectId={projectId} prediction={prediction} />}
      <ProvenanceSection provenance={prediction.provenance} />
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

type ResultRow = PredictionResults['data'][number];

function Results({ projectId, prediction }: { projectId: string; prediction: PredictionDetail }) {
  const { t } = useTranslation();
  const { table, first, search } = useEndlessTable({
    defaultSort: { column: prediction.traits[0] ?? 'individual', descending: true },
    query: ({ search, sortText }) => predictionResultsQuery(projectId, prediction.id, { search, sort: sortText }),
  });
  const model = useQuery({ ...modelQuery(projectId, prediction.model?.id ?? ''), enabled: prediction.model !== null });
  const unitOf = useUnitOf(projectId, model.data?.phenotype);
  const hasReliability = first?.data.some((row) => row.reliability.some((one) => one !== null)) ?? true;
  const columns = useMemo(
    (): DataColumn<ResultRow>[] => [
      { id: 'individual', header: t('models.individual'), value: (row) => row.individual },
      ...(first?.traits ?? prediction.traits).flatMap((trait, index): DataColumn<ResultRow>[] => {
        const decimals = sharedDecimals(first?.data.map((row) => row.gebv[index]) ?? []);
        return [
          {
            id: trait,
            header: t('predictions.gebvOf', { trait }),
            unit: unitOf(trait),
            value: (row) => row.gebv[index],
            cell: (row) => <NumberCell value={row.gebv[index]} decimals={decimals} />,
            numeric: true,
            width: 130,
            narrow: index === 0,
          },
          ...(hasReliability
            ? [
                {
                  id: `reliability ${trait}`,
                  header: t('models.reliability'),
                  hint: t('models.reliabilityOf', { trait }),
                  value: (row: ResultRow) => row.reliability[index],
                  cell: (row: ResultRow) => <ReliabilityBar value={row.reliability[index] ?? null} />,
                  numeric: true,
                  width: 150,
                  sortable: false,
                },
              ]
            : []),
          ...(first?.data.some((row) => row.genotypic[index] !== null)
            ? [
                {
                  id: `genotypic ${trait}`,
                  header: t('predictions.genotypicOf', { trait }),
                  hint: t('models.genotypicHint'),
                  unit: unitOf(trait),
                  value: (row: ResultRow) => row.genotypic[index],
                  cell: (row: ResultRow) => <NumberCell value={row.genotypic[index]} decimals={decimals} />,
                  numeric: true,
                  width: 170,
                  sortable: false,
                },
              ]
            : []),
        ];
      }),
    ],
    [first, hasReliability, prediction.traits, unitOf, t],
  );
  return (
    <Section
      title={t('predictions.results')}
      note={hasReliability ? t('predictions.resultsNote') : t('predictions.noReliability')}
    >
      <DataTable
        id="prediction-results"
        searchLabel={t('models.searchIndividuals')}
        label={t('predictions.results')}
        columns={columns}
        {...table}
        rowId={(row) => row.individual}
        total={first?.total}
        csvName={prediction.name}
        csvUrl={search ? undefined : (prediction.csv_url ?? undefined)}
        maxHeight="34rem"
      />
    </Section>
  );
}
