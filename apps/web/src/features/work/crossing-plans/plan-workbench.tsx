import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { unpackPlanTables } from '@heterosis/statgen/mating/plan-tables';
import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { ResultsSkeleton } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { CandidateTable } from './candidate-table.tsx';
import { ChosenCrosses, type WorkbenchProps } from './chosen-crosses.tsx';
import { planTablesQuery } from './crossing-plans.api.ts';
import type { PlanAnswer } from './plan-answer.ts';
import { PlanGoal } from './plan-goal.tsx';
import { PlanParents } from './plan-parents.tsx';
import { pairsIn, questionOf, settingsOf } from './plan-settings.ts';
import { PlanSummary } from './plan-summary.tsx';
import { TradeOff } from './plan-trade-off.tsx';
import classes from './plan-workbench.module.css';
import { usePlanAnswer } from './use-plan-answer.ts';
import { UsefulPairs } from './useful-pairs.tsx';

/** Goal, curve and chosen crosses; everything is recomputed as something changes. */
export function PlanWorkbench({ projectId, run }: { projectId: string; run: CrossingPlanDetail }) {
  const query = useQuery(planTablesQuery(projectId, run.id));
  const tables = useMemo(() => query.data && unpackPlanTables(new Uint8Array(query.data)), [query.data]);
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (tables === undefined || query.data === undefined) return <ResultsSkeleton />;
  return <LoadedWorkbench projectId={projectId} run={run} tables={tables} bytes={query.data} />;
}

/** Names that a notice lists. */
const NAMED = 5;
const namedSome = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} …` : names.join(', ');

function LoadedWorkbench({ projectId, run, tables, bytes }: WorkbenchProps & { bytes: ArrayBuffer }) {
  const { t } = useTranslation();
  const [settings, setSettings] = useState(() => settingsOf(run, tables));
  const [showsCandidates, setShowsCandidates] = useState(false);
  const question = useMemo(() => questionOf(settings, run, tables), [settings, run, tables]);
  const { answer, reason, isPending } = usePlanAnswer(bytes, question);
  /** Otherwise the answer is that to an earlier question. */
  const isCurrent = !isPending && reason === undefined;
  // The first answer is the plan as it was started: what is moved is compared with it.
  const started = useRef<PlanAnswer>(undefined);
  started.current ??= answer;
  const change = (changes: Partial<typeof settings>): void => setSettings((before) => ({ ...before, ...changes }));
  const forbidden = pairsIn(settings.forbidden);
  const wrong = pairsIn(settings.required).wrong ?? forbidden.wrong;
  const strangers = [...new Set(forbidden.pairs.flat())].filter((name) => !tables.candidates.includes(name));
  const shared = { run, tables, settings, onChange: change };
  return (
    <>
      <Section title={t('crossing_plans.goal.title')} note={t('crossing_plans.constraintsNote')}>
        <div className={classes.sides}>
          <div className={classes.side}>
            <PlanGoal {...shared} answer={answer} />
            {wrong !== undefined && <Notice kind="warning">{t('crossing_plans.wrongPair', { line: wrong })}</Notice>}
            {strangers.length > 0 && (
              <Notice kind="warning">
                {t('crossing_plans.strangers', { count: strangers.length, names: namedSome(strangers) })}
              </Notice>
            )}
            {reason !== undefined && (
              <Notice kind="warning">
                {t('crossing_plans.impossible', { reason })} {answer !== undefined && t('crossing_plans.lastPossible')}
              </Notice>
            )}
          </div>
          {answer === undefined ? (
            reason === undefined && (
              <div className={classes.side}>
                <ResultsSkeleton />
              </div>
            )
          ) : (
            <div className={classes.side} aria-busy={isPending} data-pending={isPending || undefined}>
              <TradeOff run={run} answer={answer} onCap={(cap) => change({ cap })} />
              <PlanSummary
                run={run}
                answer={answer}
                started={started.current ?? answer}
                asked={isCurrent ? settings.crosses : 0}
              />
            </div>
          )}
        </div>
      </Section>
      {answer !== undefined && (
        <>
          <PlanParents {...shared} answer={answer} onCandidates={() => setShowsCandidates(true)} />
          <ChosenCrosses
            projectId={projectId}
            run={run}
            tables={tables}
            answer={answer}
            factor={question.factor}
            isCurrent={isCurrent}
          />
          {answer.ranking.length > 0 && <UsefulPairs {...shared} answer={answer} />}
          <Drawer
            opened={showsCandidates}
            onClose={() => setShowsCandidates(false)}
            position="right"
            size="xl"
            title={t('crossing_plans.candidates')}
            // Mantine's header element would count as a second page header.
            attributes={{ header: { role: 'presentation' } }}
            closeButtonProps={{ 'aria-label': t('action.close') }}
          >
            <CandidateTable {...shared} answer={answer} />
          </Drawer>
        </>
      )}
    </>
  );
}
