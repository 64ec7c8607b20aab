import type { FileDetail, FileProblemRecord } from '@heterosis/contracts/data/files';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { keys } from '../../../../lib/api/query-keys.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import classes from './import-report.module.css';
import { cellRange, columnIndexOf, decodeText, linesAround } from './raw-line.ts';

/** A larger file is not fetched for the sake of one line. */
const LARGEST_BYTES = 5e6;
const MARGIN = 1;

/** Files whose lines the browser can read as they were written: text tables that are not compressed. */
export function hasReadableLines(file: FileDetail): boolean {
  const isTable = file.file_type !== null && file.file_type !== 'GENOTYPE';
  return isTable && file.size_bytes <= LARGEST_BYTES && file.meta.file_url !== null && !/\.(gz|xlsx)$/i.test(file.name);
}

/** The line of a problem as it stands in the file, its neighbours around it, its cell marked. */
export function LineInContext(props: { projectId: string; file: FileDetail; problem: FileProblemRecord }) {
  const { projectId, file, problem } = props;
  const { t } = useTranslation();
  const url = file.meta.file_url ?? '';
  const text = useQuery({
    queryKey: [...keys.files(projectId), 'text', file.id],
    queryFn: async ({ signal }) => {
      const answer = await fetch(url, { signal });
      if (!answer.ok) throw new Error(`the storage answered ${answer.status}`);
      return decodeText(await answer.arrayBuffer());
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { line } = problem;
  if (line === null) return null;
  if (text.error) return <p className="hx-muted">{t('files.report.lineNotRead')}</p>;
  if (text.data === undefined) return <SkeletonLines lines={3} />;
  const label = t('files.report.lineInFile', { line: formatCount(line) });
  return (
    // Focusable, so that the keyboard can scroll it.
    <pre className={classes.context} role="group" aria-label={label} tabIndex={0}>
      {linesAround(text.data, line, MARGIN).map((one) => (
        <div key={one.number} data-meant={one.number === line || undefined}>
          <span className={classes.lineNumber}>{one.number}</span>
          {one.number === line ? <MarkedLine text={one.text} column={problem.column} /> : one.text}
        </div>
      ))}
    </pre>
  );
}

function MarkedLine({ text, column }: { text: string; column: string | null }) {
  const index = columnIndexOf(column);
  const range = index === undefined ? undefined : cellRange(text, index);
  if (!range) return text;
  return (
    <>
      {text.slice(0, range.start)}
      <mark>{text.slice(range.start, range.end) || ' '}</mark>
      {text.slice(range.end)}
    </>
  );
}
