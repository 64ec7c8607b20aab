import type { SentInvitation } from '@heterosis/contracts/people/invitations';
import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { StateBadge } from '../../../components/table/state-badge.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { formatDay } from '../../../lib/format/format.ts';
import { sentInvitationsQuery, useResend, useWithdraw } from './people.api.ts';

const rowId = (invitation: SentInvitation): string => invitation.id;
const isExpired = (invitation: SentInvitation): boolean => Date.parse(invitation.expires_at) <= Date.now();

/** Invitations that nobody has answered yet; nothing at all while there are none. */
export function SentInvitations({ place, mayResend }: { place: Place; mayResend: boolean }) {
  const { t } = useTranslation();
  const { data: invitations, error, refetch } = useQuery(sentInvitationsQuery(place));
  const resend = useResend(place);
  const withdraw = useWithdraw(place);
  const [withdrawing, setWithdrawing] = useState<SentInvitation>();
  if (error && !invitations) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!invitations || (invitations.length === 0 && !withdrawing)) return null;
  const stateOf = (one: SentInvitation): string =>
    isExpired(one) ? t('invitation.expired') : t('invitation.pendingUntil', { date: formatDay(one.expires_at) });
  const columns: DataColumn<SentInvitation>[] = [
    { id: 'recipient', header: t('column.email'), value: (one) => one.recipient },
    {
      id: 'state',
      header: t('column.state'),
      value: stateOf,
      cell: (one) => <StateBadge kind={isExpired(one) ? 'warning' : 'waiting'} label={stateOf(one)} />,
      width: 220,
      narrow: true,
    },
    { id: 'role', header: t('column.role'), value: (one) => t(`role.${one.role}`), width: 120 },
    { id: 'sender', header: t('column.invitedBy'), value: (one) => one.sender, width: 180 },
    {
      id: 'created_at',
      header: t('column.since'),
      value: (one) => one.created_at,
      cell: (one) => <RelativeTime date={one.created_at} />,
      width: 140,
    },
  ];
  return (
    <Section title={t('word.invitations')}>
      {resend.isError && <ErrorNotice error={resend.error} />}
      {resend.isSuccess && <Notice kind="success">{t('invitation.resent', { address: resend.data.recipient })}</Notice>}
      <DataTable
        id={`${place.kind}-invitations`}
        label={t('word.invitations')}
        columns={columns}
        rows={invitations}
        rowId={rowId}
        isLoading={false}
        hasTools={invitations.length > 8}
        defaultSort={{ column: 'created_at', descending: true }}
        rowMenu={(one) => (
          <>
            {mayResend && (
              <Menu.Item disabled={resend.isPending} onClick={() => resend.mutate(one.id)}>
                {t('word.sendAgain')}
              </Menu.Item>
            )}
            <Menu.Item className="hx-danger" onClick={() => setWithdrawing(one)}>
              {t('invitation.withdraw')}
            </Menu.Item>
          </>
        )}
      />
      {withdrawing && (
        <ConfirmDialog
          title={t('invitation.withdrawTitle', { address: withdrawing.recipient })}
          confirmLabel={t('invitation.withdraw')}
          onConfirm={() => withdraw.mutateAsync(withdrawing.id)}
          onClose={() => setWithdrawing(undefined)}
        >
          {t('invitation.withdrawText')}
        </ConfirmDialog>
      )}
    </Section>
  );
}
