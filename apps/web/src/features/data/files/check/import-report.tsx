import { type FileDetail, type FileProblemRecord, type FileType, fileType } from '@heterosis/contracts/data/files';
import { Button, NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HelpLink } from '../../../../components/page/help-link.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NameText } from '../../../../components/table/name-text.tsx';
import { StateBadge } from '../../../../components/table/state-badge.tsx';
import { downloadText } from '../../../../lib/browser/download.ts';
import { toCsv } from '../../../../lib/format/csv.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { fileProblemsQuery } from '../files.api.ts';
import { CheckAsType } from './check-as-type.tsx';
import { hasChoices } from './check-choices.tsx';
import classes from './import-report.module.css';
import { hasReadableLines, LineInContext } from './line-in-context.tsx';

const SEVERITIES = ['error', 'warning', 'info'] as const;
const SEVERITY_KIND = { error: 'error', warning: 'warning', info: 'waiting' } as const;

/** Every problem of a file in one table: where it is, what is wrong, what to do. */
export function ImportReport(props: {
  projectId: string;
  file: FileDetail;
  mayWrite: boolean;
  /** The page offers another type already. */
  hasTypeChoice: boolean;
}) {
  const { projectId, file, mayWrite, hasTypeChoice } = props;
  const { t } = useTranslation();
  const query = useQuery(fileProblemsQuery(projectId, file.id));
  const [severity, setSeverity] = useState('');
  const [code, setCode] = useState('');
  const [opened, setOpened] = useState<FileProblemRecord>();
  const canOpen = hasReadableLines(file);
  const isInvalid = file.status === 'INVALID';
  const { errors, warnings, infos } = file.problem_totals;
  const problems = query.data?.data;
  const byCode = query.data?.by_code ?? {};
  // What blocks the file comes first; within one severity the lines of the file.
  const rows = problems
    ?.filter((one) => (severity === '' || one.severity === severity) && (code === '' || one.code === code))
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const severities = SEVERITIES.filter((_, index) => [errors, warnings, infos][index] !== 0);
  const columns = useProblemColumns(severities.length > 1);
  return (
    <Section
      title={t('files.report.title')}
      note={t(`files.report.${noteOf(file, byCode, mayWrite && hasChoices(file, problems ?? [], byCode))}`)}
      action={
        <Button
          size="xs"
          variant="default"
          disabled={!problems}
          onClick={() => downloadText(`${file.name} problems.csv`, problemsCsv(problems ?? []))}
        >
          {t('files.report.csv')}
        </Button>
      }
    >
      <Totals totals={file.problem_totals} shown={problems?.length} />
      {mayWrite && !hasTypeChoice && isTypeDoubtful(file, byCode) && problems && (
        <CheckAsType projectId={projectId} file={file} found={foundType(problems)} />
      )}
      {canOpen && <p className={classes.hint}>{t('files.report.openLine')}</p>}
      {opened && <LineInContext projectId={projectId} file={file} problem={opened} />}
      <DataTable
        id="file-problems"
        label={t('files.report.title')}
        columns={columns}
        rows={rows}
        rowId={(one) => `${one.code} ${one.line} ${one.column} ${one.value} ${one.message}`}
        {...(canOpen ? { onOpen: setOpened, isMarked: (one: FileProblemRecord) => one === opened } : {})}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        total={problems?.length}
        filters={
          <ProblemFilters
            severities={severities}
            severity={severity}
            onSeverity={setSeverity}
            byCode={byCode}
            code={code}
            onCode={setCode}
          />
        }
        csvName={`${file.name} problems`}
        maxHeight={isInvalid ? '75dvh' : '26rem'}
      />
    </Section>
  );
}

function problemsCsv(problems: readonly FileProblemRecord[]): string {
  return toCsv(
    ['severity', 'code', 'line', 'column', 'value', 'message', 'suggestion'],
    problems.map((one) => [one.severity, one.code, one.line, one.column, one.value, one.message, one.suggestion]),
  );
}

/** Errors that say nothing against the type of a file: questions about its values, and a check that failed. */
const OF_RIGHT_TYPE = ['E-PH-MISSING-CODE', 'E-PH-DATE-ORDER', 'E-PH-SOWING', 'E-PH-NOT-DATE', 'E-NOT-CHECKED'];

/** A file that cannot be read, or of which nothing can be used, may be of another type. */
const isTypeDoubtful = ({ status }: FileDetail, byCode: Record<string, number>): boolean =>
  Boolean(byCode['W-PH-NO-NUMERIC']) ||
  (status === 'INVALID' && Object.keys(byCode).some((code) => code.startsWith('E-') && !OF_RIGHT_TYPE.includes(code)));

