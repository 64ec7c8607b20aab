import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { NumberField } from '../../../../components/form/number-field.tsx';
import { useModal } from '../../../../lib/browser/modal.ts';
import { type FieldNumber, numberOf } from '../../../../lib/form/field-number.ts';
import { numberError, useSubmission } from '../../../../lib/form/form.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { type CrossScheme, crossesOf, crossingTableCsv } from './crosses-of.ts';
import { useSaveCrossingTable } from './save-crossing-table.ts';

const BEST = { min: 2, max: 100, isWhole: true };
const USUAL = 8;

export interface CrossSource {
  /** Names the crossing table. */
  name: string;
  /** Individuals ticked by hand; empty: the best ones. */
  chosen: readonly string[];
  rankings: readonly { id: string; label: string }[];
  /** The best individuals by one of the rankings. */
  readBest: (ranking: string, count: number) => Promise<string[]>;
  modelId: string | undefined;
  genotypeId: string | undefined;
}

/** Makes a crossing table of the best individuals, or of those ticked, and goes on to its simulation. */
export function CrossBestDialog(props: { projectId: string; source: CrossSource; onClose: () => void }) {
  const { projectId, source, onClose } = props;
  const { chosen, rankings } = source;
  const { t } = useTranslation();
  const modal = useModal();
  const saveTable = useSaveCrossingTable(projectId);
  const form = useForm({
    initialValues: {
      name: t('crossBest.tableName', { name: source.name }),
      count: USUAL as FieldNumber,
      ranking: rankings[0]?.id ?? '',
      scheme: 'pairs' as CrossScheme,
    },
    validate: { count: (count) => (chosen.length > 0 ? undefined : numberError(t, count, BEST)) },
    validateInputOnChange: true,
  });
  const { count, scheme, name } = form.values;
  const parents = chosen.length > 0 ? chosen.length : numberOf(count);
  const crosses = scheme === 'best' ? parents - 1 : (parents * (parents - 1)) / 2;
  const submission = useSubmission(
    form,
    async (values) => {
      const individuals = chosen.length > 0 ? chosen : await source.readBest(values.ranking, numberOf(values.count));
      return await saveTable({ name: values.name }, crossingTableCsv(crossesOf(individuals, values.scheme)));
    },
    ({ id }) => {
      onClose();
      modal.open('create-crossing-simulation', ['table', id, source.modelId ?? '', source.genotypeId ?? ''].join(':'));
    },
  );
  const missing =
    name.trim() === ''
      ? t('form.nameRequired')
      : parents < BEST.min
        ? t('crossBest.needTwo')
        : form.isValid()
          ? undefined
          : t('form.correctNumbers');
  return (
    <ModalFrame title={t('crossBest.title')} onClose={onClose} size="md" busy={submission.isPending}>
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        {chosen.length > 0 ? (
          <p className="hx-muted">{t('crossBest.chosen', { count: chosen.length })}</p>
        ) : (
          <>
            <NumberField label={t('crossBest.count')} data-autofocus limits={BEST} {...form.getInputProps('count')} />
            <Select
              label={t('crossBest.by')}
              data={rankings.map(({ id, label }) => ({ value: id, label }))}
              allowDeselect={false}
              {...form.getInputProps('ranking')}
            />
          </>
        )}
        <SegmentedControl
          fullWidth
          aria-label={t('crossBest.scheme')}
          data={[
            { value: 'pairs', label: t('crossBest.pairs') },
            { value: 'best', label: t('crossBest.best') },
          ]}
          {...form.getInputProps('scheme')}
        />
        <TextInput label={t('crossBest.name')} maxLength={255} {...form.getInputProps('name')} />
        <p className="hx-muted" role="status">
          {missing === undefined && t('crossBest.crosses', { count: crosses, formatted: formatCount(crosses) })}
        </p>
        <FormFooter
          submitLabel={t('crossBest.submit')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={missing}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}
