import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { Checkbox, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LiveNumberField } from '../../../components/form/number-field.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatStatistic } from '../../../lib/format/format.ts';
import type { PlanAnswer } from './plan-answer.ts';
import type { PlanSettings } from './plan-settings.ts';
import classes from './plan-workbench.module.css';

/** Those of the API. */
const WEIGHT = { min: -1e12, max: 1e12 };

/** How the traits become one value, and what selecting on it changes in each. */
export function IndexFields(props: {
  run: CrossingPlanDetail;
  settings: PlanSettings;
  onChange: (changes: Partial<PlanSettings>) => void;
  answer: PlanAnswer | undefined;
  /** Whether the values are of a model with the genetic covariances between the traits. */
  isTogether: boolean | undefined;
}) {
  const { run, settings, onChange, answer, isTogether = false } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('crossing_plans', PLAN_OPTIONS);
  const { traits, provenance } = run;
  const isDesired = settings.method === 'desired_gains';
  const replaced = <Value,>(values: readonly Value[], at: number, value: Value): Value[] =>
    values.map((one, place) => (place === at ? value : one));
  const weightHead = t(isDesired ? 'crossing_plans.desired' : 'crossing_plans.weight');
  return (
    <>
      <NativeSelect
        label={textOf('index_method', 'title')}
        description={`${t(`crossing_plans.indexHints.${settings.method}`)} ${t(isTogether ? 'crossing_plans.indexFromModel' : 'crossing_plans.indexFromAccuracies')}`}
        maw="28rem"
        mt="sm"
        value={settings.method}
        onChange={({ currentTarget }) => onChange({ method: currentTarget.value as PlanSettings['method'] })}
        data={PLAN_OPTIONS.index_method.choices.map((value) => ({
          value,
          label: textOf('index_method', 'labels', value),
        }))}
      />
      <div className={classes.scroll}>
        <table className={classes.index}>
          <caption className="hx-visually-hidden">{textOf('index_method', 'title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('crossing_plans.trait')}</th>
              <th scope="col">{weightHead}</th>
              {settings.method === 'restricted' && <th scope="col">{t('crossing_plans.keep')}</th>}
              <th scope="col" title={t('crossing_plans.gainHint')}>
                {t('crossing_plans.gain')}
              </th>
            </tr>
          </thead>
          <tbody>
            {traits.map((trait, place) => (
              <tr key={trait}>
                <th scope="row">
                  {provenance.parameters.low_traits.includes(trait) ? t('crossing_plans.lower', { trait }) : trait}
                </th>
                <td>
                  <LiveNumberField
                    aria-label={`${weightHead}: ${trait}`}
                    size="xs"
                    w="7rem"
                    limits={WEIGHT}
                    value={settings.weights[place] ?? 0}
                    disabled={settings.method === 'restricted' && settings.isKept[place] === true}
                    onChange={(value) => onChange({ weights: replaced(settings.weights, place, value) })}
                  />
                </td>
                {settings.method === 'restricted' && (
                  <td>
                    <Checkbox
                      aria-label={`${t('crossing_plans.keep')}: ${trait}`}
                      checked={settings.isKept[place] ?? false}
                      onChange={({ currentTarget }) =>
                        onChange({ isKept: replaced(settings.isKept, place, currentTarget.checked) })
                      }
                    />
                  </td>
                )}
                <td>{formatStatistic(answer?.gains[place])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
