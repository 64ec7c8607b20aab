import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { Checkbox, Input, NativeSelect, Slider, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LiveNumberField } from '../../../components/form/number-field.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatStatistic } from '../../../lib/format/format.ts';
import { limitsOf } from '../run-dialog/index.ts';
import type { PlanAnswer } from './plan-answer.ts';
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
  const textOf = useOptionText('crossing_plans', PLAN_OPTIONS);
  const madePairs = tables.made?.length ?? 0;
  const hasSpread = tables.covariances !== null;
  const most = answer?.curve[0]?.coancestry ?? 1;
  const least = answer?.curve.at(-1)?.coancestry ?? 0;
  const cap = settings.cap ?? answer?.plan.cap ?? most;
  return (
    <>
      <div className={classes.fields}>
        <LiveNumberField
          label={textOf('crosses', 'label')}
          limits={limitsOf(PLAN_OPTIONS.crosses)}
          value={settings.crosses}
          onChange={(crosses) => onChange({ crosses })}
        />
        <LiveNumberField
          label={textOf('max_uses', 'label')}
          limits={limitsOf(PLAN_OPTIONS.max_uses)}
          value={settings.maxUses}
          onChange={(maxUses) => onChange({ maxUses })}
        />
        <NativeSelect
          label={textOf('mates', 'title')}
          value={hasSpread ? settings.mates : 'inbreeding'}
          onChange={({ currentTarget }) => onChange({ mates: currentTarget.value as PlanSettings['mates'] })}
          data={PLAN_OPTIONS.mates.choices
            .filter((value) => hasSpread || value === 'inbreeding')
            .map((value) => ({ value, label: textOf('mates', 'labels', value) }))}
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
            thumbLabel={textOf('cap', 'title')}
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
