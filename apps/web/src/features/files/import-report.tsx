import type { FileDetail, FileProblemRecord } from '@heterosis/contracts/files';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { toCsv } from '../../lib/csv.ts';
import { downloadText } from '../../lib/download.ts';
import { formatCount } from '../../lib/format.ts';
import { fileProblemsQuery, useFileMutations } from './files.api.ts';
import classes from './import-report.module.css';

const SEVERITY_KIND = { error: 'error', warning: 'warning', info: 'waiting' } as const;

/** Every problem of a file in one table: where it is, what is wrong, what to do (UI "Import report"). */
export function ImportReport({ projectId, file }: { projectId: string; file: FileDetail }) {
  const { t } = useTranslation();
  const query = useQuery(fileProblemsQuery(projectId, file.id));
  const [severity, setSeverity] = useState('');
  const rows = query.data?.data.filter((one) => severity === '' || one.severity === severity);
  const { errors, warnings, infos } = file.problem_totals;
  const columns: DataColumn<FileProblemRecord>[] = [
    {
      id: 'line',
      header: t('files.report.line'),
      value: (one) => one.line,
      numeric: true,
      width: 80,
    },
    {
      id: 'severity',
      header: t('files.report.severity'),
      value: (one) => t(`files.report.${one.severity}`),
      cell: (one) => <StateBadge kind={SEVERITY_KIND[one.severity]} label={t(`files.report.${one.severity}`)} />,
      width: 110,
    },
    { id: 'column', header: t('files.report.column'), value: (one) => one.column, width: 110 },
    {
      id: 'value',
      header: t('files.report.value'),
      value: (one) => one.value,
      cell: (one) => one.value !== null && <code className={classes.raw}>{one.value}</code>,
      width: 130,
    },
    { id: 'message', header: t('files.report.message'), value: (one) => one.message, narrow: true, wrap: true },
    { id: 'suggestion', header: t('files.report.suggestion'), value: (one) => one.suggestion, wrap: true },
    { id: 'code', header: t('files.report.code'), value: (one) => one.code, width: 190 },
  ];
  return (
    <Section
      title={t('files.report.title')}
      note={file.status === 'INVALID' ? t('files.report.noteInvalid') : t('files.report.noteWarnings')}
      action={
        <Button
          size="xs"
          variant="default"
          disabled={!query.data}
          onClick={() =>
            downloadText(
              `${file.name} problems.csv`,
              toCsv(
                ['severity', 'code', 'line', 'column', 'value', 'message', 'suggestion'],
                (query.data?.data ?? []).map((one) => [
                  one.severity,
                  one.code,
                  one.line,
                  one.column,
                  one.value,
                  one.message,
                  one.suggestion,
                ]),
              ),
            )
          }
        >
          {t('files.report.csv')}
        </Button>
      }
    >
      <p className={classes.totals}>
        <span>{t('files.report.errors', { count: errors })}</span>
        <span>{t('files.report.warnings', { count: warnings })}</span>
        <span>{t('files.report.infos', { count: infos })}</span>
        {query.data && query.data.data.length < errors + warnings + infos && (
          <span className="hx-muted">{t('files.report.first', { shown: formatCount(query.data.data.length) })}</span>
        )}
      </p>
      <RepeatedRows projectId={projectId} file={file} byCode={query.data?.by_code ?? {}} />
      <DataTable
        id="file-problems"
        label={t('files.report.title')}
        columns={columns}
        rows={rows}
        rowId={(one) => `${one.code} ${one.line} ${one.column} ${one.value} ${one.message}`}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        filters={
          <NativeSelect
            size="xs"
            aria-label={t('files.report.severity')}
            value={severity}
            onChange={(event) => setSeverity(event.currentTarget.value)}
            data={[
              { value: '', label: t('files.report.all') },
              ...(['error', 'warning', 'info'] as const).map((value) => ({ value, label: t(`files.report.${value}`) })),
            ]}
          />
        }
        maxHeight="26rem"
      />
    </Section>
  );
}

/** Choices that mend what the report found, without touching the file: averaging repeated rows (FORMATS §3). */
function RepeatedRows({
  projectId,
  file,
  byCode,
}: {
  projectId: string;
  file: FileDetail;
  byCode: Record<string, number>;
}) {
  const { t } = useTranslation();
  const { check } = useFileMutations(projectId);
  const [isTicked, setTicked] = useState(false);
  if (file.file_type !== 'PHENOTYPE' || !byCode['E-PH-DUP']) return null;
  return (
    <div>
      <Checkbox
        label={t('files.report.average')}
        checked={isTicked}
        onChange={(event) => setTicked(event.currentTarget.checked)}
      />
      <Button
        mt="xs"
        size="xs"
        disabled={!isTicked}
        loading={check.isPending}
        onClick={() => check.mutate({ id: file.id, average_repeated_rows: true })}
      >
        {t('files.checkAgain')}
      </Button>
    </div>
  );
}
