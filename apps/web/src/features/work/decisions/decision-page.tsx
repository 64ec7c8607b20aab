import { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import { reportsApi } from '@heterosis/contracts/endpoints/work/reports';
import type { DecisionDetail } from '@heterosis/contracts/work/decisions';
import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Headline } from '../../../components/page/headline.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { type Crumb, Page } from '../../../components/page/page.tsx';
import { Section } from '../../../components/page/section.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { formatCount, formatDay, formatStatistic } from '../../../lib/format/format.ts';
import { indexFormula } from '../../../lib/format/index-formula.ts';
import { Comments } from '../../people/comments/index.ts';
import { ItemPage } from '../../people/home/index.ts';
import { useProjectCrumbs, useProjectRights } from '../../people/projects/index.ts';
import { useShare } from '../../people/share-links/index.ts';
import { useReport } from '../reports/index.ts';
import { useCite } from '../runs/index.ts';
import { boardRows } from './board-rows.ts';
import { CloseDialog, ReopenDialog } from './close-dialogs.tsx';
import { DecisionBoard } from './decision-board.tsx';
import { decisionQuery, linesQuery, useDecisionMutations } from './decisions.api.ts';
import { DecisionState } from './decisions-page.tsx';
import { MarkManyDialog } from './mark-many-dialog.tsx';
import { OutcomeSection } from './outcome-section.tsx';
import { SetStrip } from './set-strip.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useMarkQueue } from './use-mark-queue.ts';

