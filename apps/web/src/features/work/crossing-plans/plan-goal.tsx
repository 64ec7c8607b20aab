import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LiveNumberField, NumberField } from '../../../components/form/number-field.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { limitsOf } from '../run-dialog/index.ts';
import { IndexFields } from './index-fields.tsx';
import type { PlanAnswer } from './plan-answer.ts';
import type { PlanSettings } from './plan-settings.ts';
import classes from './plan-workbench.module.css';

/** Digits of the cap in the sentence; the slider has all. */
const CAP_DIGITS = 3;

/** What the breeder asks for, as a sentence whose numbers are fields; below it the index, and pairs by name. */
export function PlanGoal(props: {
  run: CrossingPlanDetail;
  settings: PlanSettings;
  onChange: (changes: Partial<PlanSettings>) => void;
  answer: PlanAnswer | undefined;
  tables: PlanTables;
}) {
  const { run, settings, onChange, answer, tables } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('crossing_plans', PLAN_OPTIONS);
  const madePairs = tables.made?.length ?? 0;
  const hasSpread = tables.covariances !== null;
  const cap = settings.cap ?? answer?.plan.cap;
  const capField = { 'aria-label': t('crossing_plans.goal.cap'), limits: limitsOf(PLAN_OPTIONS.cap) };
  return (
    <>
      <div className={classes.goal}>
        <span>
          <LiveNumberField
            aria-label={textOf('crosses', 'label')}
            limits={limitsOf(PLAN_OPTIONS.crosses)}
            value={settings.crosses}
            onChange={(crosses) => onChange({ crosses })}
          />
          {t('crossing_plans.goal.crosses')}
        </span>
        <span>
          {t('crossing_plans.goal.atMost')}
          <LiveNumberField
            aria-label={textOf('max_uses', 'label')}
            limits={limitsOf(PLAN_OPTIONS.max_uses)}
            value={settings.maxUses}
            onChange={(maxUses) => onChange({ maxUses })}
          />
          {t('crossing_plans.goal.uses')}
        </span>
        <span>
          {t('crossing_plans.goal.coancestry')}
          {cap === undefined ? (
            // The balanced cap comes with the first plan.
            <NumberField {...capField} onChange={() => undefined} disabled />
          ) : (
            <LiveNumberField
              {...capField}
              step={0.001}
              value={Number(cap.toPrecision(CAP_DIGITS))}
              onChange={(value) => onChange({ cap: value })}
            />
          )}
        </span>
      </div>
      <NativeSelect
        label={textOf('mates', 'title')}
        value={hasSpread ? settings.mates : 'inbreeding'}
        onChange={({ currentTarget }) => onChange({ mates: currentTarget.value as PlanSettings['mates'] })}
        data={PLAN_OPTIONS.mates.choices
          .filter((value) => hasSpread || value === 'inbreeding')
          .map((value) => ({ value, label: textOf('mates', 'labels', value) }))}
      />
      {run.traits.length > 1 && (
        <IndexFields run={run} settings={settings} onChange={onChange} answer={answer} isTogether={tables.isTogether} />
      )}
      {madePairs > 0 && (
        <Checkbox
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
