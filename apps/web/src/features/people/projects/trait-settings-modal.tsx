import { MAX_TRAIT_WEIGHT, type ProjectTrait } from '@heterosis/contracts/people/traits';
import { SegmentedControl, TextInput, UnstyledButton } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../components/dialog/edit-dialog.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import type { FieldNumber } from '../../../lib/form/field-number.ts';
import { numberError, useSubmission } from '../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { projectTraitsQuery, useUpdateProjectTraits } from './project-traits.api.ts';
import classes from './trait-settings-modal.module.css';
import { ScaleFields } from './traits/scale-fields.tsx';
import { rowOf, type ScaleValues, scaleError, scaleInWords, updateOf, withRead } from './traits/trait-values.ts';
import { TraitsFile } from './traits/traits-file.tsx';

const WEIGHT = { min: 0, max: MAX_TRAIT_WEIGHT };

/** Direction, unit, weight and values of each trait of the project. */
export function TraitSettingsModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery(projectTraitsQuery(projectId));
  return (
    <EditDialog title={t('traits.title')} close={close} query={query} size="52rem" lines={6}>
      {({ data }) => <TraitForm projectId={projectId} traits={data} close={close} />}
    </EditDialog>
  );
}

function TraitForm(props: { projectId: string; traits: ProjectTrait[]; close: ModalProps['close'] }) {
  const { projectId, traits, close } = props;
  const { t } = useTranslation();
  const update = useUpdateProjectTraits(projectId);
  const [edited, setEdited] = useState<string>();
  const form = useForm({
    initialValues: { traits: traits.map(rowOf) },
    validate: {
      traits: {
        weight: (weight: FieldNumber) => numberError(t, weight, WEIGHT),
        scale: (scale: ScaleValues) => scaleError(t, scale),
      },
    },
    validateInputOnChange: true,
  });
  const submission = useSubmission(
    form,
    (values) => update.mutateAsync({ traits: values.traits.map(updateOf) }),
    close,
  );
  const file = (
    <TraitsFile
      projectId={projectId}
      onTake={(read) => form.setFieldValue('traits', withRead(form.getValues().traits, read))}
    />
  );
  if (form.values.traits.length === 0)
    return (
      <div className={formClasses.form}>
        <p className="hx-muted">{t('traits.none')}</p>
        {file}
      </div>
    );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <p className="hx-muted">{t('traits.text')}</p>
      {file}
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('word.trait')}</th>
            <th scope="col">{t('traits.better')}</th>
            <th scope="col">{t('word.unit')}</th>
            <th scope="col">{t('traits.weight')}</th>
            <th scope="col">{t('traits.values')}</th>
          </tr>
        </thead>
        <tbody>
          {form.values.traits.map((trait, row) => {
            const { name } = trait;
            const isEdited = edited === name || scaleError(t, trait.scale) !== null;
            return (
              <Fragment key={name}>
                <tr>
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
                  <td data-label={t('traits.values')}>
                    <UnstyledButton
                      className={classes.values}
                      aria-expanded={isEdited}
                      aria-label={t('traits.changeValues', { trait: name, values: scaleInWords(t, trait.scale) })}
                      onClick={() => setEdited(isEdited ? undefined : name)}
                    >
                      {scaleInWords(t, trait.scale)}
                    </UnstyledButton>
                  </td>
                </tr>
                {isEdited && (
                  <tr className={classes.editor}>
                    <td colSpan={5}>
                      <ScaleFields trait={trait} onChange={(next) => form.setFieldValue(`traits.${row}`, next)} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
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
