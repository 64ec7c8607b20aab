import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../../components/form/number-field.tsx';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { limitsOf, OptionField, type OptionForm } from '../../../work/run-dialog/index.ts';
import type { NewTrialValues } from './new-trial-values.ts';

/** Numbers that the design chooses where they are left out. */
const CHOSEN = ['rows', 'columns', 'block_size'] as const;
const isChosen = (name: string): name is (typeof CHOSEN)[number] => CHOSEN.some((one) => one === name);

/** The field of an option of the design. */
export function DesignField(props: { name: keyof typeof DESIGN_OPTIONS; form: UseFormReturnType<NewTrialValues> }) {
  const { name, form } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('design', DESIGN_OPTIONS);
  if (!isChosen(name))
    return <OptionField analysis="design" table={DESIGN_OPTIONS} name={name} form={form as unknown as OptionForm} />;
  return (
    <NumberField
      label={textOf(name, 'label')}
      placeholder={t('trials.chosen')}
      startValue={10}
      limits={limitsOf(DESIGN_OPTIONS[name])}
      {...form.getInputProps(name)}
    />
  );
}
