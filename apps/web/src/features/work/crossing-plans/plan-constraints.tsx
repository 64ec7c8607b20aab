import { mateCriterion } from '@heterosis/contracts/work/crossing-plans';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { Checkbox, Input, NativeSelect, Slider, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LiveNumberField } from '../../../components/form/number-field.tsx';
import { formatStatistic } from '../../../lib/format/format.ts';
import type { PlanAnswer } from './plan-answer.ts';
import { LIMITS } from './plan-form.ts';
import type { PlanSettings } from './plan-settings.ts';
import classes from './plan-workbench.module.css';

/** Steps of the slider between the ends of the curve. */
const STEPS = 200;

/** What the breeder asks for: number of crosses, uses, cap, pairing, and pairs by name. */
export function PlanConstraints(props: {
  settings: PlanSettings;
  onChange: (changes: Partial<PlanSettings>) => void;
  answer: PlanAnswer | undefined;
  tables: PlanTables;
}) {
  const { settings, onChange, answer, tables } = props;
  const { t } = useTranslation();
  const madePairs = tables.made?.length ?? 0;
  const hasSpread = tables.covariances !== null;
  const most = answer?.curve[0]?.coancestry ?? 1;
  const least = answer?.curve.at(-1)?.coancestry ?? 0;
  const cap = settings.cap ?? answer?.plan.cap ?? most;
  return (
    <>
      <div className={classes.fields}>
        <LiveNumberField
          label={t('crossing_plans.crosses')}
          limits={LIMITS.crosses}
          value={settings.crosses}
          onChange={(crosses) => onChange({ crosses })}
        />
        <LiveNumberField
          label={t('crossing_plans.maxUses')}
          limits={LIMITS.max_uses}
          value={settings.maxUses}
          onChange={(maxUses) => onChange({ maxUses })}
        />
        <NativeSelect
          label={t('crossing_plans.mates')}
          value={hasSpread ? settings.mates : 'inbreeding'}
          onChange={({ currentTarget }) => onChange({ mates: currentTarget.value as PlanSettings['mates'] })}
          data={mateCriterion.options
            .filter((value) => hasSpread || value === 'inbreeding')
            .map((value) => ({
              value,
              label: t(`crossing_plans.mateCriteria.${value}`),
            }))}
        />
        <Input.Wrapper
          className={classes.cap}
          label={t('crossing_plans.cap', { value: formatStatistic(cap) })}
          description={t('crossing_plans.capHint')}
        >
          <Slider
            className={classes.slider}
            min={least}
            max={most}
            step={Math.max((most - least) / STEPS, Number.EPSILON)}
            value={Math.min(most, Math.max(least, cap))}
            onChange={(value) => onChange({ cap: value })}
            label={formatStatistic}
            thumbLabel={t('crossing_plans.capName')}
          />
        </Input.Wrapper>
      </div>
      {madePairs > 0 && (
        <Checkbox
          mt="sm"
          label={t('crossing_plans.leaveOutMade', { count: madePairs })}
          checked={!settings.allowMade}
          onChange={({ currentTarget }) => onChange({ allowMade: !currentTarget.checked })}
        />
      )}
      <details className={classes.pairs}>
        <summary>{t('crossing_plans.pairs')}</summary>
        <div className={classes.fields}>
          {(['required', 'forbidden'] as const).map((kind) => (
            <Textarea
              key={kind}
              label={t(`crossing_plans.${kind}`)}
              description={t('crossing_plans.pairsHint')}
              autosize
              minRows={3}
              maxRows={8}
              value={settings[kind]}
              onChange={({ currentTarget }) => onChange({ [kind]: currentTarget.value })}
            />
          ))}
        </div>
      </details>
    </>
  );
}
