import type { Trial } from '@heterosis/contracts/data/trials';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { optionalNumberError, useSubmission } from '../../../lib/form/form.ts';
import { METRES } from './new-trial/new-trial-values.ts';
import { useTrialMutations } from './trials.api.ts';
import classes from './trials.module.css';

const LATITUDES = { min: -90, max: 90 };
const LONGITUDES = { min: -180, max: 180 };

/** Changes where and when a trial grows and how large its plots are. It stays open when the trial changed meanwhile. */
export function TrialDetailsDialog(props: { projectId: string; trial: Trial; onClose: () => void }) {
  const { projectId, trial, onClose } = props;
  const { t } = useTranslation();
  const { update } = useTrialMutations(projectId);
  const form = useForm({
    initialValues: {
      location_name: trial.location_name,
      season: trial.season,
      sown_on: trial.sown_on ?? '',
      harvested_on: trial.harvested_on ?? '',
      latitude: fieldOf(trial.latitude),
      longitude: fieldOf(trial.longitude),
      plot_length_m: fieldOf(trial.plot_length_m),
      plot_width_m: fieldOf(trial.plot_width_m),
      description: trial.description ?? '',
      client_values: trial.client_values,
    },
    validate: {
      location_name: (text) => (text.trim() === '' ? t('trials.needPlace') : null),
      season: (text) => (text.trim() === '' ? t('trials.needSeason') : null),
      harvested_on: (day, { sown_on }) =>
        day !== '' && sown_on !== '' && day < sown_on ? t('trials.harvestBeforeSowing') : null,
      latitude: (value) => optionalNumberError(t, value, LATITUDES) ?? null,
      longitude: (value) => optionalNumberError(t, value, LONGITUDES) ?? null,
      plot_length_m: (value) => optionalNumberError(t, value, METRES) ?? null,
      plot_width_m: (value) => optionalNumberError(t, value, METRES) ?? null,
    },
  });
  const submission = useSubmission(
    form,
    (values) =>
      update.mutateAsync({
        ...{ id: trial.id, version: trial.version },
        location_name: values.location_name.trim(),
        season: values.season.trim(),
        sown_on: values.sown_on || null,
        harvested_on: values.harvested_on || null,
        latitude: numberOrNull(values.latitude),
        longitude: numberOrNull(values.longitude),
        plot_length_m: numberOrNull(values.plot_length_m),
        plot_width_m: numberOrNull(values.plot_width_m),
        description: values.description.trim() || null,
        client_values: values.client_values,
      }),
    onClose,
  );
  return (
    <ModalFrame
      title={t('trials.details')}
      onClose={onClose}
      busy={submission.isPending}
      unsaved={{ isDirty: form.isDirty() }}
    >
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <div className={classes.pairs}>
          <TextInput
            label={t('trials.place')}
            maxLength={255}
            data-autofocus
            {...form.getInputProps('location_name')}
          />
          <TextInput label={t('trials.season')} maxLength={50} {...form.getInputProps('season')} />
          <TextInput type="date" label={t('trials.sownOn')} {...form.getInputProps('sown_on')} />
          <TextInput type="date" label={t('trials.harvestedOn')} {...form.getInputProps('harvested_on')} />
          <NumberField
            label={t('trials.latitude')}
            unit="°N"
            limits={LATITUDES}
            step={0.1}
            {...form.getInputProps('latitude')}
          />
          <NumberField
            label={t('trials.longitude')}
            unit="°E"
            limits={LONGITUDES}
            step={0.1}
            {...form.getInputProps('longitude')}
          />
          <NumberField
            label={t('trials.plotLength')}
            unit="m"
            limits={METRES}
            step={0.5}
            startValue={5}
            {...form.getInputProps('plot_length_m')}
          />
          <NumberField
            label={t('trials.plotWidth')}
            unit="m"
            limits={METRES}
            step={0.25}
            startValue={1.5}
            {...form.getInputProps('plot_width_m')}
          />
        </div>
        <NativeSelect
          label={t('trials.staged.rule')}
          description={t('trials.staged.ruleHint')}
          data={(['ALL', 'NEW', 'NONE'] as const).map((value) => ({ value, label: t(`trials.staged.rules.${value}`) }))}
          {...form.getInputProps('client_values')}
        />
        <Textarea
          label={t('form.description')}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('description')}
        />
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

const fieldOf = (value: number | null): FieldNumber => value ?? '';

const numberOrNull = (value: FieldNumber): number | null => (value === '' ? null : numberOf(value));
