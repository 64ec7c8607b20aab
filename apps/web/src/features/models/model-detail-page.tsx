import type { ModelDetail } from '@heterosis/contracts/models';
import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { InlineRename } from '../../components/inline-rename.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TabStrip } from '../../components/tab-strip.tsx';
import { useTabInAddress } from '../../components/use-tab-in-address.ts';
import { formatDuration } from '../../lib/format.ts';
import { useModal } from '../../lib/modal.ts';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';
import { InputFile } from '../runs/input-file.tsx';
import { ProvenanceSection, RunFailures, RunningTraits, RunStateBadge } from '../runs/run-parts.tsx';
import { MODEL_STAGES, overallState } from '../runs/run-state.ts';
import { useBundle } from '../runs/use-bundle.ts';
import { EvaluationTab } from './evaluation-tab.tsx';
import { GebvTab } from './gebv-tab.tsx';
import { MarkerEffectsTab } from './marker-effects-tab.tsx';
import { modelQuery, useModelMutations } from './models.api.ts';
import { TraitFigures } from './trait-figures.tsx';

export function ModelDetailPage({ projectId, modelId }: { projectId: string; modelId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const query = useQuery(modelQuery(projectId, modelId));
  const model = query.data;
  const list = { label: t('nav.models'), link: { to: '/projects/$projectId/models', params: { projectId } } } as const;
  if (!model) {
    return (
      <Page title={t('nav.models')} crumbs={[...crumbs, list]}>
        {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : <SkeletonLines />}
      </Page>
    );
  }
  return <LoadedModel projectId={projectId} model={model} crumbs={[...crumbs, list, { label: model.name }]} />;
}

function LoadedModel({
  projectId,
  model,
  crumbs,
}: {
  projectId: string;
  model: ModelDetail;
  crumbs: Parameters<typeof Page>[0]['crumbs'];
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const tab = useTabInAddress();
  const mutations = useModelMutations(projectId);
  const bundle = useBundle(projectId, 'models', model.id);
  const [asking, setAsking] = useState<'delete' | 'cancel'>();
  const trained = model.traits.filter((trait) => model.fit[trait]);
  const evaluated = model.traits.filter((trait) => model.status[trait] === 'EVALUATED');
  const isDone = overallState(model.status) === 'EVALUATED';

  return (
    <Page
      title={model.name}
      heading={
        <InlineRename
          name={model.name}
          label={t('models.renameTitle')}
          onRename={(name) => mutations.update.mutateAsync({ id: model.id, name })}
        />
      }
      {...(crumbs ? { crumbs } : {})}
      aside={<RunStateBadge status={model.status} progress={model.progress} />}
      action={
        <>
          <Button onClick={() => modal.open('create-prediction', model.id)} disabled={trained.length === 0}>
            {t('predictions.create')}
          </Button>
          <Menu>
            <Menu.Target>
              <IconButton label={t('runs.more')} size="lg" variant="default">
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => modal.open('update-model', model.id)}>{t('runs.editDetails')}</Menu.Item>
              <Menu.Item onClick={() => modal.open('create-model', model.id)}>{t('runs.runAgain')}</Menu.Item>
              <Menu.Item onClick={() => bundle.mutate()}>{t('runs.bundle')}</Menu.Item>
              {model.traits.map((trait) => (
                <SpecDownloads key={trait} model={model} trait={trait} />
              ))}
              <Menu.Divider />
              <Menu.Item color="red" onClick={() => setAsking('delete')}>
                {t('models.delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {bundle.error && <ErrorNotice error={bundle.error} />}
      {model.description && <p>{model.description}</p>}
      <FactsStrip
        facts={[
          { label: t('runs.genotype'), value: <InputFile projectId={projectId} file={model.genotype} /> },
          { label: t('runs.phenotype'), value: <InputFile projectId={projectId} file={model.phenotype} /> },
          {
            label: t('models.effects'),
            value: model.include_dominance_effects ? t('models.additiveDominance') : t('models.additive'),
          },
          {
            label: t('models.crossValidation'),
            value: t('models.folds', { folds: model.n_fold, repetitions: model.n_repetition }),
          },
          { label: t('column.created'), value: <RelativeTime date={model.created_at} /> },
          { label: t('runs.took'), value: formatDuration(model.provenance.seconds) },
        ]}
      />
      <RunFailures
        errorExtras={model.error_extras}
        onRetry={() => mutations.retry.mutate(model.id)}
        isRetrying={mutations.retry.isPending}
      />
      {mutations.retry.error && <ErrorNotice error={mutations.retry.error} />}
      <RunningTraits
        status={model.status}
        progress={model.progress}
        stages={MODEL_STAGES}
        onCancel={() => setAsking('cancel')}
      />
      {trained.length > 0 && <TraitFigures model={model} traits={trained} />}
      {trained.length > 0 && (
        <TabStrip
          label={t('models.results')}
          {...tab}
          tabs={[
            {
              id: 'evaluation',
              label: t('models.evaluation'),
              content:
                evaluated.length > 0 ? (
                  <EvaluationTab projectId={projectId} model={model} traits={evaluated} />
                ) : (
                  <p className="hx-muted">{t('models.notEvaluated')}</p>
                ),
            },
            {
              id: 'effects',
              label: t('models.markerEffects'),
              content: <MarkerEffectsTab projectId={projectId} model={model} traits={trained} />,
            },
            {
              id: 'gebv',
              label: t('models.gebv'),
              content: <GebvTab projectId={projectId} model={model} traits={trained} />,
            },
            {
              id: 'provenance',
              label: t('runs.provenance'),
              content: <ProvenanceSection provenance={model.provenance} />,
            },
          ]}
        />
      )}
      {trained.length === 0 && <ProvenanceSection provenance={model.provenance} />}
      {isDone && (
        <p className="hx-muted">
          {t('models.next')}{' '}
          <Link to="/projects/$projectId/predictions" params={{ projectId }} className="hx-link">
            {t('nav.predictions')}
          </Link>
        </p>
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={t('models.deleteTitle', { name: model.name })}
          confirmLabel={t('models.delete')}
          onConfirm={() => mutations.remove.mutateAsync(model.id)}
          onClose={(confirmed) => {
            setAsking(undefined);
            if (confirmed) void navigate({ to: '/projects/$projectId/models', params: { projectId } });
          }}
        >
          {t('models.deleteText')}
        </ConfirmDialog>
      )}
      {asking === 'cancel' && (
        <ConfirmDialog
          title={t('runs.cancelTitle', { name: model.name })}
          confirmLabel={t('runs.cancel')}
          onConfirm={() => mutations.cancel.mutateAsync(model.id)}
          onClose={() => setAsking(undefined)}
        >
          {t('runs.cancelText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function SpecDownloads({ model, trait }: { model: ModelDetail; trait: string }) {
  const { t } = useTranslation();
  const links: [string, string | null | undefined][] = [
    [t('models.specJson'), model.spec_urls[trait]],
    [t('models.effectsCsv'), model.marker_effects_csv_urls[trait]],
    [t('models.gebvCsv'), model.gebv_csv_urls[trait]],
    [t('models.foldsCsv'), model.folds_csv_urls[trait]],
    [t('models.evaluationHtml'), model.evaluation_plot_html_urls[trait]],
  ];
  const ready = links.filter((link): link is [string, string] => Boolean(link[1]));
  if (ready.length === 0) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{trait}</Menu.Label>
      {ready.map(([label, url]) => (
        <Menu.Item key={label} component="a" href={url} download>
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
