import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './section.module.css';

/**
 * A titled part of a page. Sections stand under each other, divided by space and a line, not in cards. On a page of
 * settings the title and its note stand beside what they are about.
 */
export function Section({
  place,
  title,
  action,
  note,
  children,
}: {
  /** The anchor in addresses that lead to it. */
  place?: string;
  title: string;
  action?: ReactNode;
  note?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section {...(place === undefined ? {} : { id: place })} aria-labelledby={id} className={classes.section}>
      <div className={classes.about}>
        <div className={classes.head}>
          <h2 id={id}>{title}</h2>
          {action && <div className={classes.actions}>{action}</div>}
        </div>
        {note && <p className={classes.note}>{note}</p>}
      </div>
      <div className={classes.content}>{children}</div>
    </section>
  );
}
