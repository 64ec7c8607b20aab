import type { TrialPlots } from '@heterosis/contracts/work/trial-analyses';
import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import classes from './trial-dialog.module.css';

const LONGEST_REASON = 500;

/** Plots that are named; of more, their number is. */
const NAMED = 5;

/** Asks why the values of some plots do not count: nothing is set aside without a reason. */
export function SetAsideDialog(props: {
  trial: TrialPlots;
  plots: readonly number[];
  onConfirm: (reason: string) => void;
  onClose: () => void;
}) {
  const { trial, plots } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const title = t('trial_analyses.setAsideTitle', { count: plots.length });
  const nameOf = (plot: number): string => {
    const [line, row, column] = [trial.line[plot], trial.row[plot], trial.column[plot]];
    return row == null || column == null ? (line ?? '') : t('trial_analyses.plotInField', { line, row, column });
  };
  return (
    <ModalFrame title={title} onClose={props.onClose} size="28rem">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== '') props.onConfirm(reason.trim());
        }}
      >
        <ul className={classes.asked}>
          {plots.slice(0, NAMED).map((plot) => (
            <li key={plot}>{nameOf(plot)}</li>
          ))}
          {plots.length > NAMED && <li>{t('trial_analyses.furtherPlots', { count: plots.length - NAMED })}</li>}
        </ul>
        <TextInput
          label={t('trial_analyses.reason')}
          description={t('trial_analyses.reasonNote')}
          placeholder={t('trial_analyses.reasonExample')}
          maxLength={LONGEST_REASON}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={props.onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" disabled={reason.trim() === ''}>
            {t('trial_analyses.setAsideAction')}
          </Button>
        </Group>
      </form>
    </ModalFrame>
  );
}
