import type { UserSession } from '@heterosis/contracts/people/auth';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { useDeviceName } from '../../../lib/session/use-device-name.ts';
import { sessionsQuery, useEndSession } from './accounts.api.ts';

const rowId = (one: UserSession): string => one.id;

/** Where the person is signed in; each other device can be signed out. */
export function SessionsSection() {
  const { t } = useTranslation();
  const deviceName = useDeviceName();
  const { data: sessions, error, refetch, isPending } = useQuery(sessionsQuery());
  const end = useEndSession();
  const [isEndingOthers, setEndingOthers] = useState(false);
  const nameOf = (one: UserSession): string =>
    one.is_current ? `${deviceName(one.user_agent)} (${t('account.thisDevice')})` : deviceName(one.user_agent);
  const columns: DataColumn<UserSession>[] = [
    { id: 'device', header: t('account.device'), value: nameOf, wrap: true },
    {
      id: 'last_used_at',
      header: t('account.lastSeen'),
      value: (one) => one.last_used_at,
      cell: (one) => <RelativeTime date={one.last_used_at} />,
      width: 130,
    },
    {
      id: 'created_at',
      header: t('account.signedIn'),
      value: (one) => one.created_at,
      cell: (one) => <RelativeTime date={one.created_at} />,
      width: 130,
    },
    {
      id: 'end',
      header: t('table.actions'),
      value: () => null,
      sortable: false,
      narrow: true,
      width: 110,
      cell: (one) =>
        one.is_current ? null : (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('account.signOutOne', { device: nameOf(one) })}
            disabled={end.isPending}
            onClick={() => end.mutate(one.id)}
          >
            {t('word.signOut')}
          </Button>
        ),
    },
  ];
  return (
    <Section
      title={t('account.sessions')}
      note={t('account.sessionsNote')}
      action={
        <Button
          size="xs"
          variant="default"
          disabled={(sessions?.length ?? 0) < 2}
          onClick={() => setEndingOthers(true)}
        >
          {t('account.signOutOthers')}
        </Button>
      }
    >
      {end.error && <ErrorNotice error={end.error} />}
      <DataTable
        id="sessions"
        label={t('account.sessions')}
        columns={columns}
        rows={sessions}
        rowId={rowId}
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        defaultSort={{ column: 'last_used_at', descending: true }}
        hasTools={false}
      />
      {isEndingOthers && (
        <ConfirmDialog
          title={t('account.signOutOthersTitle')}
          confirmLabel={t('account.signOutOthers')}
          onConfirm={() => end.mutateAsync(undefined)}
          onClose={() => setEndingOthers(false)}
        >
          {t('account.signOutOthersText')}
        </ConfirmDialog>
      )}
    </Section>
  );
}
