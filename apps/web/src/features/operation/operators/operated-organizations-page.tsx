import { MAX_RUN_QUOTA, type OperatedOrganization } from '@heterosis/contracts/operation';
import { Menu } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { optionalNumberError, useSubmission } from '../../../lib/form/form.ts';
import { formatBytes, formatCount } from '../../../lib/format/format.ts';
import { operatedOrganizationsQuery, useSetQuotas } from './operation.api.ts';
import { OperatorPage } from './operator-page.tsx';

const rowId = ({ id }: OperatedOrganization): string => id;
const GB = 1e9;

/** All organizations with what they use, and what they may. */
export function OperatedOrganizationsPage() {
  const { t } = useTranslation();
  const list = useQuery(operatedOrganizationsQuery());
  const [changing, setChanging] = useState<OperatedOrganization>();
  return (
    <OperatorPage section="organizations" error={list.error}>
      <DataTable
        id="operator-organizations"
        label={t('operator.organizations.title')}
        columns={columnsOf(t)}
        {...rowsOf(list)}
        rowId={rowId}
        defaultSort={{ column: 'storage', descending: true }}
        rowMenu={(one) => (
          <Menu.Item onClick={() => setChanging(one)}>{t('operator.organizations.changeQuotas')}</Menu.Item>
        )}
      />
      {changing && <QuotasDialog organization={changing} close={() => setChanging(undefined)} />}
    </OperatorPage>
  );
}

function columnsOf(t: TFunction): DataColumn<OperatedOrganization>[] {
  const ofQuota = (used: string, quota: string | null): string =>
    quota === null ? used : t('organization.usedOf', { used, quota });
  return [
    {
      id: 'name',
      header: t('column.name'),
      value: (one) => (one.deleted_at === null ? one.name : t('operator.organizations.deleted', { name: one.name })),
    },
    { id: 'owners', header: t('operator.organizations.owners'), value: (one) => one.owners.join(', '), width: 200 },
    {
      id: 'seats',
      header: t('word.seats'),
      value: (one) => one.seat_usage,
      cell: (one) => ofQuota(formatCount(one.seat_usage), formatCount(one.seat_total)),
      numeric: true,
      width: 90,
    },
    {
      id: 'storage',
      header: t('organization.storage'),
      value: (one) => one.storage_used_bytes,
      cell: (one) =>
        ofQuota(
          formatBytes(one.storage_used_bytes),
          one.storage_quota_bytes === null ? null : formatBytes(one.storage_quota_bytes),
        ),
      numeric: true,
      width: 150,
      narrow: true,
    },
    {
      id: 'runs',
      header: t('organization.runs'),
      value: (one) => one.runs_unfinished,
      cell: (one) =>
        ofQuota(formatCount(one.runs_unfinished), one.run_quota === null ? null : formatCount(one.run_quota)),
      numeric: true,
      width: 120,
    },
    {
      id: 'runs_last_30_days',
      header: t('operator.organizations.recentRuns'),
      value: (one) => one.runs_last_30_days,
      numeric: true,
      width: 120,
    },
    {
      id: 'last_active_at',
      header: t('column.lastActive'),
      value: (one) => one.last_active_at,
      cell: (one) => (one.last_active_at === null ? '–' : <RelativeTime date={one.last_active_at} />),
      width: 120,
    },
  ];
}

/** Empty: that of the installation. */
interface Quotas extends Record<string, unknown> {
  storage: FieldNumber;
  runs: FieldNumber;
}

const LIMITS = {
  storage: { min: 0, max: Math.floor(Number.MAX_SAFE_INTEGER / GB) },
  runs: { min: 0, max: MAX_RUN_QUOTA, isWhole: true },
};

function QuotasDialog({ organization, close }: { organization: OperatedOrganization; close: () => void }) {
  const { t } = useTranslation();
  const setQuotas = useSetQuotas(organization.id);
  const { own_storage_quota_bytes: bytes, own_run_quota: runs } = organization;
  const form = useForm<Quotas>({
    initialValues: { storage: bytes === null ? '' : bytes / GB, runs: runs ?? '' },
    validate: {
      storage: (value) => optionalNumberError(t, value, LIMITS.storage),
      runs: (value) => optionalNumberError(t, value, LIMITS.runs),
    },
  });
  const submission = useSubmission(form, (values) => setQuotas.mutateAsync(bodyOf(values)), close);
  return (
    <ModalFrame title={t('operator.organizations.quotasTitle', { name: organization.name })} onClose={close} size="sm">
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <NumberField
          label={t('operator.organizations.storageGb')}
          description={t('operator.organizations.emptyIsDefault')}
          limits={LIMITS.storage}
          data-autofocus
          {...form.getInputProps('storage')}
        />
        <NumberField
          label={t('organization.runs')}
          description={t('operator.organizations.emptyIsDefault')}
          limits={LIMITS.runs}
          {...form.getInputProps('runs')}
        />
        <FormFooter
          submitLabel={t('action.saveChanges')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}

const bodyOf = ({ storage, runs }: Quotas) => ({
  storage_bytes: storage === '' ? null : Math.round(numberOf(storage) * GB),
  runs: runs === '' ? null : numberOf(runs),
});
