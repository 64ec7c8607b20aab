import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { useInvite } from '../../people/members/index.ts';
import { useProjectRights } from '../../people/projects/index.ts';
import classes from './first-visit.module.css';

/** A colleague beside me in this project, in one field. */
export function InviteColleague({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const [address, setAddress] = useState('');
  const mayInvite = useProjectRights(projectId).may('invite');
  const invite = useInvite({ kind: 'project', id: projectId });
  if (!mayInvite) return null;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const [result] = await invite.mutateAsync({ addresses: [address.trim()], role: 'MEMBER' });
    if (result?.problem === undefined) setAddress('');
  };
  const [result] = invite.data ?? [];
  return (
    <form className={classes.invite} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        type="email"
        label={t('firstVisit.invite.label')}
        description={t('firstVisit.invite.text')}
        autoComplete="off"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={invite.isPending} disabled={address.trim() === ''}>
        {t('invitation.invite')}
      </Button>
      {result?.problem && <ErrorNotice error={result.problem} />}
      {result && !result.problem && (
        <Notice kind="success">{t('firstVisit.invite.sent', { address: result.address })}</Notice>
      )}
    </form>
  );
}
