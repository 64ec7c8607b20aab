import { useTranslation } from 'react-i18next';
import classes from './progress-bar.module.css';
import { ProgressBar } from './progress-bar.tsx';

interface RunProgressProps {
  /** Name of what runs: a trait. */
  label: string;
  /** The stages of this kind of run in order. */
  stages: { id: string; label: string }[];
  /** The stage it is in; one that is not in the list (`queued`) counts as before the first. */
  current: string;
  done: number;
  total: number;
  startedAt?: string | null | undefined;
  detail?: string | undefined;
  onCancel?: (() => void) | undefined;
}

/** A run under way: its stages with ticks, and one bar for the stage it is in. */
export function RunProgress({ label, stages, current, ...bar }: RunProgressProps) {
  const { t } = useTranslation();
  const position = stages.findIndex((stage) => stage.id === current);
  const stageLabel = stages[position]?.label ?? t('progress.queued');
  return (
    <div>
      <ol className={classes.stages} aria-label={t('progress.stages')}>
        {stages.map((stage, index) => (
          <li
            key={stage.id}
            data-state={index < position ? 'done' : undefined}
            aria-current={index === position ? 'step' : undefined}
          >
            <span aria-hidden="true">{index < position ? '✓ ' : ''}</span>
            {stage.label}
            {index < position && <span className="hx-visually-hidden"> ({t('progress.done')})</span>}
          </li>
        ))}
      </ol>
      <ProgressBar label={`${label}: ${stageLabel}`} {...bar} />
    </div>
  );
}
