import type { ReactNode } from 'react';
import classes from './headline.module.css';

/** What a result says, in one sentence above its figures. A sentence that waits for its words is not seen. */
export function Headline({ isWaiting = false, children }: { isWaiting?: boolean; children: ReactNode }) {
  return (
    <p className={classes.headline} data-waiting={isWaiting || undefined}>
      {children}
    </p>
  );
}
