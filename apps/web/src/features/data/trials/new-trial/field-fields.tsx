import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import { PLACEHOLDERS } from '@heterosis/statgen/designs/plot-names';
import { TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../../components/form/number-field.tsx';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { DesignField } from './design-field.tsx';
import classes from './new-trial.module.css';
import { cellIn, METRES, type NewTrialValues } from './new-trial-values.ts';

/** The field of every place: its sides, what is left out, and how it is walked. */
export function FieldFields({ form, hasPlotSize }: { form: UseFormReturnType<NewTrialValues>; hasPlotSize: boolean }) {
  const { t } = useTranslation();
  const textOf = useOptionText('design', DESIGN_OPTIONS);
  return (
    <div className={classes.fields}>
      {(['rows', 'columns', 'start', 'along', 'numbering', 'borders', 'first_plot'] as const).map((name) => (
        <DesignField key={name} name={name} form={form} />
      ))}
      {hasPlotSize && (
        <>
          <NumberField
            label={t('trials.plotLength')}
            unit="m"
            step={0.5}
            startValue={5}
            limits={METRES}
            {...form.getInputProps('plot_length')}
          />
          <NumberField
            label={t('trials.plotWidth')}
            unit="m"
            step={0.25}
            startValue={1.5}
            limits={METRES}
            {...form.getInputProps('plot_width')}
          />
        </>
      )}
      <TextInput
        className={classes.wide ?? ''}
        label={textOf('plot_name', 'label')}
        description={t('trials.templateHint', { parts: PLACEHOLDERS.map((name) => `{${name}}`).join(' ') })}
        maxLength={200}
        {...form.getInputProps('plot_name')}
      />
      <TagsInput
        className={classes.wide ?? ''}
        label={textOf('holes', 'label')}
        description={t('trials.holesHint')}
        splitChars={[' ', '\n', '\t', ';']}
        isDuplicate={(value, all) => cellIn(value) === undefined || all.includes(value)}
        clearable
        {...form.getInputProps('holes')}
      />
    </div>
  );
}
