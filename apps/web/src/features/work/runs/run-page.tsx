import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type { RepeatableRun } from '@heterosis/contracts/work/run-request';
import { Menu } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { InlineRename } from '../../../components/form/inline-rename.tsx';
import { IconDots } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { isNotFound } from '../../../lib/api/problem.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { createModalOf, runListLink, updateModalOf } from '../../../lib/browser/run-kinds.ts';
import { useProjectCrumbs, useProjectRights } from '../../people/projects/index.ts';
import { CancelRunDialog, DeleteRunDialog } from './run-confirmations.tsx';
import { RunFailures, RunningTraits, RunStateBadge } from './run-parts.tsx';
import type { RunState, Stages } from './run-state.ts';
import { useBundle } from './use-bundle.ts';
import type { RunMutations } from './use-run-mutations.ts';

const ScriptDialog = lazy(async () => ({ default: (await import('./dialogs/script-dialog.tsx')).ScriptDialog }));

/** Until the run is there: its frame, and why it does not come. */
export function RunLoader<Run>(props: {
  projectId: string;
  kind: RunKind;
  query: UseQueryResult<Run>;
  children: (run: Run) => ReactNode;
}) {
  const { projectId, kind, query, children } = props;
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  if (query.data) return children(query.data);
  const title = t(`nav.${RUN_KINDS[kind].path}`);
  return (
    <Page title={title} crumbs={[...crumbs, { label: title, link: runListLink(kind, projectId) }]}>
      {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : <SkeletonLines />}
      {isNotFound(query.error) && (
        <p>
          <Link {...(runListLink(kind, projectId) as LinkProps)} className="hx-link">
            {t('runs.toList')}
          </Link>
        </p>
      )}
    </Page>
  );
}

interface RunPageProps {
  projectId: string;
  kind: RunKind;
  run: RepeatableRun & {
    id: string;
    name: string;
    description: string | null;
    created_by_id: string | null;
    state: RunState;
  };
  stages: Stages;
  mutations: Omit<RunMutations, 'create'>;
  /** Inputs and parameters in one line. */
  facts: Fact[];
  /** The one thing to do next, beside the menu. */
  action?: ReactNode;
  /** Further entries of the menu. */
  menu?: ReactNode;
  /** What the dialog that starts another one is opened with; undefined where there is nothing to start from. */
  againWith: string | undefined;
  /** Results first, provenance last. */
  children: ReactNode;
}

/** The page of a run: name, state, menu, facts, what failed, what is in progress, and its results. */
export function RunPage(props: RunPageProps) {
  const { projectId, kind, run, mutations, againWith } = props;
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const navigate = useNavigate();
  const modal = useModal();
  const { may, mayChange, mayDelete } = useProjectRights(projectId);
  const mayChangeIt = mayChange(run);
  const bundle = useBundle(projectId, kind, run.id);
  const [asking, setAsking] = useState<'delete' | 'cancel' | 'script'>();
  const { path } = RUN_KINDS[kind];
  const list = runListLink(kind, projectId);
  const runAgain = (): void => modal.open(createModalOf(kind), againWith);
  return (
    <Page
      title={run.name}
      crumbs={[...crumbs, { label: t(`nav.${path}`), link: list }, { label: run.name }]}
      heading={
        <InlineRename
          name={run.name}
          label={t(`${path}.renameTitle`)}
          canRename={mayChangeIt}
          onRename={(name) => mutations.update.mutateAsync({ id: run.id, name })}
        />
      }
      aside={<RunStateBadge state={run.state} isAnnounced />}
      action={
        <>
          {props.action}
          <Menu>
            <Menu.Target>
              <IconButton label={t('runs.more')} size="lg" variant="default">
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
              <Menu.Item onClick={() => bundle.mutate()}>{t('runs.bundle')}</Menu.Item>
              <Menu.Item onClick={() => setAsking('script')}>{t('runs.script.menu')}</Menu.Item>
              {props.menu}
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
      <FactsStrip facts={props.facts} />
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
        stages={props.stages}
        onCancel={mayChangeIt ? () => setAsking('cancel') : undefined}
      />
      {props.children}
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
          <ScriptDialog projectId={projectId} kind={kind} run={run} onClose={() => setAsking(undefined)} />
        </Suspense>
      )}
      {asking === 'cancel' && (
        <CancelRunDialog run={run} cancel={mutations.cancel} onClose={() => setAsking(undefined)} />
      )}
    </Page>
  );
}
