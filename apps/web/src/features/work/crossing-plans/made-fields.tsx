import { madeSource } from '@heterosis/contracts/work/crossing-plans';
import { Checkbox, Input, NativeSelect, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { FileField } from '../../data/files/index.ts';
import type { PlanValues } from './plan-form.ts';

/** Where pairs already made are known from, and what becomes of them. */
export function MadeFields({ projectId, form }: { projectId: string; form: UseFormReturnType<PlanValues> }) {
  const { t } = useTranslation();
  const { made_from: from, crossing_table_id: table, allow_made: isAllowed } = form.values;
  const hasAllTables = from.includes('crossing_tables');
  const isAsked = from.length > 0 || table !== undefined;
  return (
    <Input.Wrapper
      label={t('crossing_plans.made')}
      description={t('crossing_plans.madeHint')}
      labelElement="div"
      error={form.errors['made_from']}
    >
      <Stack gap="sm" mt="xs">
        {madeSource.options.map((source) => (
          <Checkbox
            key={source}
            label={t(`crossing_plans.madeFrom.${source}`)}
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
        {isAsked && (
          <NativeSelect
            label={t('crossing_plans.madePairs')}
            value={isAllowed ? 'allow' : 'leaveOut'}
            onChange={({ currentTarget }) => form.setFieldValue('allow_made', currentTarget.value === 'allow')}
            data={(['leaveOut', 'allow'] as const).map((value) => ({
              value,
              label: t(`crossing_plans.madeChoices.${value}`),
            }))}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}
