import { useEffect, useState } from 'react';
import { formatDateTime, formatRelative } from '../../lib/format/format.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
const MINUTE_MS = 60_000;

/** `3 min. ago`, kept current; the exact time on hover. */
export function RelativeTime({ date }: { date: string }) {
  const now = useMinute();
  return (
    <time dateTime={date} title={formatDateTime(date)}>
      {formatRelative(date, now)}
    </time>
  );
}

/** The time, updated every minute by one timer for the whole page. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const update = (): void => setNow(Date.now());
    listeners.add(update);
    timer ??= setInterval(() => {
      for (const listener of listeners) listener();
    }, MINUTE_MS);
    return () => {
      listeners.delete(update);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}
