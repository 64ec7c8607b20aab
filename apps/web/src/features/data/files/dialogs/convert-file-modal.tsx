import type { CanonicalNamesReport } from '@heterosis/contracts/data/files';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { canonicalNamesQuery, useFileMutations } from '../files.api.ts';

/** Makes a file with the names of the germplasm list beside the file `id`, whose page says how it goes. */
export function ConvertFileModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { convert } = useFileMutations(projectId);
  const preview = useQuery(canonicalNamesQuery(projectId, id));
  const form = useForm({ initialValues: { name: '' } });
  const submission = useSubmission(
    form,
    ({ name }) => convert.mutateAsync({ id, ...(name.trim() === '' ? {} : { name }) }),
    close,
  );
  const names = preview.data;
  return (
    <ModalFrame
      title={t('files.convert.title')}
      help="germplasm#convert-a-file"
      onClose={close}
      size="lg"
      busy={submission.isPending}
    >
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <p className="hx-muted">{t('files.convert.text')}</p>
        <TextInput
          label={t('files.convert.name')}
          description={t('files.convert.nameHint')}
          data-autofocus
          maxLength={255}
          {...form.getInputProps('name')}
        />
        {preview.error && <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />}
        {preview.isPending && <SkeletonLines />}
        {names && <Names names={names} />}
        <FormFooter
          submitLabel={t('files.convert.start')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={close}
          disabledReason={names === undefined ? '' : reasonAgainst(names)}
        />
      </form>
    </ModalFrame>
  );

  function reasonAgainst({ clashes, renames }: CanonicalNamesReport): string | undefined {
    if (clashes.length > 0) return t('files.convert.clashing');
    return renames.length === 0 ? t('files.convert.nothing') : undefined;
  }
}

type Rename = CanonicalNamesReport['renames'][number];

/** As many names are listed in a sentence, and as many notices stand one below the other. */
const LISTED = 5;

/** What changes, and what does not and why. */
function Names({ names: { renames, canonical, ambiguous, unknown, clashes } }: { names: CanonicalNamesReport }) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): DataColumn<Rename>[] => [
      { id: 'from', header: t('files.convert.from'), value: ({ from }) => from },
      { id: 'to', header: t('files.convert.to'), value: ({ to }) => to, narrow: true },
      { id: 'how', header: t('files.convert.match'), value: ({ how }) => t(`files.convert.${how}`) },
    ],
    [t],
  );
  const more = (count: number) => (count > LISTED ? ` ${t('files.convert.more', { count: count - LISTED })}` : '');
  const listed = (all: readonly string[]) => all.slice(0, LISTED).join(', ') + more(all.length);
  const quoted = (all: readonly string[]) => all.map((name) => `“${name}”`).join(', ');
  return (
    <>
      {clashes.slice(0, LISTED).map(({ to, from }) => (
        <Notice key={to} kind="warning">
          {t('files.convert.clash', { to, names: quoted(from) })}
        </Notice>
      ))}
      {clashes.length > LISTED && <p>{more(clashes.length)}</p>}
      <p>
        {t('files.convert.summary', { count: renames.length })}
        {canonical > 0 && ` ${t('files.convert.canonical', { count: canonical })}`}
        {unknown.length > 0 && ` ${t('files.convert.unknown', { count: unknown.length, names: listed(unknown) })}`}
      </p>
      {ambiguous.slice(0, LISTED).map(({ name, candidates }) => (
        <Notice key={name}>{t('files.convert.ambiguous', { name, candidates: quoted(candidates) })}</Notice>
      ))}
      {ambiguous.length > LISTED && <p>{more(ambiguous.length)}</p>}
      {renames.length > 0 && (
        <DataTable
          id="renames"
          label={t('files.convert.renames')}
          columns={columns}
          rows={renames}
          rowId={({ from }) => from}
          maxHeight="18rem"
        />
      )}
    </>
  );
}
