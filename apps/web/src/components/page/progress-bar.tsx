import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../lib/format/format.ts';
import { estimateSecondsLeft, shareDone } from '../../lib/format/progress.ts';
import classes from './progress-bar.module.css';

interface ProgressBarProps {
  /** What is going on: `Cross-validating`. */
  label: string;
  done: number;
  total: number;
  /** When it began; with it an estimate is shown after five seconds. */
  startedAt?: string | number | null | undefined;
  /** Beside the share, for example `23 of 50 folds`. */
  detail?: string | undefined;
  onCancel?: (() => void) | undefined;
}

export function ProgressBar({ label, done, total, startedAt, detail, onCancel }: ProgressBarProps) {
  const { t } = useTranslation();
  const share = shareDone(done, total);
  const start = startedAt === null || startedAt === undefined ? undefined : new Date(startedAt).getTime();
  const secondsLeft = estimateSecondsLeft({ done, total, startedAt: start }, Date.now());
  return (
    <div className={classes.bar}>
      <div className={classes.words}>
        <span>{label}</span>
        <span className={classes.figures}>
          {detail ?? `${Math.floor(share * 100)} %`}
          {secondsLeft !== undefined && ` · ${t('progress.left', { time: formatDuration(secondsLeft) })}`}
        </span>
      </div>
      <div className={classes.line}>
        <Progress value={share * 100} aria-label={label} className={classes.track ?? ''} transitionDuration={150} />
        {onCancel && (
          <Button size="compact-xs" variant="default" onClick={onCancel}>
            {t('action.cancel')}
          </Button>
        )}
      </div>
    </div>
  );
}
