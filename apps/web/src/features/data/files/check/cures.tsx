import type { FileDetail } from '@heterosis/contracts/data/files';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { useModal } from '../../../../lib/browser/modal.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { fileProblemsQuery, useFileMutations } from '../files.api.ts';
import { CheckChoices, hasChoices } from './check-choices.tsx';
import classes from './import-report.module.css';

/** Problems that are cured by saying how the columns are to be read. */
const OF_COLUMNS = [
  'E-COL-MISSING',
  'E-COL-FEMALE',
  'E-COL-MALE',
  'E-COL-UNKNOWN',
  'E-CT-COLUMNS',
  'E-LM-NO-ID',
  'E-LM-NO-POS-COL',
  'E-NO-HEADER',
  'E-SHEET',
  'E-ROW-WIDTH',
  'E-PH-NO-TRAIT',
  'W-CT-COLUMNS',
];
/** Ways of reading that were found, and that a person may want to change. */
const FOUND = ['I-HEADER-ROW', 'I-SHEETS', 'I-LAYOUT'];

/** What cures problems of a file without another upload, above everything that was computed from it. */
export function Cures({ projectId, file }: { projectId: string; file: FileDetail }) {
  const { t } = useTranslation();
  const modal = useModal();
  const { check } = useFileMutations(projectId);
  const { errors, warnings, infos } = file.problem_totals;
  const hasProblems = errors + warnings + infos > 0;
  const { data } = useQuery({ ...fileProblemsQuery(projectId, file), enabled: hasProblems });
  // What was found before the file was checked again may still be at hand.
  if (!hasProblems || data === undefined) return null;
  const has = (codes: readonly string[]) => file.has_first_rows && codes.some((code) => Boolean(data.by_code[code]));
  const needsColumns = has(OF_COLUMNS);
  const wasFound = !needsColumns && has(FOUND);
  const headerRow = data.data.find(({ code }) => code === 'I-HEADER-ROW')?.line ?? null;
  const { left_out: leftOut } = file;
  const hasCure = needsColumns || wasFound || leftOut !== null || file.ploidies !== null;
  if (!hasCure && !hasChoices(file, data.data, data.by_code)) return null;
  return (
    <Notice kind={warnings + errors === 0 ? 'info' : 'warning'}>
      <div className={classes.cures}>
        {(needsColumns || wasFound) && (
          <div className={classes.cure}>
            <span>
              {needsColumns
                ? t('files.mapping.needed')
                : headerRow === null
                  ? t('files.mapping.found')
                  : t('files.mapping.headerRow', { row: formatCount(headerRow) })}
            </span>
            <Button
              size="xs"
              variant={needsColumns ? 'filled' : 'default'}
              onClick={() => modal.open('map-columns', file.id)}
            >
              {t('files.mapping.action')}
            </Button>
          </div>
        )}
        {leftOut !== null && (
          <div className={classes.cure}>
            <span>
              {[
                ...(leftOut.lines.length > 0 ? [t('files.report.leftRows', { count: leftOut.lines.length })] : []),
                ...(leftOut.cells.length > 0 ? [t('files.report.leftCells', { count: leftOut.cells.length })] : []),
              ].join(' ')}
            </span>
            <Button
              size="xs"
              variant="default"
              loading={check.isPending}
              onClick={() => check.mutate({ id: file.id, left_out: null })}
            >
              {t('files.report.readAgain')}
            </Button>
            {check.error && <ErrorNotice error={check.error} />}
          </div>
        )}
        {file.ploidies && (
          <div className={classes.cure}>
            <span>{t('files.reading.onePloidy')}</span>
            {file.ploidies.map(({ ploidy, samples }) => (
              <Button
                key={ploidy}
                size="xs"
                variant="default"
                loading={check.isPending}
                onClick={() => check.mutate({ id: file.id, ploidy: null, samples_of_ploidy: ploidy })}
              >
                {t('files.reading.onlyOf', { count: samples, plants: formatCount(samples), ploidy })}
              </Button>
            ))}
            {leftOut === null && check.error && <ErrorNotice error={check.error} />}
          </div>
        )}
        <CheckChoices projectId={projectId} file={file} problems={data.data} byCode={data.by_code} />
      </div>
    </Notice>
  );
}
