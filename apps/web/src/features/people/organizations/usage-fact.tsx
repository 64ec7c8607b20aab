import { Progress } from '@mantine/core';
import classes from './usage-fact.module.css';

interface UsageFactProps {
  /** `1.2 GB of 10 GB`. */
  text: string;
  label: string;
  used: number;
  /** Null: no limit, and then no bar. */
  quota: number | null;
}

/** How much of a quota is used, in words and as a bar. */
export function UsageFact({ text, label, used, quota }: UsageFactProps) {
  if (quota === null) return <>{text}</>;
  const share = quota === 0 ? 100 : Math.min(100, (used / quota) * 100);
  return (
    <>
      {text}
      <Progress
        value={share}
        color={share >= 100 ? 'red' : share >= 85 ? 'orange' : 'green'}
        size="sm"
        aria-label={label}
        className={classes.bar ?? ''}
      />
    </>
  );
}
