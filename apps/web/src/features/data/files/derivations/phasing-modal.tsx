import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { fileQuery, useFileMutations } from '../files.api.ts';
import { FileField } from '../picker/file-field.tsx';

/** As the server names it where no name is given. */
const phasedName = (name: string): string => `${withoutEndings(name) || 'genotypes'}_phased.vcf.gz`;

/** Makes a phased file beside the genotype file `id`. */
export function PhasingModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { data: file } = useQuery(fileQuery(projectId, id));
  const { phase } = useFileMutations(projectId);
  const [map, setMap] = useState<{ id: string; name: string }>();
  const form = useForm({ initialValues: { name: '', linkage_map_id: '' } });
  const submission = useSubmission(
    form,
    ({ name }) =>
      phase.mutateAsync({
        id,
        ...(name.trim() === '' ? {} : { name }),
        ...(map === undefined ? {} : { linkage_map_id: map.id }),
      }),
    close,
  );
  return (
    <ModalFrame
      title={t('files.phasing.title')}
      help="crossing#what-you-need"
      onClose={close}
      size="md"
      busy={submission.isPending}
    >
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <p className="hx-muted">{t('files.phasing.text')}</p>
        <TextInput
          label={t('files.phasing.name')}
          description={t('files.phasing.nameHint', { name: phasedName(file?.name ?? '') })}
          data-autofocus
          maxLength={255}
          {...form.getInputProps('name')}
        />
        <FileField
          label={t('files.type.LINKAGE_MAP')}
          projectId={projectId}
          types={['LINKAGE_MAP']}
          value={map}
          onChange={setMap}
          onClear={() => setMap(undefined)}
          emptyText={t('files.phasing.noMap')}
          error={form.errors.linkage_map_id as string | undefined}
        />
        <FormFooter
          submitLabel={t('files.phasing.title')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
