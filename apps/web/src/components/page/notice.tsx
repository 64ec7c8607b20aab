import type { ReactNode } from 'react';
import classes from './notice.module.css';

/**
 * A sentence that stands out a little: something to know (`info`), to mind (`warning`), or that went well (`success`).
 */
export function Notice({ kind = 'info', children }: { kind?: 'info' | 'warning' | 'success'; children: ReactNode }) {
  return (
    <div role="status" className={classes.notice} data-kind={kind}>
      {children}
    </div>
  );
}
