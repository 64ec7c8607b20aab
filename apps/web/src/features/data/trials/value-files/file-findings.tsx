import type { ValueFileReview } from '@heterosis/contracts/data/value-files';
import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../../components/page/notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { formatCount } from '../../../../lib/format/format.ts';
import { NOTHING } from '../values/value-table.ts';

type Refused = ValueFileReview['refused']['data'][number];

/** Rows and values that cannot be taken, with why. */
export function RefusedValues(props: {
  refused: ValueFileReview['refused'];
  isLeftOut: boolean;
  onLeaveOut: (isLeftOut: boolean) => void;
}) {
  const { refused, isLeftOut, onLeaveOut } = props;
  const { t } = useTranslation();
  const columns: DataColumn<Refused>[] = [
    { id: 'why', header: t('trials.file.why'), value: (row) => row.message, wrap: true },
    { id: 'line', header: t('trials.file.line'), value: (row) => row.line, numeric: true, width: 80 },
    { id: 'column', header: t('trials.column'), value: (row) => row.column ?? '', width: 160 },
    { id: 'value', header: t('trials.value'), value: (row) => row.value, width: 140 },
  ];
  return (
    <Section title={t('trials.file.refused', { count: refused.total, n: formatCount(refused.total) })}>
      <DataTable
        id="file-refused"
        label={t('trials.file.refusedLabel')}
        columns={columns}
        rows={refused.data}
        rowId={(row) => `${row.line} ${row.column}`}
        hasTools={false}
      />
      <Checkbox
        label={t('trials.file.leaveOutRefused', { count: refused.total })}
        checked={isLeftOut}
        onChange={(event) => onLeaveOut(event.currentTarget.checked)}
      />
    </Section>
  );
}

const SHOWN = 3;

/** What may be right, but should be looked at. */
export function FileWarnings({ review }: { review: ValueFileReview }) {
  const { t } = useTranslation();
  const { repeated, other_entries: others } = review;
  return (
    <>
      {others.total > 0 && (
        <Notice kind="warning">
          {t('trials.file.others', { count: others.total, n: formatCount(others.total) })}{' '}
          {others.data
            .slice(0, SHOWN)
            .map(({ line, plot, file, trial }) => t('trials.file.other', { line, plot, file, trial }))
            .join(' ')}
        </Notice>
      )}
      {repeated.total > 0 && (
        <Notice>
          {t('trials.file.repeated', { count: repeated.total, n: formatCount(repeated.total) })}{' '}
          {repeated.data
            .slice(0, SHOWN)
            .map(({ plot, trait, values }) => {
              const cell = t('trials.valueOf', { trait, plot });
              return `${cell}: ${values.map((value) => value ?? NOTHING).join(' → ')}.`;
            })
            .join(' ')}
        </Notice>
      )}
    </>
  );
}