/** The type that the content shows, where the check says so. */
const foundType = (problems: readonly FileProblemRecord[]): FileType | undefined =>
  fileType.safeParse(problems.find(({ code }) => code === 'E-TYPE')?.value).data;

/** Whether the file can be used. */
function noteOf(file: FileDetail, byCode: Record<string, number>, offersChoices: boolean) {
  if (file.status === 'INVALID') {
    if (byCode['E-NOT-CHECKED']) return 'noteNotChecked';
    return offersChoices ? 'noteInvalidWithChoices' : 'noteInvalid';
  }
  return file.problem_totals.warnings > 0 ? 'noteWarnings' : 'noteInfos';
}

/** `2 errors · 1 warning`, and how many of them are listed where not all are. */
function Totals({ totals, shown }: { totals: FileDetail['problem_totals']; shown: number | undefined }) {
  const { t } = useTranslation();
  const { errors, warnings, infos } = totals;
  const parts = [
    errors > 0 && t('files.report.errors', { count: errors, formatted: formatCount(errors) }),
    warnings > 0 && t('files.report.warnings', { count: warnings, formatted: formatCount(warnings) }),
    infos > 0 && t('files.report.infos', { count: infos, formatted: formatCount(infos) }),
  ];
  return (
    <p className={classes.totals}>
      <span>{parts.filter(Boolean).join(' · ')}</span>
      {shown !== undefined && shown < errors + warnings + infos && (
        <span className="hx-muted">{t('files.report.first', { shown: formatCount(shown) })}</span>
      )}
    </p>
  );
}

function ProblemFilters(props: {
  severities: readonly (typeof SEVERITIES)[number][];
  severity: string;
  onSeverity: (severity: string) => void;
  byCode: Record<string, number>;
  code: string;
  onCode: (code: string) => void;
}) {
  const { severities, byCode } = props;
  const { t } = useTranslation();
  return (
    <>
      {severities.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('files.report.severity')}
          value={props.severity}
          onChange={(event) => props.onSeverity(event.currentTarget.value)}
          data={[
            { value: '', label: t('files.report.all') },
            ...severities.map((value) => ({ value, label: t(`files.report.${value}`) })),
          ]}
        />
      )}
      {Object.keys(byCode).length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('files.report.code')}
          value={props.code}
          onChange={(event) => props.onCode(event.currentTarget.value)}
          data={[
            { value: '', label: t('files.report.allCodes') },
            ...Object.entries(byCode)
              .sort(([, a], [, b]) => b - a)
              .map(([value, count]) => ({ value, label: `${value} (${formatCount(count)})` })),
          ]}
        />
      )}
    </>
  );
}

function useProblemColumns(hasSeverities: boolean): DataColumn<FileProblemRecord>[] {
  const { t } = useTranslation();
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const where: DataColumn<FileProblemRecord>[] = [
    { id: 'column', header: t('files.report.column'), value: (one) => one.column, width: 90 },
    {
      id: 'value',
      header: t('files.report.value'),
      value: (one) => one.value,
      cell: (one) =>
        one.value !== null && (
          <code className={classes.raw} title={one.value}>
            {one.value}
          </code>
        ),
      width: 150,
    },
  ];
  const what: DataColumn<FileProblemRecord>[] = [
    { id: 'message', header: t('files.report.message'), value: (one) => one.message, narrow: true, wrap: true },
    { id: 'suggestion', header: t('files.report.suggestion'), value: (one) => one.suggestion, wrap: true },
  ];
  return [
    {
      id: 'line',
      header: t('files.report.line'),
      value: (one) => one.line,
      cell: (one) => (one.line === null ? t('files.report.wholeFile') : formatCount(one.line)),
      width: 84,
    },
    {
      id: 'severity',
      header: t('files.report.severity'),
      value: (one) => t(`files.report.${one.severity}`),
      cell: (one) => <StateBadge kind={SEVERITY_KIND[one.severity]} label={t(`files.report.${one.severity}`)} />,
      width: 104,
      hidden: !hasSeverities,
    },
    // The sentence names cell and value: where not all has room, it has to be seen first.
    ...(isWide ? [...where, ...what] : [...what, ...where]),
    {
      id: 'code',
      header: t('files.report.code'),
      value: (one) => one.code,
      cell: (one) => (
        <span className={classes.code}>
          <HelpLink topic={`formats#${one.code}`}>
            <NameText name={one.code} />
          </HelpLink>
        </span>
      ),
      width: 150,
      wrap: true,
    },
  ];
}
