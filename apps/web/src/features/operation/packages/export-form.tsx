import { type PackageLicence, packageLicences } from '@heterosis/contracts/data/data-packages';
import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { useSubmission } from '../../../lib/form/form.ts';
import { formatBytes } from '../../../lib/format/format.ts';

interface Choice extends Record<string, unknown> {
  /** Empty: all rights are reserved. */
  licence: PackageLicence | '';
}

/** Under which licence a package is taken, and how much of it has come. */
export function ExportForm(props: {
  text: string;
  ask: (query: { licence?: PackageLicence }) => Promise<Response>;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const [bytes, setBytes] = useState<number>();
  const [isDone, setDone] = useState(false);
  const form = useForm<Choice>({ initialValues: { licence: '' } });
  const submission = useSubmission(
    form,
    async ({ licence }) => {
      setDone(false);
      setBytes(0);
      try {
        await downloadAnswer(await props.ask(licence === '' ? {} : { licence }), 'package.zip', setBytes);
      } catch (error) {
        setBytes(undefined);
        throw error;
      }
    },
    () => setDone(true),
  );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <p className="hx-muted">{props.text}</p>
      <Select
        label={t('packages.licence')}
        description={t('packages.licenceHint')}
        allowDeselect={false}
        data={[
          { value: '', label: t('packages.reserved') },
          ...packageLicences.map((licence) => ({ value: licence, label: t(`packages.licences.${licence}`) })),
        ]}
        {...form.getInputProps('licence')}
      />
      {bytes !== undefined && (
        <Notice kind={isDone ? 'success' : 'info'}>
          {t(isDone ? 'packages.received' : 'packages.receiving', { size: formatBytes(bytes) })}
        </Notice>
      )}
      <FormFooter
        submitLabel={t('packages.download')}
        isPending={submission.isPending}
        problem={submission.problem}
        onCancel={props.onCancel}
      />
    </form>
  );
}
