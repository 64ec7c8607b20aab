import type { ReactNode } from 'react';
import classes from './headline.module.css';

/** What a result says, in one sentence above its figures. */
export function Headline({ children }: { children: ReactNode }) {
  return <p className={classes.headline}>{children}</p>;
}
