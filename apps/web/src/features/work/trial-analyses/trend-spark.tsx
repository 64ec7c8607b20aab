import { useTranslation } from 'react-i18next';
import classes from './trial-analyses.module.css';

const [WIDTH, HEIGHT, EDGE] = [96, 24, 2];

/** The trend of a field along its rows or columns, as a line in a cell. */
export function TrendSpark({ trend, along }: { trend: readonly number[]; along: 'rows' | 'columns' | null }) {
  const { t } = useTranslation();
  if (trend.length < 2 || along === null) return <span className="hx-muted">–</span>;
  const [low, high] = [Math.min(...trend), Math.max(...trend)];
  const x = (place: number): number => EDGE + (place / (trend.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number): number =>
    high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t(`trial_analyses.trendAlong.${along}`)}
    >
      <polyline points={trend.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(' ')} />
    </svg>
  );
}
