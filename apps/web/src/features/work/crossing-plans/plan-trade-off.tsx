import { curveOption, PLOT_MARGINS } from '@heterosis/charts/crosses/plan-charts';
import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { Slider } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatStatistic } from '../../../lib/format/format.ts';
import type { PlanAnswer } from './plan-answer.ts';
import classes from './plan-workbench.module.css';

const HEIGHT = 280;
/** Steps of the slider between the ends of the curve. */
const STEPS = 200;
/** The ends are whole millionths: a slider whose end is written as 3e-17 is none to a screen reader. */
const GRAINS = 1e6;

/** The curve of value against coancestry; the slider of the cap below it is its axis. */
export function TradeOff(props: { run: CrossingPlanDetail; answer: PlanAnswer; onCap: (cap: number) => void }) {
  const { run, answer, onCap } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('crossing_plans', PLAN_OPTIONS);
  const colors = useChartColors();
  const { curve, plan } = answer;
  // The plan in whole crosses may lie a little beyond the end of the curve.
  const most = Math.ceil(GRAINS * Math.max(curve[0]?.coancestry ?? 1, plan.coancestry)) / GRAINS;
  const least = Math.floor(GRAINS * Math.min(curve.at(-1)?.coancestry ?? 0, plan.coancestry)) / GRAINS;
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
        { colors, least, most },
      ),
    [curve, plan, colors, least, most, t],
  );
  return (
    <div>
      <Figure
        title={t('crossing_plans.curveTitle')}
        caption={t('crossing_plans.curveCaption')}
        meaning={t('crossing_plans.capHint')}
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
      <div style={{ paddingLeft: PLOT_MARGINS.left, paddingRight: PLOT_MARGINS.right }} className={classes.slider}>
        <Slider
          min={least}
          max={most}
          step={Math.max((most - least) / STEPS, Number.EPSILON)}
          value={Math.min(most, Math.max(least, plan.cap))}
          onChange={onCap}
          label={formatStatistic}
          thumbLabel={textOf('cap', 'title')}
        />
      </div>
    </div>
  );
}
