import type { Invoice } from '@heterosis/contracts/people/billing';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { downloadText } from '../../../lib/browser/download.ts';
import { formatDay, formatMoney } from '../../../lib/format/format.ts';
import { invoicesQuery, readInvoiceDocument } from './billing.api.ts';

export function Invoices({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(invoicesQuery(organizationId));
  const download = useMutation({
    mutationFn: async (invoice: Invoice) =>
      downloadText(
        `${invoice.number ?? invoice.id}.html`,
        await readInvoiceDocument(organizationId, invoice.id),
        'text/html;charset=utf-8',
      ),
  });
  const columns: DataColumn<Invoice>[] = [
    { id: 'number', header: t('billing.number'), value: (one) => one.number ?? one.id, width: 110 },
    {
      id: 'created_at',
      header: t('billing.date'),
      value: (one) => one.created_at,
      cell: (one) => formatDay(one.created_at),
      width: 120,
    },
    { id: 'description', header: t('billing.for'), value: (one) => one.description ?? '', wrap: true, minWidth: 140 },
    {
      id: 'amount',
      header: t('billing.amount'),
      value: (one) => one.amount,
      cell: (one) => formatMoney(one.amount, one.currency),
      numeric: true,
      width: 90,
    },
    { id: 'status', header: t('column.state'), value: (one) => t(`billing.status.${one.status}`), width: 75 },
    {
      id: 'download',
      header: t('billing.document'),
      value: () => '',
      cell: (one) => <InvoiceLinks invoice={one} onDownload={() => download.mutate(one)} />,
      width: 120,
      narrow: true,
    },
  ];
  return (
    <Section title={t('billing.invoices')}>
      {download.isError && <ErrorNotice error={download.error} />}
      <DataTable
        id="invoices"
        label={t('billing.invoices')}
        columns={columns}
        rows={list.data?.pages.flatMap(({ data }) => data)}
        rowId={(one) => one.id}
        isLoading={list.isPending}
        error={list.error}
        onRetry={() => void list.refetch()}
        hasTools={false}
        empty={t('billing.noInvoices')}
        more={{
          hasMore: list.hasNextPage,
          isLoading: list.isFetchingNextPage,
          load: () => void list.fetchNextPage(),
        }}
      />
    </Section>
  );
}

function InvoiceLinks({ invoice, onDownload }: { invoice: Invoice; onDownload: () => void }) {
  const { t } = useTranslation();
  const number = invoice.number ?? invoice.id;
  return (
    <span style={{ display: 'inline-flex', gap: '0.75rem' }}>
      {invoice.payment_url !== null && (
        <a
          href={invoice.payment_url}
          className="hx-link"
          target="_blank"
          rel="noreferrer"
          aria-label={t('billing.payNamed', { number })}
        >
          {t('billing.pay')}
        </a>
      )}
      {invoice.download_url === null ? (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={onDownload}
          aria-label={t('billing.downloadNamed', { number })}
        >
          {t('word.download')}
        </Button>
      ) : (
        <a
          href={invoice.download_url}
          className="hx-link"
          target="_blank"
          rel="noreferrer"
          aria-label={t('billing.downloadNamed', { number })}
        >
          {t('word.download')}
        </a>
      )}
    </span>
  );
}
