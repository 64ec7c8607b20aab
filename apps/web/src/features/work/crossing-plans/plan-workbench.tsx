import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { unpackPlanTables } from '@heterosis/statgen/mating/plan-tables';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../../components/charts/chart-colors.ts';
import { Figure } from '../../../components/charts/figure.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { ResultsSkeleton, SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import { CandidateTable } from './candidate-table.tsx';
import { ChosenCrosses, type WorkbenchProps } from './chosen-crosses.tsx';
import { planTablesQuery } from './crossing-plans.api.ts';
import { IndexFields } from './index-fields.tsx';
import type { PlanAnswer } from './plan-answer.ts';
import { curveOption } from './plan-charts.ts';
import { PlanConstraints } from './plan-constraints.tsx';
import { pairsIn, questionOf, settingsOf } from './plan-settings.ts';
import classes from './plan-workbench.module.css';
import { usePlanAnswer } from './use-plan-answer.ts';
import { UsefulPairs } from './useful-pairs.tsx';

/** Candidates, constraints, curve and chosen crosses; everything is recomputed as something changes. */
export function PlanWorkbench({ projectId, run }: { projectId: string; run: CrossingPlanDetail }) {
  const query = useQuery(planTablesQuery(projectId, run.id));
  const tables = useMemo(() => query.data && unpackPlanTables(new Uint8Array(query.data)), [query.data]);
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (tables === undefined || query.data === undefined) return <ResultsSkeleton />;
  return <LoadedWorkbench projectId={projectId} run={run} tables={tables} bytes={query.data} />;
}

function LoadedWorkbench({ projectId, run, tables, bytes }: WorkbenchProps & { bytes: ArrayBuffer }) {
  const { t } = useTranslation();
  const [settings, setSettings] = useState(() => settingsOf(run, tables));
  const question = useMemo(() => questionOf(settings, run, tables), [settings, run, tables]);
  const { answer, reason, isPending } = usePlanAnswer(bytes, question);
  /** Otherwise the answer is that to an earlier question. */
  const isCurrent = !isPending && reason === undefined;
  const change = (changes: Partial<typeof settings>): void => setSettings((before) => ({ ...before, ...changes }));
  const wrong = pairsIn(settings.required).wrong ?? pairsIn(settings.forbidden).wrong;
  return (
    <>
      <Section title={t('crossing_plans.constraints')} note={t('crossing_plans.constraintsNote')}>
        <PlanConstraints settings={settings} onChange={change} answer={answer} tables={tables} />
        {run.traits.length > 1 && <IndexFields run={run} settings={settings} onChange={change} answer={answer} />}
        {wrong !== undefined && <Notice kind="warning">{t('crossing_plans.wrongPair', { line: wrong })}</Notice>}
        {reason !== undefined && (
          <Notice kind="warning">
            {t('crossing_plans.impossible', { reason })} {answer !== undefined && t('crossing_plans.lastPossible')}
          </Notice>
        )}
      </Section>
      {answer === undefined ? (
        reason === undefined && <SkeletonLines lines={10} />
      ) : (
        <div className={classes.sides} aria-busy={isPending} data-pending={isPending || undefined}>
          <CandidateTable run={run} tables={tables} answer={answer} settings={settings} onChange={change} />
          <div className={classes.side}>
            <PlanSummary run={run} answer={answer} asked={isCurrent ? settings.crosses : 0} />
            <TradeOff run={run} answer={answer} onCap={(cap) => change({ cap })} />
            <ChosenCrosses
              projectId={projectId}
              run={run}
              tables={tables}
              answer={answer}
              factor={question.factor}
              isCurrent={isCurrent}
            />
          </div>
        </div>
      )}
      {answer !== undefined && answer.ranking.length > 0 && (
        <UsefulPairs run={run} tables={tables} answer={answer} settings={settings} onChange={change} />
      )}
    </>
  );
}

/** What the plan comes to, and how far it can be from the best. */
function PlanSummary({ run, answer, asked }: { run: CrossingPlanDetail; answer: PlanAnswer; asked: number }) {
  const { t } = useTranslation();
  const { plan, changes, value } = answer;
  const parents = plan.uses.filter((use) => use > 0).length;
  const gap = plan.valueBound - plan.value;
  const range = Math.max(...value) - Math.min(...value);
  return (
    <div className={classes.summary} aria-live="polite">
      <FactsStrip
        facts={[
          { label: t('crossing_plans.crosses'), value: formatCount(plan.crosses.length) },
          { label: t('crossing_plans.parents'), value: formatCount(parents) },
          {
            label: t('crossing_plans.coancestry'),
            value: formatStatistic(plan.coancestry),
            hint: t('crossing_plans.coancestryHint'),
          },
          { label: t('crossing_plans.value'), value: formatStatistic(plan.value), hint: t('crossing_plans.valueHint') },
          {
            label: t('crossing_plans.gap'),
            value:
              gap <= NEGLIGIBLE * range
                ? t('crossing_plans.proven')
                : t('crossing_plans.atMost', { value: formatStatistic(plan.valueBound) }),
            hint: t('crossing_plans.gapHint'),
          },
          ...run.traits.map((trait, place) => ({
            label: t('crossing_plans.change', { trait }),
            value: signed(changes[place] ?? 0),
            hint: t('crossing_plans.changeHint'),
          })),
        ]}
      />
      {plan.aboveCap !== null && (
        <Notice kind="warning">
          {t(`crossing_plans.aboveCap.${plan.aboveCap}`, { cap: formatStatistic(plan.cap) })}
        </Notice>
      )}
      {plan.crosses.length < asked && (
        <Notice kind="warning">{t('crossing_plans.tooFew', { count: plan.crosses.length, asked })}</Notice>
      )}
      {plan.isRepaired && <Notice kind="warning">{t('crossing_plans.repaired')}</Notice>}
    </div>
  );
}

/** A gap smaller than this share of the range of values is none. */
const NEGLIGIBLE = 1e-6;

const signed = (value: number): string => `${value > 0 ? '+' : ''}${formatStatistic(value)}`;

const HEIGHT = 300;

function TradeOff(props: { run: CrossingPlanDetail; answer: PlanAnswer; onCap: (cap: number) => void }) {
  const { run, answer, onCap } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const { curve, plan } = answer;
  const option = useMemo(
    () =>
      curveOption(
        curve,
        { coancestry: plan.coancestry, value: plan.value },
        {
          coancestry: t('crossing_plans.coancestry'),
          value: t('crossing_plans.value'),
          curve: t('crossing_plans.curve'),
          plan: t('crossing_plans.thisPlan'),
        },
        colors,
      ),
    [curve, plan, colors, t],
  );
  return (
    <Figure
      title={t('crossing_plans.curveTitle')}
      caption={t('crossing_plans.curveCaption')}
      label={t('crossing_plans.curveLabel')}
      option={option}
      height={HEIGHT}
      fileName={`${run.name} curve`}
      onPoint={([coancestry]) => coancestry !== undefined && onCap(coancestry)}
      table={{
        head: [t('crossing_plans.coancestry'), t('crossing_plans.value')],
        rows: curve.map((point) => [point.coancestry, point.value]),
        format: formatStatistic,
      }}
    />
  );
}
