import { type MatrixRows, matrixRows } from '@heterosis/contracts/data/file-formats';
import type { DateChoice, FileDetail, FileProblemRecord } from '@heterosis/contracts/data/files';
import { Button, Checkbox, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { useFileMutations } from '../files.api.ts';
import { type Reading, ReadingFields, readingOf } from '../reading/reading-fields.tsx';
import { type CodeAnswer, CodeQuestionField } from './check-questions.tsx';
import { DateFields } from './date-fields.tsx';
import classes from './import-report.module.css';
import { type LeaveAnswers, LeaveOutChoices } from './leave-out-choices.tsx';
import { openQuestions, withRoles } from './open-questions.ts';
import { type ParentAnswers, ParentQuestionFields, rolesOfParents } from './parent-questions.tsx';
import { groupProblems, leavables, leftOutWith } from './problem-groups.ts';

const isMatrix = ({ format }: FileDetail): boolean => format === 'numeric-matrix' || format === 'letter-matrix';

function choicesOf(file: FileDetail, problems: readonly FileProblemRecord[], byCode: Record<string, number>) {
  return {
    questions: openQuestions(problems),
    // Genotypes and genes are no tables of rows that can be done without.
    leavable: file.has_first_rows ? leavables(groupProblems(problems)) : [],
    isRepeated: file.file_type === 'PHENOTYPE' && Boolean(byCode['E-PH-DUP']),
    hasTwins: file.file_type === 'GENOTYPE' && Boolean(byCode['E-GT-DUP-POS']),
    asksRows: isMatrix(file) && Boolean(byCode['E-NO-HEADER']),
    hasDosages: file.file_type === 'GENOTYPE' && Boolean(byCode['I-GT-DOSAGE-UNUSED']),
    hasHaploids: file.file_type === 'GENOTYPE' && Boolean(byCode['E-GT-PLOIDY-MIX']),
    asksPloidy: file.file_type === 'GENOTYPE' && Boolean(byCode['E-GT-PLOIDY']),
    // Nothing is wrong with the file as far as anybody knows.
    hasFailed: Boolean(byCode['E-NOT-CHECKED']),
  };
}

export const hasChoices = (...found: Parameters<typeof choicesOf>): boolean => {
  const { questions, leavable, ...others } = choicesOf(...found);
  const { codes, parents, dates } = questions;
  return codes.length + parents.length + dates.length + leavable.length > 0 || Object.values(others).includes(true);
};

/**
 * Choices that cure problems of the report without a change of the file: say what a code, a column or a date means,
 * leave out cells and rows, average repeated rows, keep both rows of a variant measured by two probes, read dosages in
 * place of calls, read calls of one allele as homozygous, say the ploidy, say what the rows of a matrix are.
 */
export function CheckChoices(props: {
  projectId: string;
  file: FileDetail;
  problems: readonly FileProblemRecord[];
  byCode: Record<string, number>;
}) {
  const { projectId, file, problems, byCode } = props;
  const { t } = useTranslation();
  const { check } = useFileMutations(projectId);
  // The state of the mutation comes a moment later, after a double click.
  const [isSending, setSending] = useState(false);
  const [isAveraged, setAveraged] = useState(false);
  const [areKept, setKept] = useState(false);
  const [areDosagesRead, setDosagesRead] = useState(false);
  const [areHaploidsRead, setHaploidsRead] = useState(false);
  const [reading, setReading] = useState<Reading>(readingOf(file));
  const [rows, setRows] = useState<MatrixRows>();
  const [answers, setAnswers] = useState<Readonly<Record<string, CodeAnswer>>>({});
  const [parents, setParents] = useState<ParentAnswers>({});
  const [dates, setDates] = useState<DateChoice | null>(file.dates);
  const [left, setLeft] = useState<LeaveAnswers>({});
  const choices = choicesOf(file, problems, byCode);
  const { questions, leavable, isRepeated, hasTwins, asksRows, hasDosages, hasHaploids, asksPloidy, hasFailed } =
    choices;
  const answered = (answer: CodeAnswer) =>
    questions.codes.flatMap(({ value }) => (answers[value] === answer ? [value] : []));
  const [missing, measured] = [answered('missing'), answered('value')];
  const roles = rolesOfParents(questions.parents, parents, 'ignore');
  const hasRoles = Object.keys(roles).length > 0;
  const leftLines = leavable.flatMap(({ id, lines }) => (left[id] === 'rows' ? lines : []));
  const leftCells = leavable.flatMap(({ id, cells }) => (left[id] === 'cells' ? cells : []));
  const areDatesTold = questions.dates.length > 0 && JSON.stringify(dates) !== JSON.stringify(file.dates);
  const isTold =
    [
      asksPloidy && JSON.stringify(reading) !== JSON.stringify(readingOf(file)),
      isAveraged,
      areKept,
      areDosagesRead,
      areHaploidsRead,
      areDatesTold,
      hasRoles,
      rows !== undefined,
    ].includes(true) || missing.length + measured.length + leftLines.length + leftCells.length > 0;
  if (!hasChoices(file, problems, byCode)) return null;
  return (
    <div className={classes.choices}>
      {isRepeated && (
        <Checkbox
          label={t('files.report.average')}
          checked={isAveraged}
          onChange={(event) => setAveraged(event.currentTarget.checked)}
        />
      )}
      <LeaveOutChoices leavables={leavable} answers={left} onAnswer={setLeft} />
      {hasTwins && (
        <Checkbox
          label={t('files.report.keepTwins')}
          checked={areKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
      )}
      {asksRows && (
        <Radio.Group
          label={t('files.report.rows')}
          value={rows ?? null}
          onChange={(value) => setRows(matrixRows.parse(value))}
        >
          <div className={classes.options}>
            {matrixRows.options.map((value) => (
              <Radio key={value} value={value} label={t(`files.report.rowsAre.${value}`)} />
            ))}
          </div>
        </Radio.Group>
      )}
      {asksPloidy && <ReadingFields value={reading} format={file.format} onChange={setReading} />}
      {hasDosages && (
        <Checkbox
          label={t('files.report.readDosages')}
          checked={areDosagesRead}
          onChange={(event) => setDosagesRead(event.currentTarget.checked)}
        />
      )}
      {hasHaploids && (
        <Checkbox
          label={t('files.report.readHaploids')}
          checked={areHaploidsRead}
          onChange={(event) => setHaploidsRead(event.currentTarget.checked)}
        />
      )}
      <ParentQuestionFields questions={questions.parents} answers={parents} otherwise="ignore" onAnswer={setParents} />
      {questions.codes.map((question) => (
        <CodeQuestionField
          key={question.value}
          question={question}
          answer={answers[question.value]}
          onAnswer={(answer) => setAnswers({ ...answers, [question.value]: answer })}
        />
      ))}
      {questions.dates.length > 0 && (
        <div className={classes.question}>
          <span>{t('files.dates.holds', { count: questions.dates.length, columns: questions.dates.join(', ') })}</span>
          <DateFields value={dates} onChange={setDates} asksOrder={questions.asksOrder} />
        </div>
      )}
      <Button
        size="xs"
        disabled={!isTold && !hasFailed}
        loading={isSending}
        onClick={() => {
          setSending(true);
          check.mutate(
            {
              id: file.id,
              ...(isAveraged ? { average_repeated_rows: true } : {}),
              ...(areKept ? { keep_duplicate_positions: true } : {}),
              ...(asksPloidy ? reading : {}),
              ...(areDosagesRead ? { genotype_field: 'DS' } : {}),
              ...(areHaploidsRead ? { haploid_as_homozygous: true } : {}),
              ...(rows === undefined ? {} : { matrix_rows: rows }),
              ...(missing.length > 0 ? { missing_codes: [...file.missing_codes, ...missing] } : {}),
              ...(measured.length > 0 ? { measured_values: [...file.measured_values, ...measured] } : {}),
              ...(leftLines.length + leftCells.length > 0
                ? { left_out: leftOutWith(file.left_out, leftLines, leftCells) }
                : {}),
              ...(areDatesTold ? { dates } : {}),
              ...(hasRoles ? { mapping: withRoles(file, roles) } : {}),
            },
            { onSettled: () => setSending(false) },
          );
        }}
      >
        {hasFailed ? t('files.checkAgain') : t('files.report.checkWith')}
      </Button>
      {check.error && <ErrorNotice error={check.error} />}
    </div>
  );
}
