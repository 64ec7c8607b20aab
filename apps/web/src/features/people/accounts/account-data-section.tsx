import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { deleteAccount, downloadAccountData, profileQuery } from './accounts.api.ts';
import classes from './profile-section.module.css';

/** What is stored about the person: to take along, or to delete with the account. */
export function AccountDataSection() {
  const { t } = useTranslation();
  const { data: profile } = useQuery(profileQuery());
  const download = useMutation({ mutationFn: downloadAccountData });
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Section title={t('account.data')} note={t('account.dataNote')}>
      <div className={classes.buttons}>
        <Button size="xs" variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {t('account.export')}
        </Button>
        <Button size="xs" variant="default" c="red" disabled={!profile} onClick={() => setDeleting(true)}>
          {t('account.delete')}
        </Button>
      </div>
      {download.error && <ErrorNotice error={download.error} />}
      {isDeleting && profile && (
        <ConfirmDialog
          title={t('account.deleteTitle')}
          confirmLabel={t('account.delete')}
          typeToConfirm={profile.email}
          onConfirm={() => deleteAccount(profile.email)}
          onClose={() => setDeleting(false)}
        >
          {t('account.deleteText')}
        </ConfirmDialog>
      )}
    </Section>
  );
}
