import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import { MultiSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { FileField } from '../../data/files/index.ts';
import type { ChosenFile } from './use-run-inputs.ts';

type Form<Values> = Pick<UseFormReturnType<Values>, 'values' | 'getInputProps' | 'setFieldValue' | 'errors'>;

/** Traits in which low values are wanted; there is nothing to choose before those of the model are known. */
export function LowTraitsField({ form, traits }: { form: Form<{ low_traits: string[] }>; traits: string[] }) {
  const textOf = useOptionText('crossing_simulations', CROSSING_OPTIONS);
  return (
    <MultiSelect
      label={textOf('low_traits', 'label')}
      description={textOf('low_traits', 'hint')}
      data={traits}
      searchable={traits.length > 8}
      clearable
      hidePickedOptions
      disabled={traits.length === 0 && form.values.low_traits.length === 0}
      {...form.getInputProps('low_traits')}
    />
  );
}

/** The map that distances follow from; without one, from positions. */
export function LinkageMapField(props: { projectId: string; form: Form<{ linkage_map_id: ChosenFile | undefined }> }) {
  const { projectId, form } = props;
  const { t } = useTranslation();
  return (
    <FileField
      label={t('crossing_simulations.linkageMap')}
      projectId={projectId}
      types={['LINKAGE_MAP']}
      value={form.values.linkage_map_id}
      onChange={({ id, name }) => form.setFieldValue('linkage_map_id', { id, name })}
      onClear={() => form.setFieldValue('linkage_map_id', undefined)}
      emptyText={t('crossing_simulations.noMap')}
      error={form.errors.linkage_map_id}
    />
  );
}
