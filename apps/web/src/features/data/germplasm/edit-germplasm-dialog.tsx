import {
  crossType,
  type GermplasmDetail,
  MAX_SELFING_GENERATIONS,
  type UpdateGermplasmBody,
} from '@heterosis/contracts/data/germplasm';
import { Button, Checkbox, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { IconTrash } from '../../../components/icons.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { optionalNumberError, useSubmission } from '../../../lib/form/form.ts';
import { useUpdateGermplasm } from './germplasm.api.ts';
import { GermplasmSelect } from './germplasm-select.tsx';

const SELFINGS = { min: 0, max: MAX_SELFING_GENERATIONS, isWhole: true };

interface Values extends Record<string, unknown> {
  name: string;
  collection: string;
  maternal_id: { id: string; name: string } | null;
  paternal_id: { id: string; name: string } | null;
  cross_type: string;
  selfing_generations: FieldNumber;
  synonyms: string[];
  attributes: { name: string; value: string }[];
  is_distinct: boolean;
}

/** Changes a line. Opened on its page by people who may. */
export function EditGermplasmDialog(props: {
  place: Place;
  organizationId: string;
  germplasm: GermplasmDetail;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { place, organizationId, germplasm, onClose } = props;
  const update = useUpdateGermplasm(organizationId, germplasm.id);
  const form = useForm<Values>({
    initialValues: {
      name: germplasm.name,
      collection: germplasm.collection ?? '',
      maternal_id: germplasm.maternal,
      paternal_id: germplasm.paternal,
      cross_type: germplasm.cross_type ?? '',
      selfing_generations: germplasm.selfing_generations ?? '',
      synonyms: germplasm.synonyms.map(({ name }) => name),
      attributes: Object.entries(germplasm.attributes).map(([name, value]) => ({ name, value })),
      is_distinct: false,
    },
    validate: {
      name: (value) => (value.trim() === '' ? t('form.nameRequired') : null),
      selfing_generations: (value) => optionalNumberError(t, value, SELFINGS),
    },
  });
  const submission = useSubmission(form, (values) => update.mutateAsync(bodyOf(values)), onClose);
  const isAlike = submission.problem?.code === 'germplasm/name-alike' || form.errors['name'] !== undefined;
  const parent = (role: 'maternal_id' | 'paternal_id', label: string) => (
    <GermplasmSelect
      place={place}
      cropId={germplasm.crop.id}
      label={label}
      value={form.values[role]}
      onChange={(value) => form.setFieldValue(role, value)}
      but={germplasm.id}
      error={form.errors[role]}
    />
  );
  return (
    <ModalFrame title={t('germplasm.editTitle', { name: germplasm.name })} onClose={onClose} size="lg">
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <TextInput label={t('column.name')} data-autofocus {...form.getInputProps('name')} />
        {isAlike && (
          <Checkbox
            label={t('germplasm.reallyDifferent')}
            {...form.getInputProps('is_distinct', { type: 'checkbox' })}
          />
        )}
        <TextInput label={t('germplasm.collection')} {...form.getInputProps('collection')} />
        {parent('maternal_id', t('germplasm.maternal'))}
        {parent('paternal_id', t('germplasm.paternal'))}
        <NativeSelect
          label={t('germplasm.crossType')}
          data={[
            { value: '', label: t('germplasm.notGiven') },
            ...crossType.options.map((value) => ({ value, label: t(`germplasm.cross.${value}`) })),
          ]}
          {...form.getInputProps('cross_type')}
        />
        <NumberField
          label={t('germplasm.selfings')}
          description={t('germplasm.selfingsHint')}
          limits={SELFINGS}
          {...form.getInputProps('selfing_generations')}
        />
        <TagsInput
          label={t('germplasm.synonyms')}
          description={t('germplasm.synonymsHint')}
          splitChars={[';', '|']}
          {...form.getInputProps('synonyms')}
        />
        <fieldset style={{ border: 0, padding: 0, margin: 0, display: 'grid', gap: 8 }}>
          <legend style={{ padding: 0, marginBottom: 4, fontWeight: 500 }}>{t('germplasm.attributes')}</legend>
          {form.values.attributes.map((attribute, index) => (
            <div key={index} style={{ display: 'flex', gap: 8 }}>
              <TextInput
                aria-label={t('germplasm.attributeName')}
                style={{ flex: '1 1 30%' }}
                {...form.getInputProps(`attributes.${index}.name`)}
              />
              <TextInput
                aria-label={t('germplasm.attributeValue', { name: attribute.name })}
                style={{ flex: '1 1 60%' }}
                {...form.getInputProps(`attributes.${index}.value`)}
              />
              <IconButton
                label={t('germplasm.removeAttribute', { name: attribute.name })}
                onClick={() => form.removeListItem('attributes', index)}
              >
                <IconTrash size={16} />
              </IconButton>
            </div>
          ))}
          <Button
            variant="default"
            size="xs"
            style={{ justifySelf: 'start' }}
            onClick={() => form.insertListItem('attributes', { name: '', value: '' })}
          >
            {t('germplasm.addAttribute')}
          </Button>
        </fieldset>
        <FormFooter
          submitLabel={t('action.saveChanges')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}

function bodyOf(values: Values): UpdateGermplasmBody {
  return {
    name: values.name,
    collection: values.collection.trim() === '' ? null : values.collection,
    maternal_id: values.maternal_id?.id ?? null,
    paternal_id: values.paternal_id?.id ?? null,
    cross_type: crossType.safeParse(values.cross_type).data ?? null,
    selfing_generations: values.selfing_generations === '' ? null : numberOf(values.selfing_generations),
    synonyms: values.synonyms,
    attributes: Object.fromEntries(
      values.attributes.flatMap(({ name, value }) =>
        name.trim() === '' || value.trim() === '' ? [] : [[name.trim(), value]],
      ),
    ),
    is_distinct: values.is_distinct ? true : undefined,
  };
}
