import { Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconX } from '../../../components/icons.tsx';
import { FileField } from '../../data/files/index.ts';
import type { ChosenFile } from '../run-dialog/index.ts';
import classes from './trial-analyses.module.css';
import { hasPlots } from './use-plot-files.ts';

/** The phenotype files of an analysis: those chosen, each with a way to leave it out, and a field for a further one. */
export function PlotFilesField(props: {
  projectId: string;
  files: readonly ChosenFile[];
  onChange: (files: ChosenFile[]) => void;
  error: ReactNode;
}) {
  const { projectId, files, onChange } = props;
  const { t } = useTranslation();
  return (
    <div>
      <Input.Label component="div">{t('trial_analyses.files')}</Input.Label>
      <ul className={classes.files} aria-label={t('trial_analyses.files')}>
        {files.map((file) => (
          <li key={file.id}>
            <span>{file.name}</span>
            <IconButton
              label={t('trial_analyses.leaveOutFile', { name: file.name })}
              onClick={() => onChange(files.filter(({ id }) => id !== file.id))}
            >
              <IconX size={16} />
            </IconButton>
          </li>
        ))}
        {files.length === 0 && <li className="hx-muted">{t('trial_analyses.noFiles')}</li>}
      </ul>
      <FileField
        label={t('trial_analyses.addFile')}
        projectId={projectId}
        types={['PHENOTYPE']}
        value={undefined}
        isPreferred={hasPlots}
        onChange={({ id, name }) => {
          if (!files.some((one) => one.id === id)) onChange([...files, { id, name }]);
        }}
        error={props.error}
      />
    </div>
  );
}
