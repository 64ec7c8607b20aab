import { formatStatistic } from '../../lib/format/format.ts';
import classes from './reliability-bar.module.css';

/** A value between 0 and 1 as number and bar. */
export function ReliabilityBar({ value }: { value: number | null }) {
  if (value === null) return <>–</>;
  const share = Math.min(1, Math.max(0, value));
  return (
    <span className={classes.cell}>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.fill} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="hx-tabular">{formatStatistic(value)}</span>
    </span>
  );
}
