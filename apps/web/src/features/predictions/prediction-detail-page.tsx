import type { PredictionDetail } from '@heterosis/contracts/predictions';
import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type DataColumn, DataTable, type Sort } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { InlineRename } from '../../components/inline-rename.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { NumberCell } from '../../components/number-cell.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ReliabilityBar } from '../../components/reliability-bar.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount, formatShare } from '../../lib/format.ts';
import { useModal } from '../../lib/modal.ts';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';
import { InputFile } from '../runs/input-file.tsx';
import { ProvenanceSection, RunFailures, RunningTraits, RunStateBadge } from '../runs/run-parts.tsx';
import { PREDICTION_STAGES } from '../runs/run-state.ts';
import { useBundle } from '../runs/use-bundle.ts';
import { predictionQuery, predictionResultsQuery, usePredictionMutations } from './predictions.api.ts';

export function PredictionDetailPage({ projectId, predictionId }: { projectId: string; predictionId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const query = useQuery(predictionQuery(projectId, predictionId));
  const list = {
    label: t('nav.predictions'),
    link: { to: '/projects/$projectId/predictions', params: { projectId } },
  } as const;
  if (!query.data) {
    return (
      <Page title={t('nav.predictions')} crumbs={[...crumbs, list]}>
        {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : <SkeletonLines />}
      </Page>
    );
  }
  return (
    <LoadedPrediction
      projectId={projectId}
      prediction={query.data}
      crumbs={[...crumbs, list, { label: query.data.name }]}
    />
  );
}

function LoadedPrediction(props: {
  projectId: string;
  prediction: PredictionDetail;
  crumbs: NonNullable<Parameters<typeof Page>[0]['crumbs']>;
}) {
  const { projectId, prediction, crumbs } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const mutations = usePredictionMutations(projectId);
  const bundle = useBundle(projectId, 'predictions', prediction.id);
  const [asking, setAsking] = useState<'delete' | 'cancel'>();
  return (
    <Page
      title={prediction.name}
      crumbs={crumbs}
      heading={
        <InlineRename
          name={prediction.name}
          label={t('predictions.renameTitle')}
          onRename={(name) => mutations.update.mutateAsync({ id: prediction.id, name })}
        />
      }
      aside={<RunStateBadge status={prediction.status} progress={{ all: prediction.progress }} />}
      action={
        <>
          {prediction.csv_url && (
            <Button component="a" href={prediction.csv_url} download>
              {t('predictions.downloadCsv')}
            </Button>
          )}
          <Menu>
            <Menu.Target>
              <IconButton label={t('runs.more')} size="lg" variant="default">
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => modal.open('update-prediction', prediction.id)}>
                {t('runs.editDetails')}
              </Menu.Item>
              <Menu.Item onClick={() => bundle.mutate()}>{t('runs.bundle')}</Menu.Item>
              <Menu.Item color="red" onClick={() => setAsking('delete')}>
                {t('predictions.delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {bundle.error && <ErrorNotice error={bundle.error} />}
      {prediction.description && <p>{prediction.description}</p>}
      <FactsStrip
        facts={[
          {
            label: t('predictions.model'),
            value: prediction.model ? (
              <Link
                to="/projects/$projectId/models/$modelId"
                params={{ projectId, modelId: prediction.model.id }}
                className="hx-link"
              >
                {prediction.model.name}
              </Link>
            ) : (
              t('predictions.deletedModel')
            ),
          },
          { label: t('runs.genotype'), value: <InputFile projectId={projectId} file={prediction.genotype} /> },
          { label: t('runs.traits'), value: prediction.traits.join(', ') },
          { label: t('column.created'), value: <RelativeTime date={prediction.created_at} /> },
        ]}
      />
      <RunFailures
        errorExtras={{ '': prediction.error_extra }}
        onRetry={() => mutations.retry.mutate(prediction.id)}
        isRetrying={mutations.retry.isPending}
      />
      {mutations.retry.error && <ErrorNotice error={mutations.retry.error} />}
      <RunningTraits
        status={{ [prediction.name]: prediction.status }}
        progress={{ [prediction.name]: prediction.progress }}
        stages={PREDICTION_STAGES}
        onCancel={() => setAsking('cancel')}
      />
      {prediction.report && <PanelReport report={prediction.report} />}
      {prediction.status === 'SUCCESS' && <Results projectId={projectId} prediction={prediction} />}
      <ProvenanceSection provenance={prediction.provenance} />
      {asking === 'delete' && (
        <ConfirmDialog
          title={t('predictions.deleteTitle', { name: prediction.name })}
          confirmLabel={t('predictions.delete')}
          onConfirm={() => mutations.remove.mutateAsync(prediction.id)}
          onClose={(confirmed) => {
            setAsking(undefined);
            if (confirmed) void navigate({ to: '/projects/$projectId/predictions', params: { projectId } });
          }}
        >
          {t('predictions.deleteText')}
        </ConfirmDialog>
      )}
      {asking === 'cancel' && (
        <ConfirmDialog
          title={t('runs.cancelTitle', { name: prediction.name })}
          confirmLabel={t('runs.cancel')}
          onConfirm={() => mutations.cancel.mutateAsync(prediction.id)}
          onClose={() => setAsking(undefined)}
        >
          {t('runs.cancelText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

/** How the model's markers were found in the predicted genotype. */
function PanelReport({ report }: { report: NonNullable<PredictionDetail['report']> }) {
  const { t } = useTranslation();
  const share = report.model_markers > 0 ? report.shared / report.model_markers : null;
  return (
    <Section title={t('predictions.panel')} note={t('predictions.panelNote')}>
      <FactsStrip
        facts={[
          { label: t('models.individuals'), value: formatCount(report.individuals) },
          { label: t('predictions.modelMarkers'), value: formatCount(report.model_markers) },
          { label: t('match.sharedMarkers'), value: `${formatCount(report.shared)} (${formatShare(share)})` },
          { label: t('predictions.byPosition'), value: formatCount(report.by_position) },
          { label: t('match.missingMarkers'), value: formatCount(report.missing) },
          { label: t('match.swappedMarkers'), value: formatCount(report.swapped) },
          { label: t('predictions.mismatched'), value: formatCount(report.mismatched) },
          { label: t('match.varianceShare'), value: formatShare(report.variance_share) },
          { label: t('models.imputed'), value: formatCount(report.imputed_calls) },
        ]}
      />
    </Section>
  );
}

interface ResultRow {
  individual: string;
  gebv: number[];
  reliability: (number | null)[];
}

function Results({ projectId, prediction }: { projectId: string; prediction: PredictionDetail }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>({ column: prediction.traits[0] ?? 'individual', descending: true });
  const query = useInfiniteQuery(
    predictionResultsQuery(projectId, prediction.id, { search, sort: `${sort.descending ? '-' : ''}${sort.column}` }),
  );
  const [firstPage] = query.data?.pages ?? [];
  const columns: DataColumn<ResultRow>[] = [
    { id: 'individual', header: t('models.individual'), value: (row) => row.individual },
    ...(firstPage?.traits ?? prediction.traits).flatMap((trait, index): DataColumn<ResultRow>[] => [
      {
        id: trait,
        header: t('predictions.gebvOf', { trait }),
        value: (row) => row.gebv[index],
        cell: (row) => <NumberCell value={row.gebv[index]} />,
        numeric: true,
        narrow: index === 0,
      },
      {
        id: `reliability ${trait}`,
        header: t('models.reliability'),
        value: (row) => row.reliability[index],
        cell: (row) => <ReliabilityBar value={row.reliability[index] ?? null} />,
        numeric: true,
        width: 160,
        sortable: false,
      },
    ]),
  ];
  return (
    <Section title={t('predictions.results')} note={t('predictions.resultsNote')}>
      <DataTable
        id="prediction-results"
        label={t('predictions.results')}
        columns={columns}
        rows={query.data?.pages.flatMap((page) => page.data)}
        rowId={(row) => row.individual}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        remote={{ search, onSearch: setSearch, sort, onSort: setSort }}
        more={{
          hasMore: query.hasNextPage,
          isLoading: query.isFetchingNextPage,
          load: () => void query.fetchNextPage(),
        }}
        total={firstPage?.total}
        csvUrl={prediction.csv_url ?? undefined}
        maxHeight="34rem"
      />
    </Section>
  );
}
