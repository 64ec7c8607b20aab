import type { FileDetail } from '@heterosis/contracts/data/files';
import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { fileQuery, useFileMutations } from '../files.api.ts';
import { FileField } from '../picker/file-field.tsx';
import { useProposedFile } from '../picker/use-proposed-file.ts';

/** Makes the genotypes of F1 hybrids; `id` is the genotype file of the parents, or the crossing table. */
export function HybridsModal(props: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { data: file, error, refetch } = useQuery(fileQuery(projectId, props.id));
  return (
    <ModalFrame title={t('files.hybrids.title')} help="hybrids#hybrids" onClose={props.close} size="md">
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {file ? <HybridsForm {...props} file={file} projectId={projectId} /> : !error && <SkeletonLines />}
    </ModalFrame>
  );
}

type From = 'table' | 'pools';
type Chosen = { id: string; name: string } | undefined;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function HybridsForm({ close, file, projectId }: ModalAboutProps & { file: FileDetail; projectId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { makeHybrids } = useFileMutations(projectId);
  const [from, setFrom] = useState<From>('table');
  const [genotype, setGenotype] = useState<Chosen>(file.file_type === 'GENOTYPE' ? file : undefined);
  const [chosenTable, setTable] = useState<Chosen>(file.file_type === 'CROSSING_TABLE' ? file : undefined);
  const onlyTable = useProposedFile(projectId, 'CROSSING_TABLE');
  const table = chosenTable ?? onlyTable;
  const form = useForm({ initialValues: { name: '', crossing_table_id: '', females: '', males: '' } });
  const { values } = form;
  const pools = { females: linesOf(values.females), males: linesOf(values.males) };
  const hybrids = pools.females.length * pools.males.length;
  const submission = useSubmission(
    form,
    ({ name }) =>
      makeHybrids.mutateAsync({
        id: genotype?.id ?? '',
        ...(name.trim() === '' ? {} : { name }),
        ...(from === 'table' ? { crossing_table_id: table?.id ?? '' } : pools),
      }),
    async (source) => {
      await close();
      await navigate({ to: '/projects/$projectId/files/$fileId', params: { projectId, fileId: source.id } });
    },
  );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <p className="hx-muted">{t('files.hybrids.text')}</p>
      <FileField
        label={t('files.hybrids.genotype')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={genotype}
        onChange={setGenotype}
      />
      <SegmentedControl
        aria-label={t('files.hybrids.from')}
        data={[
          { value: 'table', label: t('files.hybrids.fromTable') },
          { value: 'pools', label: t('files.hybrids.fromPools') },
        ]}
        value={from}
        onChange={(value) => setFrom(value as From)}
      />
      {from === 'table' ? (
        <FileField
          label={t('files.type.CROSSING_TABLE')}
          projectId={projectId}
          types={['CROSSING_TABLE']}
          value={table}
          onChange={setTable}
          error={form.errors.crossing_table_id}
        />
      ) : (
        <>
          <Textarea
            label={t('files.hybrids.females')}
            description={t('files.hybrids.poolHint')}
            rows={5}
            {...form.getInputProps('females')}
          />
          <Textarea label={t('files.hybrids.males')} rows={5} {...form.getInputProps('males')} />
          <p className="hx-muted" role="status">
            {t('files.hybrids.count', { count: hybrids })}
          </p>
        </>
      )}
      <TextInput
        label={t('files.hybrids.name')}
        description={t('files.hybrids.nameHint')}
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <FormFooter
        submitLabel={t('files.hybrids.start')}
        isPending={submission.isPending}
        problem={submission.problem}
        onCancel={close}
        disabledReason={reasonAgainst()}
      />
    </form>
  );

  function reasonAgainst(): string | undefined {
    if (genotype === undefined) return t('files.hybrids.chooseGenotype');
    if (from === 'table') return table === undefined ? t('files.hybrids.chooseTable') : undefined;
    return hybrids === 0 ? t('files.hybrids.fillPools') : undefined;
  }
}
