import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { useTranslation } from 'react-i18next';
import { ExplainedLabel } from '../../../components/page/explained.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import type { PlanAnswer } from './plan-answer.ts';
import classes from './plan-workbench.module.css';

/** A gap smaller than this share of the range of values is none. */
const NEGLIGIBLE = 1e-6;

const signed = (value: number): string => `${value > 0 ? '+' : ''}${formatStatistic(value)}`;

interface Figure {
  label: string;
  value: string;
  hint?: string;
  /** Difference from the plan as it was started; 0 is not said. */
  moved?: number;
}

/** What the plan comes to, how that moved from the plan as it was started, and how far it can be from the best. */
export function PlanSummary(props: {
  run: CrossingPlanDetail;
  answer: PlanAnswer;
  started: PlanAnswer;
  asked: number;
}) {
  const { run, answer, started, asked } = props;
  const { t } = useTranslation();
  const { plan, changes, value } = answer;
  const gap = plan.valueBound - plan.value;
  const range = Math.max(...value) - Math.min(...value);
  const figures: Figure[] = [
    ...run.traits.map((trait, place) => ({
      label: t('crossing_plans.change', { trait }),
      value: signed(changes[place] ?? 0),
      hint: t('crossing_plans.changeHint'),
      moved: (changes[place] ?? 0) - (started.changes[place] ?? 0),
    })),
    {
      label: t('crossing_plans.value'),
      value: formatStatistic(plan.value),
      hint: t('crossing_plans.valueHint'),
      moved: plan.value - started.plan.value,
    },
    {
      label: t('crossing_plans.coancestry'),
      value: formatStatistic(plan.coancestry),
      hint: t('crossing_plans.coancestryHint'),
      moved: plan.coancestry - started.plan.coancestry,
    },
    {
      label: t('crossing_plans.inbreeding'),
      value: formatStatistic(inbreedingOf(answer)),
      hint: t('crossing_plans.inbreedingHint'),
      moved: inbreedingOf(answer) - inbreedingOf(started),
    },
    { label: t('crossing_plans.crosses'), value: formatCount(plan.crosses.length) },
    { label: t('crossing_plans.parents'), value: formatCount(plan.uses.filter((use) => use > 0).length) },
    {
      label: t('crossing_plans.gap'),
      value:
        gap <= NEGLIGIBLE * range
          ? t('crossing_plans.proven')
          : t('crossing_plans.atMost', { value: formatStatistic(plan.valueBound) }),
      hint: t('crossing_plans.gapHint'),
    },
  ];
  return (
    <div aria-live="polite" className={classes.summary}>
      <dl className={classes.numbers} data-facts>
        {figures.map(({ label, value: shown, hint, moved = 0 }) => (
          <div key={label}>
            <dt>
              <ExplainedLabel hint={hint}>{label}</ExplainedLabel>
            </dt>
            <dd>
              {shown}
              {Math.abs(moved) > NEGLIGIBLE && <span className={classes.moved}>{signed(moved)}</span>}
            </dd>
          </div>
        ))}
      </dl>
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

/** Mean inbreeding expected in the progeny of the crosses. */
const inbreedingOf = ({ plan: { crosses } }: PlanAnswer): number =>
  crosses.reduce((sum, { inbreeding }) => sum + inbreeding, 0) / Math.max(1, crosses.length);
