import type { OperatedMail } from '@heterosis/contracts/operation';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { StateBadge } from '../../../components/table/state-badge.tsx';
import { mailsQuery, useRepeatMail } from './operation.api.ts';
import { OperatorPage } from './operator-page.tsx';
import { repeatColumn } from './repeat-column.tsx';

const STATES = { STORED: 'waiting', SENDING: 'processing', SENT: 'success', FAILED: 'error' } as const;
const rowId = ({ id }: OperatedMail): string => id;

/** Mails and what became of them; never their text. */
export function MailsPage() {
  const { t } = useTranslation();
  const list = useQuery(mailsQuery());
  const repeat = useRepeatMail();
  const columns: DataColumn<OperatedMail>[] = [
    { id: 'to', header: t('operator.mails.to'), value: (one) => one.to },
    { id: 'subject', header: t('operator.mails.subject'), value: (one) => one.subject, wrap: true },
    {
      id: 'state',
      header: t('column.state'),
      value: (one) => t(`operator.mails.${one.state}`),
      cell: (one) => <StateBadge kind={STATES[one.state]} label={t(`operator.mails.${one.state}`)} />,
      width: 150,
      narrow: true,
    },
    { id: 'attempts', header: t('word.attempts'), value: (one) => one.attempts, numeric: true, width: 100 },
    { id: 'error', header: t('operator.mails.error'), value: (one) => one.error, minWidth: 200, wrap: true },
    {
      id: 'updated_at',
      header: t('audit.when'),
      value: (one) => one.updated_at,
      cell: (one) => <RelativeTime date={one.updated_at} />,
      width: 120,
    },
    {
      ...repeatColumn<OperatedMail>(t, t('operator.mails.again'), ({ to, subject }) => `${subject}, ${to}`, repeat),
      hidden: list.data?.some(({ is_retryable }) => is_retryable) !== true,
    },
  ];
  return (
    <OperatorPage section="mails" error={list.error}>
      <p className="hx-muted" style={{ margin: 0 }}>
        {t('operator.mails.note')}
      </p>
      {repeat.error && <ErrorNotice error={repeat.error} />}
      <DataTable
        id="operator-mails"
        label={t('operator.mails.title')}
        columns={columns}
        {...rowsOf(list)}
        rowId={rowId}
        defaultSort={{ column: 'updated_at', descending: true }}
        empty={<p className="hx-muted">{t('operator.mails.none')}</p>}
      />
    </OperatorPage>
  );
}
