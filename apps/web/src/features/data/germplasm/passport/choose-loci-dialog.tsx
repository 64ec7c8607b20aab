import type { ChosenLoci } from '@heterosis/contracts/data/passports';
import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../../components/dialog/edit-dialog.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { useSubmission } from '../../../../lib/form/form.ts';
import { formatDay } from '../../../../lib/format/format.ts';
import { FileField, useProposedFile } from '../../files/index.ts';
import { TakeFromList } from '../../lists/index.ts';
import { chosenLociQuery, useChooseLoci } from './passport.api.ts';

/** Which loci the passports of the project show, for everybody. */
export function ChooseLociDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const chosen = useQuery(chosenLociQuery(projectId));
  return (
    <EditDialog title={t('passport.chosen.choose')} close={onClose} query={chosen} size="lg" lines={5}>
      {(now) => <LociForm projectId={projectId} now={now} onClose={onClose} />}
    </EditDialog>
  );
}

function LociForm({ projectId, now, onClose }: { projectId: string; now: ChosenLoci; onClose: () => void }) {
  const { t } = useTranslation();
  const choose = useChooseLoci(projectId);
  const form = useForm({
    initialValues: { genotype_id: now.genotype ?? undefined, loci: now.loci.join('\n') },
  });
  const proposed = useProposedFile(projectId, 'GENOTYPE');
  const file = form.values.genotype_id ?? proposed;
  const names = form.values.loci
    .split(/[\n;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const submission = useSubmission(
    form,
    () => choose.mutateAsync({ genotype_id: file?.id ?? '', loci: names }),
    onClose,
  );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <FileField
        label={t('files.type.GENOTYPE')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={file}
        onChange={({ id, name }) => form.setFieldValue('genotype_id', { id, name })}
        error={form.errors.genotype_id}
      />
      <Textarea
        label={t('passport.chosen.loci')}
        description={t('passport.chosen.lociHint')}
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        {...form.getInputProps('loci')}
      />
      <TakeFromList
        projectId={projectId}
        kind="markers"
        label={t('passport.chosen.loci')}
        onTake={(members) => form.setFieldValue('loci', [...new Set([...names, ...members])].join('\n'))}
      />
      <p className="hx-muted">
        {t('passport.chosen.forAll')}{' '}
        {now.chosen_at !== null &&
          t('passport.chosen.before', {
            ...{ name: now.chosen_by ?? t('person.deleted'), when: formatDay(now.chosen_at) },
          })}
      </p>
      <FormFooter
        submitLabel={t('action.saveChanges')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={file === undefined ? t('word.chooseAFile') : undefined}
        onCancel={onClose}
      />
    </form>
  );
}
