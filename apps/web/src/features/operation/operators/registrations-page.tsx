import type { Registration } from '@heterosis/contracts/operation';
import { Button, Group, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { StateBadge } from '../../../components/table/state-badge.tsx';
import { registrationsQuery, useApprove, useReject } from './operation.api.ts';
import { OperatorPage } from './operator-page.tsx';

const STATES = { PENDING: 'waiting', APPROVED: 'success', REJECTED: 'error' } as const;
const rowId = ({ id }: Registration): string => id;

/** Requests for accounts. */
export function RegistrationsPage() {
  const { t } = useTranslation();
  const list = useQuery(registrationsQuery());
  const approve = useApprove();
  const [rejecting, setRejecting] = useState<Registration>();
  /** On a narrow window the decision is shown while one is to be made, and the state otherwise. */
  const isAsking = list.data?.some(({ status }) => status === 'PENDING') ?? false;
  const columns: DataColumn<Registration>[] = [
    { id: 'email', header: t('column.email'), value: (one) => one.email },
    {
      id: 'status',
      header: t('column.state'),
      value: (one) => t(`operator.registrations.${one.status}`),
      cell: (one) => <StateBadge kind={STATES[one.status]} label={t(`operator.registrations.${one.status}`)} />,
      width: 120,
      narrow: !isAsking,
    },
    {
      id: 'created_at',
      header: t('operator.registrations.asked'),
      value: (one) => one.created_at,
      cell: (one) => <RelativeTime date={one.created_at} />,
      width: 120,
    },
    { id: 'decided_by', header: t('operator.registrations.decidedBy'), value: (one) => one.decided_by, width: 200 },
    {
      id: 'decide',
      header: t('operator.registrations.decide'),
      value: () => '',
      cell: (one) =>
        one.status === 'PENDING' && (
          <Group gap="xs">
            <Button
              size="compact-xs"
              aria-label={t('operator.registrations.approveNamed', one)}
              loading={approve.isPending && approve.variables === one.id}
              onClick={() => approve.mutate(one.id)}
            >
              {t('operator.registrations.approve')}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t('operator.registrations.rejectNamed', one)}
              onClick={() => setRejecting(one)}
            >
              {t('operator.registrations.reject')}
            </Button>
          </Group>
        ),
      sortable: false,
      width: 170,
      narrow: isAsking,
    },
  ];
  return (
    <OperatorPage section="registrations" error={list.error}>
      {approve.error && <ErrorNotice error={approve.error} />}
      {approve.data && (
        <Notice kind={approve.data.mailed ? 'success' : 'warning'}>
          {t(approve.data.mailed ? 'operator.registrations.approved' : 'operator.registrations.approvedNoMail', {
            email: approve.data.registration.email,
          })}
        </Notice>
      )}
      <DataTable
        id="operator-registrations"
        label={t('operator.registrations.title')}
        columns={columns}
        {...rowsOf(list)}
        rowId={rowId}
        defaultSort={{ column: 'created_at', descending: true }}
        empty={<EmptyState title={t('operator.registrations.none')}>{t('operator.registrations.noneText')}</EmptyState>}
      />
      {rejecting && <RejectDialog registration={rejecting} onClose={() => setRejecting(undefined)} />}
    </OperatorPage>
  );
}

function RejectDialog({ registration, onClose }: { registration: Registration; onClose: () => void }) {
  const { t } = useTranslation();
  const reject = useReject();
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      title={t('operator.registrations.rejectTitle', { email: registration.email })}
      confirmLabel={t('operator.registrations.reject')}
      onConfirm={() => reject.mutateAsync({ id: registration.id, reason: reason.trim() || undefined })}
      onClose={onClose}
    >
      <Textarea
        label={t('operator.registrations.reason')}
        description={t('operator.registrations.reasonHint')}
        maxLength={1000}
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
