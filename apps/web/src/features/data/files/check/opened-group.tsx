import type { FileDetail, FileProblemRecord } from '@heterosis/contracts/data/files';
import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../lib/format/format.ts';
import classes from './import-report.module.css';
import { hasReadableLines, LineInContext } from './line-in-context.tsx';
import type { ProblemGroup } from './problem-groups.ts';

/** Every place of equal problems, and the chosen one as it stands in the file. */
export function OpenedGroup(props: { projectId: string; file: FileDetail; group: ProblemGroup }) {
  const { projectId, file, group } = props;
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<FileProblemRecord>(group.problems[0]);
  const textOf = (one: FileProblemRecord): string =>
    group.isSameSentence ? (group.values.length > 1 ? (one.value ?? '') : '') : one.message;
  return (
    <div className={classes.opened}>
      {group.problems.length > 1 && (
        <ul className={classes.places} data-long={!group.isSameSentence || undefined}>
          {group.problems.map((one) => (
            <li key={`${one.line} ${one.value} ${one.message}`}>
              <UnstyledButton className={classes.place} aria-pressed={one === chosen} onClick={() => setChosen(one)}>
                <b>
                  {one.line === null
                    ? t('files.report.wholeFile')
                    : t('files.report.lineNumber', { line: formatCount(one.line) })}
                </b>{' '}
                {textOf(one)}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {hasReadableLines(file) && <LineInContext projectId={projectId} file={file} problem={chosen} />}
    </div>
  );
}