/** The meeting about some lines: their values, everybody's marks, what the chosen set is worth, and the minutes. */
export function DecisionPage({ projectId, decisionId }: { projectId: string; decisionId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const query = useQuery(decisionQuery(projectId, decisionId));
  const root = {
    ...{ label: t('nav.decisions'), link: { to: '/projects/$projectId/decisions', params: { projectId } } },
  } as Crumb;
  if (!query.data) {
    return (
      <Page title={t('nav.decisions')} crumbs={[...crumbs, root]}>
        {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : <SkeletonLines />}
      </Page>
    );
  }
  return (
    <LoadedDecision
      key={decisionId}
      projectId={projectId}
      decision={query.data}
      crumbs={[...crumbs, root, { label: query.data.name }]}
    />
  );
}

type Dialog = 'best' | 'close' | 'delete' | 'reopen' | 'settings';

/** What is kept of a decision that was closed: its minutes, as a table and printed, and how it is cited. */
function useKept(projectId: string, decision: DecisionDetail) {
  const minutes = useMutation({
    mutationFn: async () =>
      downloadAnswer(
        await call(decisionsApi.getMinutes, { project_id: projectId, id: decision.id, query: {} }),
        `${decision.name}.csv`,
      ),
  });
  const report = useReport({
    name: decision.name,
    print: (page) => call(reportsApi.reportDecision, { project_id: projectId, id: decision.id, query: { page } }),
  });
  const cite = useCite({
    read: (signal) => call(decisionsApi.citeDecision, { project_id: projectId, id: decision.id }, { signal }),
    of: ['decision', decision.id, String(decision.versions.length)],
  });
  return { minutes, report, cite };
}

function LoadedDecision(props: { projectId: string; decision: DecisionDetail; crumbs: Crumb[] }) {
  const { projectId, decision, crumbs } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { may, mayDelete } = useProjectRights(projectId);
  const { update, refresh, remove } = useDecisionMutations(projectId);
  const lines = useQuery(linesQuery(projectId, decision));
  const queue = useMarkQueue(projectId, decision.id, decision.version);
  const [dialog, setDialog] = useState<Dialog>();
  const { large } = useSearch({ strict: false }) as { large?: string };
  const { minutes, report, cite } = useKept(projectId, decision);
  const share = useShare({ ...decision, projectId, kind: 'decision' });
  const isOpen = decision.state === 'OPEN';
  const mayMark = isOpen && may('write');
  const rows =
    lines.data &&
    queue.marks &&
    boardRows(lines.data, queue.marks, queue.myId, (number) => t('decisions.hidden', { number }));
  const close = (): void => setDialog(undefined);
  return (
    <ItemPage
      item={{ projectId, kind: 'decision', id: decision.id, name: decision.name }}
      crumbs={crumbs}
      state={<DecisionState decision={decision} />}
      renameLabel={t('decisions.rename')}
      canRename={decision.may_chair}
      onRename={(name) => update.mutateAsync({ id: decision.id, name })}
      action={
        <>
          {mayMark && (
            <Button variant="default" disabled={!rows} onClick={() => setDialog('best')}>
              {t('decisions.markBest')}
            </Button>
          )}
          {isOpen && decision.may_chair && <Button onClick={() => setDialog('close')}>{t('decisions.close')}</Button>}
          {!isOpen && (
            <Button variant="default" onClick={report.open}>
              {t('decisions.minutes')}
            </Button>
          )}
          {!isOpen && decision.list && may('write') && (
            <Button
              component={Link}
              to="/projects/$projectId/trials/new"
              params={{ projectId } as never}
              search={{ list: decision.list.id } as never}
            >
              {t('decisions.design')}
            </Button>
          )}
          <Menu>
            <Menu.Target>
              <IconButton label={t('word.moreActions')} size="lg" variant="default">
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              {mayMark && decision.may_chair && (
                <>
                  <Menu.Item onClick={() => setDialog('settings')}>{t('decisions.settings')}</Menu.Item>
                  <Menu.Item onClick={() => refresh.mutate(decision.id)}>{t('decisions.refresh')}</Menu.Item>
                </>
              )}
              <Menu.Item
                onClick={() =>
                  void navigate({
                    to: '.',
                    search: (before) => ({ ...before, large: large === undefined ? 'on' : undefined }) as never,
                    replace: true,
                  })
                }
              >
                {t(large === undefined ? 'decisions.large' : 'decisions.normal')}
              </Menu.Item>
              {!isOpen && share.entry}
              {decision.versions.length > 0 && (
                <Menu.Item onClick={() => minutes.mutate()}>{t('decisions.minutesCsv')}</Menu.Item>
              )}
              {decision.versions.length > 0 && cite.entry}
              {isOpen && decision.versions.length > 0 && (
                <Menu.Item onClick={report.open}>{t('decisions.minutes')}</Menu.Item>
              )}
              {!isOpen && decision.may_chair && (
                <Menu.Item onClick={() => setDialog('reopen')}>{t('decisions.reopen')}</Menu.Item>
              )}
              {mayDelete(decision) && (
                <Menu.Item className="hx-danger" onClick={() => setDialog('delete')}>
                  {t('action.delete')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {minutes.error && <ErrorNotice error={minutes.error} />}
      {refresh.error && <ErrorNotice error={refresh.error} />}
      <DecisionHeadline projectId={projectId} decision={decision} />
      <SetStrip projectId={projectId} decision={decision} />
      {(lines.error ?? queue.error) !== null && (
        <ErrorNotice error={lines.error ?? queue.error} onRetry={() => void lines.refetch()} />
      )}
      {!rows && !lines.error && <SkeletonLines lines={8} />}
      {rows && <DecisionBoard projectId={projectId} decision={decision} rows={rows} queue={queue} mayMark={mayMark} />}
      {/* Below the table: they would be pushed down by it. */}
      {rows && !isOpen && <OutcomeSection projectId={projectId} decision={decision} />}
      {rows && <TableSources decision={decision} />}
      <Comments projectId={projectId} entityKind="decision" entityId={decision.id} />
      {report.dialog}
      {share.dialog}
      {cite.dialog}
      {dialog === 'best' && rows && (
        <MarkManyDialog rows={rows} best={decision.settings.best} queue={queue} onClose={close} />
      )}
      {dialog === 'settings' && (
        <SettingsDialog
          projectId={projectId}
          decision={decision}
          names={rows?.flatMap(({ isHidden, name }) => (isHidden ? [] : [name])) ?? []}
          onClose={close}
        />
      )}
      {dialog === 'close' && (
        <CloseDialog projectId={projectId} decision={decision} waiting={queue.waiting} onClose={close} />
      )}
      {dialog === 'reopen' && <ReopenDialog projectId={projectId} decision={decision} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('action.deleteTitle', { name: decision.name })}
          confirmLabel={t('action.delete')}
          onConfirm={() => remove.mutateAsync(decision.id)}
          onClose={(isDone) => {
            close();
            if (isDone) void navigate({ to: '/projects/$projectId/decisions', params: { projectId } });
          }}
        >
          {t('decisions.deleteText')}
        </ConfirmDialog>
      )}
    </ItemPage>
  );
}

/** How far the meeting is, or what it ended with. */
function DecisionHeadline({ projectId, decision }: { projectId: string; decision: DecisionDetail }) {
  const { t } = useTranslation();
  const { counts, list } = decision;
  if (decision.state === 'OPEN')
    return (
      <Headline>
        {t('decisions.headline', {
          ...{ advance: formatCount(counts.ADVANCE), hold: formatCount(counts.HOLD), drop: formatCount(counts.DROP) },
          ...{ open: formatCount(openLines(decision)), people: decision.people },
        })}
        {counts.disagreed > 0 && ` ${t('decisions.disagreement', { count: counts.disagreed })}`}
      </Headline>
    );
  return (
    <Headline>
      {t('decisions.closedHeadline', {
        count: counts.ADVANCE,
        ...{ all: formatCount(candidates(decision)), day: formatDay(decision.closed_at ?? decision.updated_at) },
      })}{' '}
      {list && (
        <Link
          className="hx-link"
          to="/projects/$projectId/lists"
          params={{ projectId }}
          search={{ list: list.id } as never}
        >
          {list.name}
        </Link>
      )}
    </Headline>
  );
}

/** Lines without the check, which takes no part. */
const candidates = ({ line_count: lines, settings }: DecisionDetail): number =>
  lines - (settings.check === null ? 0 : 1);

const openLines = (decision: DecisionDetail): number => {
  const { ADVANCE, HOLD, DROP } = decision.counts;
  return Math.max(0, candidates(decision) - ADVANCE - HOLD - DROP);
};

/** Which runs the numbers come from, how they are weighed, and what they ignore. */
function TableSources({ decision }: { decision: DecisionDetail }) {
  const { t } = useTranslation();
  const of = decision.columns.filter(({ in_index: inIndex }) => inIndex);
  const runs = new Map(decision.columns.map((column) => [column.run_id, column]));
  return (
    <Section
      title={t('decisions.onTheTable')}
      note={t('decisions.indexIs', {
        formula: indexFormula(
          of.map(({ trait }) => trait),
          of.map(({ weight }) => weight ?? 0),
        ),
      })}
    >
      <ul>
        {[...runs.values()].map((column) => (
          <li key={column.run_id}>
            {t('decisions.runOnTable', {
              ...{ what: column.what, run: column.run_name, day: formatDay(column.run_at) },
              hash: column.sha256.slice(0, 12),
            })}
          </li>
        ))}
        <li>
          {t('decisions.gainsPerIntensity', {
            gains: of
              .map(({ trait, gain, unit }) => `${trait} ${formatStatistic(gain)}${unit === null ? '' : ` ${unit}`}`)
              .join(', '),
          })}
        </li>
        {decision.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
        {decision.refreshes.map((one) => (
          <li key={one.refreshed_at}>
            {t('decisions.refreshedBy', {
              ...{ name: one.refreshed_by, day: formatDay(one.refreshed_at) },
              runs: one.runs
                .map(({ name, instead_of: before }) =>
                  before === null ? name : t('decisions.insteadOf', { run: name, before }),
                )
                .join(', '),
            })}
          </li>
        ))}
        {decision.versions.map((version) => (
          <li key={version.version}>
            {t(version.reopened_reason === null ? 'decisions.versionClosed' : 'decisions.versionReopened', {
              ...{ version: version.version, name: version.closed_by ?? t('person.deleted') },
              ...{ day: formatDay(version.closed_at), reason: version.reopened_reason ?? '' },
            })}
          </li>
        ))}
      </ul>
    </Section>
  );
}
