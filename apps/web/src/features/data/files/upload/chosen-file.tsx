import { type FileType, fileType } from '@heterosis/contracts/data/files';
import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../../components/form/icon-button.tsx';
import { IconX } from '../../../../components/icons.tsx';
import { formatBytes } from '../../../../lib/format/format.ts';
import { type Reading, ReadingFields } from '../reading/reading-fields.tsx';
import type { FileTypeGuess } from './guess-file-type.ts';
import classes from './upload-files-modal.module.css';
import type { PlannedName } from './upload-names.ts';

export interface ChosenRow {
  id: number;
  file: File;
  type: FileType | null;
  /** What tells the type; undefined once a person has chosen it. */
  guess: FileTypeGuess | undefined;
  /** Undefined: it keeps its own name, or gets the one proposed. */
  typedName: string | undefined;
  /** Of a genotype. */
  reading: Reading;
}

interface ChosenFileProps {
  row: ChosenRow;
  name: PlannedName | undefined;
  problem: 'empty' | 'tooLarge' | undefined;
  onChange: (part: Partial<ChosenRow>) => void;
  onRemove: () => void;
}

/** A file that is to be uploaded: what kind it is, and under which name when its own is in use. */
export function ChosenFile({ row, name, problem, onChange, onRemove }: ChosenFileProps) {
  const { file, type, guess, typedName, reading } = row;
  const { t } = useTranslation();
  const needsName = name?.isRenamed === true || typedName !== undefined;
  return (
    <li className={classes.row}>
      <span className={classes.name} title={file.name}>
        <span className={classes.nameText}>{file.name}</span>{' '}
        <span className={classes.size}>{formatBytes(file.size)}</span>
      </span>
      <NativeSelect
        size="xs"
        aria-label={t('files.upload.typeOf', { name: file.name })}
        value={type ?? ''}
        onChange={(event) => {
          const chosen = fileType.safeParse(event.currentTarget.value);
          onChange({ type: chosen.success ? chosen.data : null, guess: undefined });
        }}
        data={[
          ...fileType.options.map((value) => ({ value, label: t(`files.type.${value}`) })),
          { value: '', label: t('files.type.other') },
        ]}
      />
      <IconButton label={t('files.upload.leaveOut', { name: file.name })} onClick={onRemove}>
        <IconX size={16} />
      </IconButton>
      {guess && !problem && (
        <p className={classes.why}>
          {t(`files.upload.why.${guess.reason}`, { count: guess.columns.length, columns: guess.columns.join(', ') })}
        </p>
      )}
      {type === 'GENOTYPE' && !problem && (
        <div className={classes.reading}>
          <ReadingFields
            value={reading}
            format={/\.vcf(\.b?gz)?$/i.test(file.name) ? 'vcf' : null}
            name={file.name}
            onChange={(next) => onChange({ reading: next })}
          />
        </div>
      )}
      {problem && (
        <p className={classes.problem} role="alert">
          {t(`files.upload.${problem}`)}
        </p>
      )}
      {needsName && (
        <TextInput
          className={classes.rename ?? ''}
          size="xs"
          label={t('files.upload.nameTaken')}
          maxLength={255}
          value={typedName ?? name?.name ?? ''}
          error={name?.problem && t(`files.upload.name.${name.problem}`)}
          onChange={(event) => onChange({ typedName: event.currentTarget.value })}
        />
      )}
    </li>
  );
}
