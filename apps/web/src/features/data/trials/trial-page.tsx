import type { Trial } from '@heterosis/contracts/data/trials';
import { reportsApi } from '@heterosis/contracts/endpoints/work/reports';
import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import { Button, Menu } from '@mantine/core';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots } from '../../../components/icons.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { TabStrip } from '../../../components/page/tab-strip.tsx';
import { useTabInAddress } from '../../../components/page/use-tab-in-address.ts';
import { call } from '../../../lib/api/api-client.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatDay, formatShare } from '../../../lib/format/format.ts';
import { Comments } from '../../people/comments/index.ts';
import { ItemPage } from '../../people/home/index.ts';
import { useProjectCrumbs, useProjectRights } from '../../people/projects/index.ts';
import { useShare } from '../../people/share-links/index.ts';
import { useReport } from '../../work/reports/index.ts';
import { PrintMenu } from './print/print-menu.tsx';
import { suspectPlotsQuery } from './suspects/use-suspects.ts';
import { TrialDetailsDialog } from './trial-details-dialog.tsx';
import { TrialField } from './trial-field.tsx';
import { TrialHistory } from './trial-history.tsx';
import { TrialStateBadge } from './trial-state-badge.tsx';
import { plotsQuery, trialQuery, useTrialMutations } from './trials.api.ts';
import { useAnalyse } from './use-analyse.ts';
import { ValueFileDialog } from './value-files/value-file-dialog.tsx';
import { ValueFileDrop } from './value-files/value-file-drop.tsx';
import { TrialValues } from './values/trial-values.tsx';

