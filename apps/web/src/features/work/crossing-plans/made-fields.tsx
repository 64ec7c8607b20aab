import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import { Checkbox, Input, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { FileField } from '../../data/files/index.ts';
import { OptionField } from '../run-dialog/index.ts';
import type { PlanValues } from './plan-form.ts';

/** Where pairs already made are known from, and what becomes of them. */
export function MadeFields({ projectId, form }: { projectId: string; form: UseFormReturnType<PlanValues> }) {
  const { t } = useTranslation();
  const textOf = useOptionText('crossing_plans', PLAN_OPTIONS);
  const { made_from: from, crossing_table_id: table } = form.values;
  const hasAllTables = from.includes('crossing_tables');
  const isAsked = from.length > 0 || table !== undefined;
  return (
    <Input.Wrapper
      label={textOf('made_from', 'label')}
      description={textOf('made_from', 'hint')}
      labelElement="div"
      error={form.errors['made_from']}
    >
      <Stack gap="sm" mt="xs">
        {PLAN_OPTIONS.made_from.choices.map((source) => (
          <Checkbox
            key={source}
            label={textOf('made_from', 'labels', source)}
            checked={from.includes(source)}
            onChange={({ currentTarget: { checked } }) =>
              form.setFieldValue('made_from', checked ? [...from, source] : from.filter((one) => one !== source))
            }
          />
        ))}
        {!hasAllTables && (
          <FileField
            label={t('crossing_plans.madeTable')}
            projectId={projectId}
            types={['CROSSING_TABLE']}
            value={table}
            onChange={(file) => form.setFieldValue('crossing_table_id', file)}
            onClear={() => form.setFieldValue('crossing_table_id', undefined)}
            emptyText={t('crossing_plans.noneMade')}
            error={form.errors['crossing_table_id']}
          />
        )}
        {isAsked && <OptionField analysis="crossing_plans" table={PLAN_OPTIONS} name="allow_made" form={form} />}
      </Stack>
    </Input.Wrapper>
  );
}
