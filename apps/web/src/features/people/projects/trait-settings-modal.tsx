import { MAX_TRAIT_WEIGHT, type ProjectTrait } from '@heterosis/contracts/people/traits';
import { SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../components/dialog/edit-dialog.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError, useSubmission } from '../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { projectTraitsQuery, useUpdateProjectTraits } from './project-traits.api.ts';
import classes from './trait-settings-modal.module.css';

const WEIGHT = { min: 0, max: MAX_TRAIT_WEIGHT };

/** Direction, unit and weight of each trait of the project. */
export function TraitSettingsModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery(projectTraitsQuery(projectId));
  return (
    <EditDialog title={t('traits.title')} close={close} query={query} size="42rem" lines={6}>
      {({ data }) => <TraitForm projectId={projectId} traits={data} close={close} />}
    </EditDialog>
  );
}

function TraitForm(props: { projectId: string; traits: ProjectTrait[]; close: ModalProps['close'] }) {
  const { projectId, traits, close } = props;
  const { t } = useTranslation();
  const update = useUpdateProjectTraits(projectId);
  const form = useForm({
    initialValues: {
      traits: traits.map((one) => ({ ...one, unit: one.unit ?? '', weight: one.weight as FieldNumber })),
    },
    validate: { traits: { weight: (weight: FieldNumber) => numberError(t, weight, WEIGHT) } },
    validateInputOnChange: true,
  });
  const submission = useSubmission(
    form,
    (values) =>
      update.mutateAsync({
        traits: values.traits.map(({ name, direction, unit, weight }) => ({
          ...{ name, direction },
          unit: unit.trim() === '' ? null : unit,
          weight: numberOf(weight),
        })),
      }),
    close,
  );
  if (traits.length === 0) return <p className="hx-muted">{t('traits.none')}</p>;
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <p className="hx-muted">{t('traits.text')}</p>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('word.trait')}</th>
            <th scope="col">{t('traits.better')}</th>
            <th scope="col">{t('word.unit')}</th>
            <th scope="col">{t('traits.weight')}</th>
          </tr>
        </thead>
        <tbody>
          {form.values.traits.map(({ name }, row) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label={t('traits.better')}>
                <SegmentedControl
                  size="xs"
                  aria-label={t('traits.betterOf', { trait: name })}
                  data={[
                    { value: 'higher', label: t('traits.higher') },
                    { value: 'lower', label: t('traits.lower') },
                  ]}
                  {...form.getInputProps(`traits.${row}.direction`)}
                />
              </td>
              <td data-label={t('word.unit')}>
                <TextInput
                  size="xs"
                  maxLength={50}
                  aria-label={t('traits.unitOf', { trait: name })}
                  {...form.getInputProps(`traits.${row}.unit`)}
                />
              </td>
              <td data-label={t('traits.weight')}>
                <NumberField
                  size="xs"
                  limits={WEIGHT}
                  aria-label={t('traits.weightOf', { trait: name })}
                  {...form.getInputProps(`traits.${row}.weight`)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <FormFooter
        submitLabel={t('action.saveChanges')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={form.isValid() ? undefined : t('form.correctNumbers')}
        onCancel={() => void close()}
      />
    </form>
  );
}
