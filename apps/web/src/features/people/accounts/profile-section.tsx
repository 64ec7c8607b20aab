import type { UserProfile } from '@heterosis/contracts/people/auth';
import { Button, FileButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { formatDay } from '../../../lib/format/format.ts';
import { initials } from '../../../lib/format/initials.ts';
import { profileQuery, tokenInfoQuery, useCancelEmailChange, useChangePhoto } from './accounts.api.ts';
import { ChangeEmailDialog } from './change-email-dialog.tsx';
import classes from './profile-section.module.css';
import { squarePhoto } from './square-photo.ts';

/** Photo, name and e-mail address. */
export function ProfileSection() {
  const { t } = useTranslation();
  const modal = useModal();
  const { data: profile, error, refetch } = useQuery(profileQuery());
  const { data: token } = useQuery(tokenInfoQuery());
  const [isChangingEmail, setChangingEmail] = useState(false);
  const memberships =
    token &&
    (token.organizations.map((one) => `${one.name} (${t(`role.${one.role}`)})`).join(', ') ||
      t('account.noOrganization'));
  return (
    <Section
      title={t('account.profile')}
      action={
        <div className={classes.buttons}>
          <Button size="xs" variant="default" onClick={() => modal.open('name-registration')}>
            {t('account.changeName')}
          </Button>
          <Button size="xs" variant="default" disabled={!profile} onClick={() => setChangingEmail(true)}>
            {t('account.changeEmail')}
          </Button>
        </div>
      }
    >
      {error && !profile && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {(profile || !error) && (
        <div className={classes.profile}>
          <Photo profile={profile} />
          <div className={classes.facts}>
            <FactsStrip
              facts={[
                { label: t('column.name'), value: profile ? (profile.name ?? '–') : '…' },
                { label: t('column.email'), value: profile?.email ?? '…' },
                { label: t('account.memberSince'), value: profile ? formatDay(profile.created_at) : '…' },
                { label: t('word.organizations'), value: memberships ?? '…' },
              ]}
            />
          </div>
        </div>
      )}
      {profile?.pending_email && <PendingEmail profile={profile} pending={profile.pending_email} />}
      {isChangingEmail && profile && (
        <ChangeEmailDialog email={profile.email} onClose={() => setChangingEmail(false)} />
      )}
    </Section>
  );
}

function PendingEmail({ profile, pending }: { profile: UserProfile; pending: string }) {
  const { t } = useTranslation();
  const cancel = useCancelEmailChange();
  return (
    <>
      <Notice>
        {t('account.pendingEmail', { email: pending })}{' '}
        <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('account.keepEmail', { email: profile.email })}
        </Button>
      </Notice>
      {cancel.error && <ErrorNotice error={cancel.error} />}
    </>
  );
}

function Photo({ profile }: { profile: UserProfile | undefined }) {
  const { t } = useTranslation();
  const change = useChangePhoto();
  const [isUnreadable, setUnreadable] = useState(false);
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    setUnreadable(false);
    const photo = await squarePhoto(file).catch(() => undefined);
    if (photo === undefined) setUnreadable(true);
    else change.mutate(photo);
  };
  const url = profile?.photo_url ?? null;
  return (
    <div className={classes.photo}>
      <div className={classes.picture}>
        {url === null ? (
          <span aria-hidden="true">{initials(profile?.name ?? profile?.email ?? '')}</span>
        ) : (
          <img src={url} alt={t('account.photo')} width={80} height={80} />
        )}
      </div>
      <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)}>
        {(props) => (
          <Button {...props} size="compact-xs" variant="default" disabled={!profile} loading={change.isPending}>
            {t(url === null ? 'account.addPhoto' : 'account.changePhoto')}
          </Button>
        )}
      </FileButton>
      {url !== null && (
        <Button size="compact-xs" variant="subtle" disabled={change.isPending} onClick={() => change.mutate(undefined)}>
          {t('account.removePhoto')}
        </Button>
      )}
      {isUnreadable && <Notice kind="warning">{t('account.photoUnreadable')}</Notice>}
      {change.error && <ErrorNotice error={change.error} />}
    </div>
  );
}