/** A trial: its map first, then its values as they come in, and what happened to it. */
export function TrialPage({ projectId, trialId }: { projectId: string; trialId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const query = useQuery(trialQuery(projectId, trialId));
  const root = { label: t('nav.trials'), link: { to: '/projects/$projectId/trials', params: { projectId } } } as const;
  if (!query.data) {
    return (
      <Page title={t('nav.trials')} crumbs={[...crumbs, root]}>
        {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : <SkeletonLines />}
      </Page>
    );
  }
  return (
    <LoadedTrial projectId={projectId} trial={query.data} crumbs={[...crumbs, root, { label: query.data.name }]} />
  );
}

function LoadedTrial(props: {
  projectId: string;
  trial: Trial;
  crumbs: NonNullable<Parameters<typeof Page>[0]['crumbs']>;
}) {
  const { projectId, trial, crumbs } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const tab = useTabInAddress();
  const { may, mayChange, mayDelete } = useProjectRights(projectId);
  const { update, remove } = useTrialMutations(projectId);
  const plots = useQuery(plotsQuery(projectId, trial.id));
  // Read beside the plots: the map waits for both.
  usePrefetchQuery(suspectPlotsQuery(projectId, trial.id));
  const [isDeleting, setDeleting] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const [valueFile, setValueFile] = useState<{ file?: File }>();
  const analyse = useAnalyse(projectId, trial.id);
  const report = useReport({
    name: trial.name,
    print: (page) => call(reportsApi.reportTrial, { project_id: projectId, id: trial.id, query: { page } }),
  });
  const share = useShare({ ...trial, projectId, kind: 'trial' });
  const mayChangeIt = mayChange(trial);
  const noPlots =
    plots.data?.number.length === 0 ? (
      <EmptyState title={t('trials.noPlots')}>{t('trials.noPlotsText')}</EmptyState>
    ) : undefined;
  const takesValues = may('write') && trial.state !== 'CLOSED' && trial.plots > 0;
  const mayEdit = mayChangeIt && trial.state !== 'CLOSED';
  return (
    <ItemPage
      item={{ projectId, kind: 'trial', id: trial.id, name: trial.name }}
      crumbs={crumbs}
      state={<TrialStateBadge state={trial.state} />}
      renameLabel={t('trials.rename')}
      canRename={mayChangeIt}
      onRename={(name) => update.mutateAsync({ id: trial.id, name })}
      action={
        <>
          {/* Its place is kept until the plots are there: the other buttons stay where they are. */}
          {trial.plots > 0 && !plots.data && (
            <Button variant="default" disabled>
              {t('print.open')}
            </Button>
          )}
          {plots.data && trial.plots > 0 && <PrintMenu projectId={projectId} trial={trial} plots={plots.data} />}
          {may('write') && trial.collected > 0 && (
            <Button loading={analyse.isPending} onClick={() => analyse.mutate()}>
              {t('trials.analyse')}
            </Button>
          )}
          {mayChangeIt && trial.plots > 0 && <NextState projectId={projectId} trial={trial} />}
          <Menu>
            <Menu.Target>
              <IconButton label={t('word.moreActions')} size="lg" variant="default">
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              {report.entry}
              {share.entry}
              {mayEdit && <Menu.Item onClick={() => setEditing(true)}>{t('trials.details')}</Menu.Item>}
              {mayEdit && trial.state === 'DRAFT' && (
                <Menu.Item
                  component={Link}
                  to="/projects/$projectId/trials/new"
                  params={{ projectId } as never}
                  search={{ trial: trial.id } as never}
                >
                  {t('trials.redraw')}
                </Menu.Item>
              )}
              {mayDelete(trial) && <Menu.Item onClick={() => setDeleting(true)}>{t('action.delete')}</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {analyse.error && <ErrorNotice error={analyse.error} />}
      <TrialFacts trial={trial} />
      {plots.error && <ErrorNotice error={plots.error} onRetry={() => void plots.refetch()} />}
      {!plots.data && !plots.error && <SkeletonLines lines={8} />}
      {plots.data && (
        <ValueFileDrop isOff={!takesValues} onFile={(file) => setValueFile({ file })}>
          <TabStrip
            {...tab}
            label={trial.name}
            tabs={[
              {
                id: 'map',
                label: t('trials.map'),
                content: noPlots ?? (
                  <TrialField projectId={projectId} trial={trial} plots={plots.data} mayChange={mayChangeIt} />
                ),
              },
              {
                id: 'values',
                label: t('trials.values'),
                content: noPlots ?? (
                  <TrialValues
                    projectId={projectId}
                    trial={trial}
                    plots={plots.data}
                    mayWrite={may('write')}
                    onFile={() => setValueFile({})}
                  />
                ),
              },
              {
                id: 'history',
                label: t('trials.history'),
                content: <TrialHistory projectId={projectId} trial={trial} mayChange={mayChangeIt} />,
              },
            ]}
          />
        </ValueFileDrop>
      )}
      {valueFile && (
        <ValueFileDialog projectId={projectId} trial={trial} {...valueFile} onClose={() => setValueFile(undefined)} />
      )}
      {report.dialog}
      {share.dialog}
      <Comments projectId={projectId} entityKind="trial" entityId={trial.id} />
      {isEditing && <TrialDetailsDialog projectId={projectId} trial={trial} onClose={() => setEditing(false)} />}
      {isDeleting && (
        <ConfirmDialog
          title={t('action.deleteTitle', { name: trial.name })}
          confirmLabel={t('action.delete')}
          onConfirm={() => remove.mutateAsync(trial.id)}
          onClose={(isDone) => {
            setDeleting(false);
            if (isDone) void navigate({ to: '/projects/$projectId/trials', params: { projectId } });
          }}
        >
          {t('trials.deleteText')}
        </ConfirmDialog>
      )}
    </ItemPage>
  );
}

/** The one step that comes next: DRAFT → SOWN → CLOSED; closed trials can be opened again. */
function NextState({ projectId, trial }: { projectId: string; trial: Trial }) {
  const { t } = useTranslation();
  const { update } = useTrialMutations(projectId);
  const next = ({ DRAFT: 'SOWN', SOWN: 'CLOSED', CLOSED: 'SOWN' } as const)[trial.state];
  return (
    <Button
      variant={trial.state === 'DRAFT' ? 'filled' : 'default'}
      loading={update.isPending}
      onClick={() =>
        update.mutate(
          { id: trial.id, state: next, version: trial.version },
          { onError: (error) => showToast({ text: error.message, isError: true }) },
        )
      }
    >
      {t(`trials.next.${trial.state}`)}
    </Button>
  );
}

function TrialFacts({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  const textOf = useOptionText('design', DESIGN_OPTIONS);
  const { design } = trial;
  const name = design?.request['design'];
  const facts: Fact[] = [
    { label: t('trials.place'), value: trial.location_name },
    { label: t('trials.season'), value: trial.season },
    ...(typeof name === 'string'
      ? [{ label: textOf('design', 'label'), value: textOf('design', 'labels', name) }]
      : []),
    { label: t('trials.entries'), value: formatCount(trial.entries) },
    { label: t('trials.plots'), value: formatCount(trial.plots) },
    ...(design?.efficiency == null
      ? []
      : [
          {
            label: t('trials.figures.efficiency'),
            value: design.efficiency.toFixed(3),
            hint: t('trials.figures.efficiencyHint'),
          },
        ]),
    ...(trial.expected === 0
      ? []
      : [{ label: t('trials.collected'), value: formatShare(trial.collected / trial.expected) }]),
    ...(trial.sown_on === null ? [] : [{ label: t('trials.sownOn'), value: dayOf(trial.sown_on) }]),
    ...(trial.harvested_on === null ? [] : [{ label: t('trials.harvestedOn'), value: dayOf(trial.harvested_on) }]),
    ...(trial.latitude === null || trial.longitude === null
      ? []
      : [{ label: t('trials.coordinates'), value: `${trial.latitude}° N, ${trial.longitude}° E` }]),
    ...(trial.plot_length_m === null || trial.plot_width_m === null
      ? []
      : [{ label: t('trials.plotSize'), value: `${trial.plot_length_m} m × ${trial.plot_width_m} m` }]),
    ...(design === null ? [] : [{ label: textOf('seed', 'label'), value: String(design.seed) }]),
  ];
  return <FactsStrip facts={facts} />;
}

/** A day has no time zone: at noon it is the same day everywhere. */
const dayOf = (day: string): string => formatDay(`${day}T12:00`);
