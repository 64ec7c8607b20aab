import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { isNotFound } from '../../../lib/api/problem.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { createModalOf, runListLink, updateModalOf } from '../../../lib/browser/run-kinds.ts';
import { formatDuration } from '../../../lib/format/format.ts';
import { Comments } from '../../people/comments/index.ts';
import { ItemPage } from '../../people/home/index.ts';
import { useProjectCrumbs, useProjectRights } from '../../people/projects/index.ts';
import { useShare } from '../../people/share-links/index.ts';
import { useReport } from '../reports/index.ts';
import { useCite } from './dialogs/use-cite.tsx';
import { useFactMakers } from './fact-makers.tsx';
import { CancelRunDialog, DeleteRunDialog } from './run-confirmations.tsx';
import { RunFailures, RunningTraits, RunStateBadge } from './run-parts.tsx';
import { overallState } from './run-state.ts';
import type { ListedRun, RunPartProps, RunView, ShownRun } from './run-view.ts';
import { useBundle } from './use-bundle.ts';
import { useRunMutations } from './use-run-mutations.ts';

const ScriptDialog = lazy(async () => ({ default: (await import('./dialogs/script-dialog.tsx')).ScriptDialog }));

interface RunPageProps<Item extends ListedRun, Detail extends ShownRun> {
  view: RunView<Item, Detail>;
  /** Results first, provenance last. They bring the figures of the kind, so they are no part of its view. */
  Results: ComponentType<RunPartProps<Detail>>;
  projectId: string;
}

/** The page of a run: name, state, menu, facts, what failed, what is in progress, and its results. */
export function RunPage<Item extends ListedRun, Detail extends ShownRun>(
  props: RunPageProps<Item, Detail> & { id: string },
) {
  const { view, projectId, id } = props;
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const { data: run, error, refetch } = useQuery(view.detail(projectId, id));
  if (run) return <LoadedRun {...props} run={run} />;
  const title = t(`nav.${RUN_KINDS[view.kind].path}`);
  const list = runListLink(view.kind, projectId);
  return (
    <Page title={title} crumbs={[...crumbs, { label: title, link: list }]}>
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonLines />}
      {isNotFound(error) && (
        <p>
          <Link {...(list as LinkProps)} className="hx-link">
            {t('runs.toList')}
          </Link>
        </p>
      )}
    </Page>
  );
}

/** Entries of the menu that save files of the run. */
function Downloads({ links = [] }: { links: readonly (readonly [string, string | null | undefined])[] | undefined }) {
  return links.map(
    ([label, url]) =>
      url && (
        <Menu.Item key={label} component="a" href={url} download>
          {label}
        </Menu.Item>
      ),
  );
}

