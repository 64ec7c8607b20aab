import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import { type DecisionDetail, type DecisionSettings, decisionSettings } from '@heterosis/contracts/work/decisions';
import { Checkbox, NativeSelect, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { useDecisionMutations } from './decisions.api.ts';
import classes from './decisions.module.css';

const WEIGHT = { min: -1e12, max: 1e12 };

/** Check, number of places, index and cost: what is changed is computed again for everybody. */
export function SettingsDialog(props: {
  projectId: string;
  decision: DecisionDetail;
  /** Names of the lines; empty while they are hidden. */
  names: readonly string[];
  onClose: () => void;
}) {
  const { projectId, decision, names, onClose } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('crossing_plans', PLAN_OPTIONS);
  const { update } = useDecisionMutations(projectId);
  const { settings } = decision;
  const columns = decision.columns.filter((column) => column.in_index);
  const form = useForm({
    initialValues: {
      ...{ check: settings.check, best: settings.best as FieldNumber, index_method: settings.index_method },
      weights: columns.map((column): FieldNumber => settings.weights[column.trait] ?? ''),
      ...{ kept: settings.kept_traits, isIndependent: settings.error_correlation === 'none' },
      ...{ isBlind: settings.is_blind, plots: settings.plots_per_line as FieldNumber },
      ...{ seed: settings.seed_per_plot as FieldNumber, stages: settings.stages },
    },
  });
  const { values } = form;
  const weights = Object.fromEntries(
    columns.flatMap(({ trait }, k) => (values.weights[k] === '' ? [] : [[trait, numberOf(values.weights[k] ?? '')]])),
  );
  const body: DecisionSettings = {
    ...{ check: values.check, best: numberOf(values.best), index_method: values.index_method, weights },
    ...{ kept_traits: values.index_method === 'restricted' ? values.kept : [], is_blind: values.isBlind },
    ...{ error_correlation: values.isIndependent ? 'none' : 'as_values', stages: values.stages },
    ...{ plots_per_line: numberOf(values.plots), seed_per_plot: numberOf(values.seed) },
  };
  const submission = useSubmission(form, () => update.mutateAsync({ id: decision.id, settings: body }), onClose);
  const isDesired = values.index_method === 'desired_gains';
  const lacksGains = isDesired && Object.keys(weights).length < columns.length;
  return (
    <ModalFrame title={t('decisions.settings')} onClose={onClose} size="lg">
      <form className={classes.form} onSubmit={submission.handleSubmit} noValidate>
        <div className={classes.pairs}>
          <Select
            label={t('decisions.check')}
            data={names.length > 0 ? [...names] : settings.check === null ? [] : [settings.check]}
            disabled={names.length === 0}
            searchable
            clearable
            limit={50}
            {...form.getInputProps('check')}
          />
          <NumberField
            label={t('decisions.best')}
            limits={{ min: 1, max: 2000, isWhole: true }}
            {...form.getInputProps('best')}
          />
        </div>
        <NativeSelect
          label={textOf('index_method', 'title')}
          data={PLAN_OPTIONS.index_method.choices.map((value) => ({
            value,
            label: textOf('index_method', 'labels', value),
          }))}
          description={t(`crossing_plans.indexHints.${values.index_method}`)}
          {...form.getInputProps('index_method')}
        />
        <div className={classes.pairs}>
          {columns.map(({ trait, unit }, k) => (
            <div key={trait}>
              <NumberField
                label={t(isDesired ? 'decisions.desiredOf' : 'decisions.weightOf', { trait })}
                {...(isDesired && unit !== null && { unit })}
                placeholder={t('decisions.ofProject')}
                limits={WEIGHT}
                {...form.getInputProps(`weights.${k}`)}
              />
              {values.index_method === 'restricted' && (
                <Checkbox
                  mt={6}
                  label={t('decisions.keep', { trait })}
                  checked={values.kept.includes(trait)}
                  onChange={({ currentTarget }) =>
                    form.setFieldValue(
                      'kept',
                      currentTarget.checked ? [...values.kept, trait] : values.kept.filter((one) => one !== trait),
                    )
                  }
                />
              )}
            </div>
          ))}
        </div>
        {columns.length > 1 && (
          <Checkbox
            label={t('decisions.independent')}
            description={t('decisions.independentHint')}
            {...form.getInputProps('isIndependent', { type: 'checkbox' })}
          />
        )}
        <Checkbox
          label={t('decisions.blind')}
          description={t('decisions.blindHint')}
          {...form.getInputProps('isBlind', { type: 'checkbox' })}
        />
        <div className={classes.pairs}>
          <NumberField
            label={t('decisions.plotsPerLine')}
            limits={{ min: 0, max: 10_000, isWhole: true }}
            {...form.getInputProps('plots')}
          />
          <NumberField
            label={t('decisions.seedPerPlot')}
            unit="g"
            limits={{ min: 0, max: 1e6 }}
            {...form.getInputProps('seed')}
          />
        </div>
        <div className={classes.pairs}>
          {(['ADVANCE', 'HOLD', 'DROP'] as const).map((mark) => (
            <TextInput
              key={mark}
              label={t('decisions.stageOf', { mark: t(`decisions.mark.${mark}`) })}
              maxLength={100}
              {...form.getInputProps(`stages.${mark}`)}
            />
          ))}
        </div>
        <FormFooter
          submitLabel={t('decisions.apply')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={onClose}
          disabledReason={
            lacksGains ? t('decisions.needsGains') : Object.values(schemaErrors(decisionSettings, body))[0]
          }
        />
      </form>
    </ModalFrame>
  );
}
