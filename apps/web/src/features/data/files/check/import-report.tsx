import {
  type FileDetail,
  type FileProblemRecord,
  type FileProblems,
  type FileType,
  fileType,
} from '@heterosis/contracts/data/files';
import { Button, NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
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
import { hasReadableLines } from './line-in-context.tsx';
import { OpenedGroup } from './opened-group.tsx';
import { firstOf, groupProblems, type ProblemGroup } from './problem-groups.ts';

const SEVERITIES = ['error', 'warning', 'info'] as const;
const MOST_IN_TITLE = 50;
const SEVERITY_KIND = { error: 'error', warning: 'warning', info: 'waiting' } as const;

/** What is wrong with a file in one table, equal problems together: what it is, how often, where, what to do. */
export function ImportReport(props: {
  projectId: string;
  file: FileDetail;
  mayWrite: boolean;
  /** The page offers another type already. */
  hasTypeChoice: boolean;
}) {
  const { projectId, file, mayWrite, hasTypeChoice } = props;
  const { t } = useTranslation();
  const query = useQuery(fileProblemsQuery(projectId, file));
  const [severity, setSeverity] = useState('');
  const [code, setCode] = useState('');
  const [openedId, setOpened] = useState<string>();
  const isInvalid = file.status === 'INVALID';
  const problems = query.data?.data;
  const byCode = query.data?.by_code ?? {};
  const groups = useMemo(() => problems && groupProblems(problems), [problems]);
  const rows = groups?.filter(
    (one) => (severity === '' || one.severity === severity) && (code === '' || one.code === code),
  );
  const opened = groups?.find(({ id }) => id === openedId);
  const canOpen = hasReadableLines(file) || groups?.some(({ lines }) => lines.length > 1) === true;
  const severities = SEVERITIES.filter((one) => groups?.some((group) => group.severity === one));
  const columns = useGroupColumns(severities.length > 1);
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
      {query.data && <Totals totals={query.data.totals} shown={query.data.data.length} />}
      {mayWrite && !hasTypeChoice && isTypeDoubtful(file, byCode) && problems && (
        <CheckAsType projectId={projectId} file={file} found={foundType(problems)} />
      )}
      {canOpen && <p className={classes.hint}>{t('files.report.openLine')}</p>}
      {opened && <OpenedGroup key={opened.id} projectId={projectId} file={file} group={opened} />}
      <DataTable
        id="file-problem-groups"
        label={t('files.report.title')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        {...(canOpen
          ? { onOpen: ({ id }: ProblemGroup) => setOpened(id), isMarked: ({ id }: ProblemGroup) => id === openedId }
          : {})}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        total={groups?.length}
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

/** A file that cannot be imported, or of which nothing can be used, may be of another type. */
const isTypeDoubtful = ({ status }: FileDetail, byCode: Record<string, number>): boolean =>
  Boolean(byCode['W-PH-NO-NUMERIC']) || (status === 'INVALID' && !byCode['E-NOT-CHECKED']);

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
function Totals({ totals, shown }: { totals: FileProblems['totals']; shown: number }) {
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
      {shown < errors + warnings + infos && (
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

function useGroupColumns(hasSeverities: boolean): DataColumn<ProblemGroup>[] {
  const { t } = useTranslation();
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const listed = (places: readonly (number | string)[]): string => {
    const { shown, more } = firstOf(places);
    return more > 0 ? t('files.report.andMore', { shown, count: more }) : shown;
  };
  const where: DataColumn<ProblemGroup>[] = [
    { id: 'column', header: t('files.report.column'), value: ({ column }) => column, width: 120, wrap: true },
    {
      id: 'value',
      header: t('files.report.value'),
      value: ({ values }) => listed(values),
      cell: ({ values }) =>
        values.length > 0 && (
          <code className={classes.raw} title={values.slice(0, MOST_IN_TITLE).join(', ')}>
            {listed(values)}
          </code>
        ),
      width: 150,
      wrap: true,
    },
  ];
  const what: DataColumn<ProblemGroup>[] = [
    {
      id: 'message',
      header: t('files.report.message'),
      value: ({ problems: [{ message }] }) => message,
      cell: ({ problems, isSameSentence }) => (
        <>
          {problems[0].message}
          {!isSameSentence && (
            <span className="hx-muted"> {t('files.report.moreLikeIt', { count: problems.length - 1 })}</span>
          )}
        </>
      ),
      narrow: true,
      wrap: true,
    },
    {
      id: 'suggestion',
      header: t('files.report.suggestion'),
      value: ({ problems: [{ suggestion }] }) => suggestion,
      wrap: true,
    },
  ];
  return [
    {
      id: 'line',
      header: t('files.report.line'),
      value: ({ lines }) => lines[0] ?? null,
      cell: ({ lines }) => (lines.length === 0 ? t('files.report.wholeFile') : listed(lines)),
      exported: [{ header: t('files.report.line'), value: ({ lines }) => lines.join(' ') }],
      width: 116,
      wrap: true,
    },
    {
      id: 'count',
      header: t('files.report.count'),
      value: ({ problems }) => problems.length,
      cell: ({ problems }) => formatCount(problems.length),
      numeric: true,
      width: 88,
    },
    {
      id: 'severity',
      header: t('files.report.severity'),
      value: ({ severity }) => t(`files.report.${severity}`),
      cell: ({ severity }) => <StateBadge kind={SEVERITY_KIND[severity]} label={t(`files.report.${severity}`)} />,
      width: 104,
      hidden: !hasSeverities,
    },
    // The sentence names cell and value: where not all has room, it has to be seen first.
    ...(isWide ? [...where, ...what] : [...what, ...where]),
    {
      id: 'code',
      header: t('files.report.code'),
      value: ({ code }) => code,
      cell: ({ code }) => (
        <span className={classes.code}>
          <HelpLink topic={`formats#${code}`}>
            <NameText name={code} />
          </HelpLink>
        </span>
      ),
      width: 150,
      wrap: true,
    },
  ];
}