function LoadedRun<Item extends ListedRun, Detail extends ShownRun>(
  props: RunPageProps<Item, Detail> & RunPartProps<Detail>,
) {
  const { view, Results, projectId, run } = props;
  const { kind, Action } = view;
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const navigate = useNavigate();
  const modal = useModal();
  const { may, mayChange, mayDelete } = useProjectRights(projectId);
  const mayChangeIt = mayChange(run);
  const mutations = useRunMutations(projectId, view);
  const bundle = useBundle(projectId, view, run.id);
  const report = useReport({
    name: run.name,
    print: (page) => call(view.endpoints.reportRun, { project_id: projectId, id: run.id, query: { page } }),
  });
  const isDone = overallState(run.state.status) === 'SUCCESS';
  const cite = useCite({
    read: (signal) => call(view.endpoints.citeRun, { project_id: projectId, id: run.id }, { signal }),
    of: [kind, run.id],
  });
  const share = useShare({ projectId, kind, id: run.id, name: run.name, created_by_id: run.created_by_id });
  const facts = view.useFacts(run, useFactMakers(projectId));
  const [asking, setAsking] = useState<'delete' | 'cancel' | 'script'>();
  const { path } = RUN_KINDS[kind];
  const list = runListLink(kind, projectId);
  const againWith = view.againWith === undefined ? run.id : view.againWith(run);
  const runAgain = (): void => modal.open(createModalOf(kind), againWith);
  return (
    <ItemPage
      item={{ projectId, kind, id: run.id, name: run.name }}
      crumbs={[...crumbs, { label: t(`nav.${path}`), link: list }, { label: run.name }]}
      state={<RunStateBadge state={run.state} isAnnounced />}
      renameLabel={t(`${path}.renameTitle`)}
      canRename={mayChangeIt}
      onRename={(name) => mutations.update.mutateAsync({ id: run.id, name })}
      action={
        <>
          {Action && <Action projectId={projectId} run={run} />}
          {'isDecidedOn' in RUN_KINDS[kind] && isDone && may('write') && (
            <Button variant="default" onClick={() => modal.open('create-decision', run.id, [kind])}>
              {t('decisions.decide')}
            </Button>
          )}
          <Menu>
            <Menu.Target>
              <IconButton label={t('word.moreActions')} size="lg" variant="default">
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown mah="80dvh" style={{ overflowY: 'auto' }}>
              {mayChangeIt && (
                <Menu.Item onClick={() => modal.open(updateModalOf(kind), run.id)}>{t('runs.editDetails')}</Menu.Item>
              )}
              {may('write') && againWith !== undefined && (
                <Menu.Item onClick={runAgain}>{t('runs.runAgain')}</Menu.Item>
              )}
              {report.entry}
              {share.entry}
              <Menu.Item onClick={() => bundle.mutate()}>{t('runs.bundle')}</Menu.Item>
              {isDone && cite.entry}
              <Menu.Item onClick={() => setAsking('script')}>{t('runs.script.menu')}</Menu.Item>
              <Downloads links={view.downloads?.(run, t)} />
              {mayDelete(run) && (
                <>
                  <Menu.Divider />
                  <Menu.Item className="hx-danger" onClick={() => setAsking('delete')}>
                    {t(`${path}.delete`)}
                  </Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {bundle.error && <ErrorNotice error={bundle.error} />}
      {run.description && <p>{run.description}</p>}
      <FactsStrip
        facts={[
          ...facts,
          { label: t('column.created'), value: <RelativeTime date={run.created_at} /> },
          { label: t('runs.took'), value: formatDuration(run.provenance.seconds) },
        ]}
      />
      <RunFailures
        state={run.state}
        onRetry={mayChangeIt ? () => mutations.retry.mutate(run.id) : undefined}
        isRetrying={mutations.retry.isPending}
        onChange={may('write') && againWith !== undefined ? runAgain : undefined}
      />
      {mutations.retry.error && <ErrorNotice error={mutations.retry.error} />}
      <RunningTraits
        state={run.state}
        name={run.name}
        stages={view.stages(run)}
        onCancel={mayChangeIt ? () => setAsking('cancel') : undefined}
      />
      <Results projectId={projectId} run={run} />
      <Comments projectId={projectId} entityKind={kind} entityId={run.id} />
      {asking === 'delete' && (
        <DeleteRunDialog
          kind={kind}
          run={run}
          remove={mutations.remove}
          onClose={(confirmed) => {
            setAsking(undefined);
            if (confirmed) void navigate(list as Parameters<typeof navigate>[0]);
          }}
        />
      )}
      {asking === 'script' && (
        <Suspense>
          <ScriptDialog
            projectId={projectId}
            view={view}
            run={run}
            commands={view.commands?.(run)}
            onClose={() => setAsking(undefined)}
          />
        </Suspense>
      )}
      {report.dialog}
      {cite.dialog}
      {share.dialog}
      {asking === 'cancel' && (
        <CancelRunDialog run={run} cancel={mutations.cancel} onClose={() => setAsking(undefined)} />
      )}
    </ItemPage>
  );
}
