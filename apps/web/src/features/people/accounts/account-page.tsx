import { mailedKind, notificationKind } from '@heterosis/contracts/people/notifications';
import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { Section } from '../../../components/page/section.tsx';
import { formatDuration } from '../../../lib/format/format.ts';
import { session } from '../../../lib/session/browser-session.ts';
import type { Persistence } from '../../../lib/session/session.ts';
import { AccessTokens } from './access-tokens.tsx';
import { AccountDataSection } from './account-data-section.tsx';
import { profileQuery, RUN_MAILS_ID, useUpdateMails, useUpdateNotifications } from './accounts.api.ts';
import { ConnectAppSection } from './connect-app-section.tsx';
import { ConnectAssistantSection } from './connect-assistant-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecondFactorSection } from './second-factor/second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function AccountPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('word.myAccount')} width="settings">
      <ProfileSection />
      <ThisSession />
      <RunMails />
      <NotificationWishes />
      <SecondFactorSection />
      <SessionsSection />
      <AccessTokens />
      <ConnectAppSection />
      <ConnectAssistantSection />
      <AccountDataSection />
    </Page>
  );
}

/** Minutes to choose from; below five a mail would come while one still looks at the page. */
const RUN_MAIL_MINUTES = [5, 10, 30, 60, 240];

function RunMails() {
  const { t } = useTranslation();
  const { data: profile } = useQuery(profileQuery());
  const update = useUpdateMails();
  const chosen = (update.isPending ? update.variables.run_mail_minutes : profile?.run_mail_minutes) ?? null;
  const choices = [...new Set([...RUN_MAIL_MINUTES, ...(chosen === null ? [] : [chosen])])].sort((a, b) => a - b);
  return (
    <Section title={t('account.mails')} note={t('account.mailsNote')}>
      <NativeSelect
        id={RUN_MAILS_ID}
        label={t('account.runMails')}
        w={280}
        maw="100%"
        disabled={profile === undefined}
        value={chosen ?? ''}
        onChange={({ currentTarget: { value } }) =>
          update.mutate({ run_mail_minutes: value === '' ? null : Number(value) })
        }
        data={[
          { value: '', label: t('account.runMailsNever') },
          ...choices.map((minutes) => ({ value: String(minutes), label: formatDuration(minutes * 60) })),
        ]}
      />
      {update.error && <ErrorNotice error={update.error} />}
      <CommentMails />
    </Section>
  );
}

/** Which comments are mailed too. */
function CommentMails() {
  const { t } = useTranslation();
  const { data: profile } = useQuery(profileQuery());
  const update = useUpdateMails();
  const mailed = update.isPending ? update.variables.mailed_notifications : profile?.mailed_notifications;
  return (
    <>
      {mailedKind.options.map((kind) => (
        <Checkbox
          key={kind}
          mt="xs"
          label={t(`account.notifications.${kind}`)}
          disabled={mailed === undefined}
          checked={mailed?.includes(kind) ?? false}
          onChange={({ currentTarget: { checked } }) => {
            const others = (mailed ?? []).filter((one) => one !== kind);
            update.mutate({ mailed_notifications: checked ? [...others, kind] : others });
          }}
        />
      ))}
      {update.error && <ErrorNotice error={update.error} />}
    </>
  );
}

function NotificationWishes() {
  const { t } = useTranslation();
  const { data: profile } = useQuery(profileQuery());
  const update = useUpdateNotifications();
  const muted = update.isPending ? update.variables.muted : profile?.muted_notifications;
  return (
    <Section title={t('notifications.title')} note={t('account.notificationsNote')}>
      <Stack gap="xs" id="notifications">
        {notificationKind.options.map((kind) => (
          <Checkbox
            key={kind}
            label={t(`account.notifications.${kind}`)}
            disabled={muted === undefined}
            checked={muted !== undefined && !muted.includes(kind)}
            onChange={({ currentTarget: { checked } }) => {
              const others = (muted ?? []).filter((one) => one !== kind);
              update.mutate({ muted: checked ? others : [...others, kind] });
            }}
          />
        ))}
      </Stack>
      {update.error && <ErrorNotice error={update.error} />}
    </Section>
  );
}

function ThisSession() {
  const { t } = useTranslation();
  const [persistence, setPersistence] = useState(() => session.getPersistence());
  return (
    <Section
      title={t('account.session')}
      note={t('account.sessionNote')}
      action={
        <Button size="xs" variant="default" onClick={() => void session.signOut()}>
          {t('word.signOut')}
        </Button>
      }
    >
      <NativeSelect
        label={t('signIn.staySignedIn')}
        w={280}
        maw="100%"
        value={persistence}
        onChange={(event) => {
          const chosen = event.currentTarget.value as Persistence;
          session.setPersistence(chosen);
          setPersistence(chosen);
        }}
        data={[
          { value: 'local', label: t('signIn.persistence.local') },
          { value: 'session', label: t('signIn.persistence.session') },
          { value: 'none', label: t('signIn.persistence.none') },
        ]}
      />
    </Section>
  );
}
