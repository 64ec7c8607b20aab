import { type MatrixRows, matrixRows } from '@heterosis/contracts/file-formats';
import type { FileDetail, FileProblemRecord } from '@heterosis/contracts/files';
import { Button, Checkbox, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { useFileMutations } from '../files.api.ts';
import classes from './import-report.module.css';

const isMatrix = ({ format }: FileDetail): boolean => format === 'numeric-matrix' || format === 'letter-matrix';

function choicesOf(file: FileDetail, problems: readonly FileProblemRecord[], byCode: Record<string, number>) {
  const ofMissing = problems.flatMap((one) =>
    one.code === 'W-PH-MISSING-CODE' && one.value !== null ? [one.value] : [],
  );
  return {
    codes: [...new Set(ofMissing)],
    isRepeated: file.file_type === 'PHENOTYPE' && Boolean(byCode['E-PH-DUP']),
    hasTwins: file.file_type === 'GENOTYPE' && Boolean(byCode['E-GT-DUP-POS']),
    asksRows: isMatrix(file) && Boolean(byCode['E-NO-HEADER']),
    hasDosages: file.file_type === 'GENOTYPE' && Boolean(byCode['I-GT-DOSAGE-UNUSED']),
    hasHaploids: file.file_type === 'GENOTYPE' && Boolean(byCode['E-GT-PLOIDY-MIX']),
    // Nothing is wrong with the file as far as anybody knows.
    hasFailed: Boolean(byCode['E-NOT-CHECKED']),
  };
}

export const hasChoices = (...found: Parameters<typeof choicesOf>): boolean => {
  const { codes, ...others } = choicesOf(...found);
  return codes.length > 0 || Object.values(others).includes(true);
};

/**
 * Choices that cure problems of the report without a change of the file: average repeated rows, treat a code as
 * missing, keep both rows of a variant measured by two probes, read dosages in place of calls, read calls of one allele
 * as homozygous, say what the rows of a matrix are.
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
  const [rows, setRows] = useState<MatrixRows>();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const { codes, isRepeated, hasTwins, asksRows, hasDosages, hasHaploids, hasFailed } = choicesOf(
    file,
    problems,
    byCode,
  );
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
      {codes.map((value) => (
        <Checkbox
          key={value}
          label={t('files.report.treatAsMissing', { value })}
          checked={missing.includes(value)}
          onChange={(event) =>
            setMissing(event.currentTarget.checked ? [...missing, value] : missing.filter((one) => one !== value))
          }
        />
      ))}
      <Button
        size="xs"
        disabled={
          ![
            isAveraged,
            areKept,
            areDosagesRead,
            areHaploidsRead,
            rows !== undefined,
            missing.length > 0,
            hasFailed,
          ].includes(true)
        }
        loading={isSending}
        onClick={() => {
          setSending(true);
          check.mutate(
            {
              id: file.id,
              ...(isAveraged ? { average_repeated_rows: true } : {}),
              ...(areKept ? { keep_duplicate_positions: true } : {}),
              ...(areDosagesRead ? { prefer_dosages: true } : {}),
              ...(areHaploidsRead ? { haploid_as_homozygous: true } : {}),
              ...(rows === undefined ? {} : { matrix_rows: rows }),
              ...(missing.length > 0 ? { missing_codes: [...file.missing_codes, ...missing] } : {}),
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
