import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { formatDateTime } from '../../../../lib/format/format.ts';
import { NOTHING } from './value-table.ts';
import { conflictsQuery, useSettleConflict } from './values.api.ts';

interface Answer {
  id: string;
  plot: number;
  trait: string;
  value: string;
  by: string;
  at: string;
}

/** Plots with several values of one trait, of which a person says which one counts. Nothing where there are none. */
export function Questions(props: { projectId: string; trialId: string; mayWrite: boolean }) {
  const { projectId, trialId, mayWrite } = props;
  const { t } = useTranslation();
  const { data } = useQuery(conflictsQuery(projectId, trialId));
  const settle = useSettleConflict(projectId, trialId);
  if (!data || data.total === 0) return null;
  const rows = data.data.flatMap(({ plot, trait, observations }) =>
    observations.map(({ id, value, collector, observed_at: at }): Answer => {
      return { id, plot, trait, value: value ?? NOTHING, by: collector ?? '', at };
    }),
  );
  const columns: DataColumn<Answer>[] = [
    { id: 'cell', header: t('trials.plot'), value: (row) => t('trials.valueOf', { trait: row.trait, plot: row.plot }) },
    { id: 'value', header: t('trials.value'), value: (row) => row.value, numeric: true, width: 110 },
    { id: 'by', header: t('trials.collector'), value: (row) => row.by, width: 200 },
    { id: 'at', header: t('trials.when'), value: (row) => row.at, cell: (row) => formatDateTime(row.at), width: 170 },
    {
      ...{ id: 'keep', header: '', value: () => null, exported: [], sortable: false, width: 130, narrow: true },
      cell: (row) =>
        mayWrite && (
          <Button
            size="compact-xs"
            variant="default"
            loading={settle.isPending && settle.variables?.[0] === row.id}
            onClick={() => settle.mutate([row.id])}
          >
            {t('trials.countsThis')}
          </Button>
        ),
    },
  ];
  return (
    <Section title={t('trials.questions')} note={t('trials.questionsNote', { count: data.total })}>
      {settle.error && <ErrorNotice error={settle.error} />}
      <DataTable
        id="trial-questions"
        label={t('trials.questions')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        hasTools={false}
      />
    </Section>
  );
}
